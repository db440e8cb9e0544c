//! The archive of the program for one platform, and its checksum for `sha256sum --check`.

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tar::{Builder, Header};

use crate::process;
use crate::project::{self, Project, VERSION};
use crate::report;

/// The completions in the archive, by their names for the shells.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "smithy-waiters.bash"),
    ("fish", "smithy-waiters.fish"),
    ("zsh", "_smithy-waiters"),
];

/// Returns the path of the archive for a target.
pub(super) fn path(project: &Project, target: &str) -> PathBuf {
    project.target(&format!("command/{}.tar.gz", name(target)))
}

/// Packs a program that this machine can run.
///
/// Two archives of the same program are equal: the files have no times and owners.
pub(super) fn pack(project: &Project, program: &Path, target: &str) -> Result<()> {
    let name = name(target);
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    let mut add = |file: &str, mode, content: &[u8]| {
        let mut header = Header::new_gnu();
        header.set_mode(mode);
        header.set_size(u64::try_from(content.len())?);
        archive
            .append_data(&mut header, format!("{name}/{file}"), content)
            .with_context(|| format!("cannot pack `{file}`"))
    };
    add("smithy-waiters", 0o755, &read(program)?)?;
    for file in ["LICENSE", "README.md", "THIRD-PARTY-LICENSES"] {
        add(file, 0o644, &read(&project.path("tools/cli").join(file))?)?;
    }
    for (shell, file) in COMPLETIONS {
        let script = cmd!(program, "completions", shell);
        let mut script = process::read("smithy-waiters completions", &script)?;
        script.push('\n');
        add(&format!("completions/{file}"), 0o644, script.as_bytes())?;
    }
    let bytes = archive.into_inner()?.finish()?;
    let path = path(project, target);
    project::write(&path, &bytes)?;
    let digest = report::hex(&Sha256::digest(&bytes));
    let checksum = path.with_file_name(format!("{name}.tar.gz.sha256"));
    project::write(&checksum, format!("{digest}  {name}.tar.gz\n"))
}

fn name(target: &str) -> String {
    format!("smithy-waiters-{VERSION}-{target}")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    Ok(fs::read(path)?)
}
