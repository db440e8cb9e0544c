//! Output folders: only generated files are overwritten, and either all files are written or none.

use std::fs;
use std::path::PathBuf;

use smithy_waiters_generate::rust::{self, Rust};
use smithy_waiters_generate::{File, GenerateError, folder};

fn out(test: &str) -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&out);
    out
}

fn file(path: &str, text: &str) -> File {
    File::new(&Rust::default(), path, text)
}

#[test]
fn files_are_written_once_and_again_where_they_changed() {
    let out = out("written");
    let files = [
        file("a.rs", "fn a() {}\n"),
        file("deep/b.rs", "fn b() {}\n"),
    ];
    assert_eq!(folder::compare(&out, &files).unwrap().len(), 2);
    assert_eq!(folder::write(&out, &files).unwrap().len(), 2);
    assert!(folder::write(&out, &files).unwrap().is_empty());
    let changed = [file("a.rs", "fn a2() {}\n"), files[1].clone()];
    assert_eq!(folder::write(&out, &changed).unwrap(), [out.join("a.rs")]);
    assert_eq!(
        fs::read_to_string(out.join("a.rs")).unwrap(),
        changed[0].text
    );
}

#[test]
fn rust_is_formatted_with_a_lint_after_the_marker() {
    let plain = vec![file("a.rs", "fn a ( ) { }\n")];
    let marker = plain[0].text.lines().next().unwrap().to_owned();
    let formatted = rust::format(plain, &out("formatted")).unwrap();
    let text = &formatted[0].text;
    assert!(
        text.starts_with(&format!("{marker}\n\n#![allow(")),
        "{text}"
    );
    assert!(text.ends_with("\nfn a() {}\n"), "{text}");
}

#[test]
fn a_file_of_somebody_else_stops_everything() {
    let out = out("foreign");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("b.rs"), "// mine\n").unwrap();
    let files = [file("a.rs", ""), file("b.rs", "")];
    let error = folder::write(&out, &files).unwrap_err();
    assert!(
        matches!(&error, GenerateError::Foreign(path) if path.ends_with("b.rs")),
        "{error}"
    );
    assert!(!out.join("a.rs").exists());
    assert_eq!(fs::read_to_string(out.join("b.rs")).unwrap(), "// mine\n");
}

#[test]
fn nothing_is_deleted() {
    let out = out("kept");
    folder::write(&out, &[file("old.rs", "")]).unwrap();
    folder::write(&out, &[file("new.rs", "")]).unwrap();
    assert!(out.join("old.rs").exists());
}

#[test]
fn a_folder_that_is_a_file_is_an_error() {
    let out = out("file");
    fs::write(&out, "").unwrap();
    let error = folder::write(&out, &[file("a.rs", "")]).unwrap_err();
    assert!(matches!(error, GenerateError::Io { .. }), "{error}");
    assert!(out.is_file());
}

#[test]
fn a_file_that_is_a_folder_is_an_error() {
    let out = out("folder");
    fs::create_dir_all(out.join("a.rs")).unwrap();
    let error = folder::compare(&out, &[file("a.rs", "")]).unwrap_err();
    let is_read = matches!(error, GenerateError::Io { action: "read", .. });
    assert!(is_read, "{error}");
}

/// Simulates a write error, as on a full disk.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_stops_all() {
    let out = out("unwritable");
    let old = [file("a.rs", "fn a() {}\n")];
    folder::write(&out, &old).unwrap();
    std::os::unix::fs::symlink(out.join("nowhere"), out.join("deep")).unwrap();
    let files = [file("a.rs", "fn a2() {}\n"), file("deep/b.rs", "")];
    let error = folder::write(&out, &files).unwrap_err();
    assert!(matches!(error, GenerateError::Io { .. }), "{error}");
    assert_eq!(fs::read_to_string(out.join("a.rs")).unwrap(), old[0].text);
    // No temporary files remain.
    let names = fs::read_dir(&out).unwrap();
    assert_eq!(names.count(), 2);
}

#[test]
fn no_file_is_outside_and_none_is_there_twice() {
    let out = out("outside");
    for path in ["../evil.rs", "/evil.rs", "a/../../evil.rs"] {
        let error = folder::write(&out, &[file("a.rs", ""), file(path, "")]).unwrap_err();
        assert!(matches!(error, GenerateError::Outside(_)), "{error}");
    }
    let error = folder::write(&out, &[file("a.rs", "1"), file("A.rs", "2")]).unwrap_err();
    assert!(matches!(error, GenerateError::Twice(_)), "{error}");
    assert!(!out.join("a.rs").exists());
}

/// Version control may convert line endings on some systems.
#[test]
fn a_checkout_with_other_line_ends_is_up_to_date() {
    let out = out("returns");
    let files = [file("a.rs", "fn a() {}\n\nfn b() {}\n")];
    folder::write(&out, &files).unwrap();
    let path = out.join("a.rs");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    assert!(folder::compare(&out, &files).unwrap().is_empty());
    let windows = [file("a.rs", "fn a() {}\r\n\r\nfn b() {}\r\n")];
    assert!(folder::compare(&out, &windows).unwrap().is_empty());
    fs::write(&path, text.replace('\n', "\r\n") + "\r\n").unwrap();
    assert_eq!(folder::compare(&out, &files).unwrap(), [path]);
}

#[cfg(unix)]
#[test]
fn a_link_is_somebody_elses() {
    let (out, other) = (out("link"), out("linked"));
    folder::write(&other, &[file("a.rs", "fn a() {}\n")]).unwrap();
    fs::create_dir_all(&out).unwrap();
    std::os::unix::fs::symlink(other.join("a.rs"), out.join("a.rs")).unwrap();
    let error = folder::write(&out, &[file("a.rs", "fn b() {}\n")]).unwrap_err();
    assert!(matches!(error, GenerateError::Foreign(_)), "{error}");
    assert!(out.join("a.rs").is_symlink());
}
