//! The option `--botocore`: where its files are searched, and the errors.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{folder, stderr, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;

const SERVICE: &str = r#"{
    "version": "2.0",
    "metadata": {"apiVersion": "2020-01-01", "endpointPrefix": "things", "protocol": "json",
        "serviceId": "Things", "serviceFullName": "Things", "signatureVersion": "v4"},
    "operations": {"GetThing": {"name": "GetThing", "http": {"method": "POST", "requestUri": "/"},
        "output": {"shape": "Thing"}}},
    "shapes": {"Thing": {"type": "structure", "members": {"State": {"shape": "State"}}}, "State": {"type": "string"}}
}"#;

/// Returns a file of waiters with one waiter.
fn waiters(name: &str) -> String {
    format!(
        r#"{{"version": 2, "waiters": {{"{name}": {{"operation": "GetThing", "delay": 5, "maxAttempts": 9, "acceptors": [
            {{"state": "success", "matcher": "path", "argument": "State", "expected": "READY"}}]}}}}}}"#
    )
}

/// Writes the files of a service to a folder of services. The shapes are compressed.
fn service(data: &Path, name: &str, version: &str, waiter: &str) {
    let folder = data.join(name).join(version);
    fs::create_dir_all(&folder).unwrap();
    let file = fs::File::create(folder.join("service-2.json.gz")).unwrap();
    let mut file = GzEncoder::new(file, Compression::fast());
    file.write_all(SERVICE.as_bytes()).unwrap();
    file.finish().unwrap();
    fs::write(folder.join("waiters-2.json"), waiters(waiter)).unwrap();
}

/// Writes a program to the folder `bin` of a test.
fn program(folder: &Path, name: &str, text: &str) {
    let path = folder.join("bin").join(name);
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Returns the command for a user with a home and a cache of the test and only the programs in `bin`.
fn command(folder: &PathBuf, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("PATH", folder.join("bin"))
        .env_remove("AWS_DATA_PATH");
    command
}

fn list(folder: &PathBuf, service: &str) -> Output {
    let arguments = ["list", "--botocore", service];
    command(folder, &arguments).output().unwrap()
}

const READY: &str = "com.amazonaws.things#GetThing: waiter Ready\n";

#[test]
fn the_newest_version_of_the_users_own_folders_is_read() {
    let folder = folder("botocore-own");
    service(&folder.join(".aws/models"), "things", "2020-01-01", "Old");
    service(&folder.join("more"), "things", "2024-01-01", "Ready");
    service(&folder.join("most"), "things", "2024-01-01", "Later");
    let newest = folder.join(".aws/models/things/2030-01-01");
    fs::create_dir_all(newest).unwrap();
    let paths = format!("~/more:{}", folder.join("most").display());
    for verb in [
        &["list"][..],
        &["show", "Ready"],
        &["lint"],
        &["schedule", "Ready"],
    ] {
        let arguments = [verb, &["--botocore", "things"]].concat();
        let mut command = command(&folder, &arguments);
        let output = command.env("AWS_DATA_PATH", &paths).output().unwrap();
        assert_eq!(
            (stderr(&output), output.status.code()),
            (String::new(), Some(0))
        );
        if verb == ["list"] {
            assert_eq!(stdout(&output), READY);
        }
    }
}

#[test]
fn the_botocore_of_python_and_of_the_aws_cli_is_read() {
    let folder = folder("botocore-installed");
    let package = folder.join("site-packages/botocore");
    service(&package.join("data"), "things", "2020-01-01", "Ready");
    program(&folder, "python", &format!("echo {}", package.display()));
    assert_eq!(stdout(&list(&folder, "things")), READY);

    let folder = self::folder("botocore-aws-cli");
    let dist = folder.join("aws-cli/v2/2.0.0/dist");
    service(
        &dist.join("awscli/botocore/data"),
        "things",
        "2020-01-01",
        "Ready",
    );
    fs::write(dist.join("aws"), "").unwrap();
    program(&folder, "python3", "exit 0");
    symlink(dist.join("aws"), folder.join("bin/aws")).unwrap();
    assert_eq!(stdout(&list(&folder, "things")), READY);
}

#[test]
fn botocore_is_downloaded_once_if_it_is_missing() {
    let folder = folder("botocore-downloaded");
    service(&folder.join("wheel"), "things", "2020-01-01", "Ready");
    let wheel = folder.join("wheel");
    let script = format!(
        "PATH=/usr/bin:/bin\ncase \"$*\" in\n\
         *pip*) while [ \"$1\" != --dest ]; do shift; done; touch \"$2/botocore-1-py3-none-any.whl\" ;;\n\
         *zipfile*) mkdir -p \"$5/botocore\" && cp -r {} \"$5/botocore/data\" ;;\n\
         esac",
        wheel.display()
    );
    program(&folder, "python3", &script);
    let first = list(&folder, "things");
    assert_eq!(stdout(&first), READY, "{}", stderr(&first));
    assert!(
        stderr(&first).starts_with("downloading botocore with pip"),
        "{}",
        stderr(&first)
    );
    fs::remove_file(folder.join("bin/python3")).unwrap();
    let second = list(&folder, "things");
    assert_eq!(
        (stdout(&second), stderr(&second)),
        (READY.to_owned(), String::new())
    );
}

#[test]
fn the_places_without_botocore_are_listed() {
    let folder = folder("botocore-nowhere");
    program(&folder, "python", "exit 7");
    program(
        &folder,
        "python3",
        "[ \"$2\" != pip ] || { echo details >&2; echo no network >&2; exit 1; }",
    );
    let output = list(&folder, "things");
    assert_eq!(output.status.code(), Some(2));
    let expected = format!(
        "downloading botocore with pip, because it is not installed\n\
         error: cannot find botocore, which defines `things`; tried in this order:\n  \
         `AWS_DATA_PATH`: not set\n  \
         `{}/.aws/models`: no such folder\n  \
         `python3`: botocore is not installed\n  \
         `python`: exit status: 7\n  \
         `aws`: not installed, or without botocore's files\n  \
         `python3 -m pip download botocore`: no network\n  \
         `python -m pip download botocore`: exit status: 7\n\
         run `pip install botocore`, or use a model file from\n\
         https://github.com/aws/api-models-aws\n",
        folder.display()
    );
    assert_eq!(stderr(&output), expected);
    assert_eq!(
        fs::read_dir(folder.join("cache/smithy-waiters"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn an_unknown_service_has_suggestions() {
    let folder = folder("botocore-unknown");
    for name in ["dynamodb", "dynamodbstreams", "ec2"] {
        service(&folder.join("data"), name, "2020-01-01", "Ready");
    }
    let run = |service: &str, path: &str| {
        let arguments = ["list", "--botocore", service, "--botocore-path", path];
        let output = command(&folder, &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let similar = "error: botocore has no service `dynamo`: did you mean `dynamodb`, `dynamodbstreams`?\nsearched `data`\n";
    assert_eq!(run("dynamo", "data"), similar);
    for name in ["", "..", "dynamodb/2020-01-01", "zzzz"] {
        let message = format!("error: botocore has no service `{name}`\nsearched `data`\n");
        assert_eq!(run(name, "data"), message);
    }
    assert_eq!(
        run("ec2", "other"),
        "error: `--botocore-path` must be a folder, got `other`\n"
    );
    let file = folder.join("data/ec2/2020-01-01/service-2.json.gz");
    fs::write(&file, "{}").unwrap();
    let damaged = run("ec2", "data");
    let place = "data/ec2/2020-01-01/service-2.json.gz";
    assert!(
        damaged.starts_with(&format!("error: cannot decompress `{place}`\n")),
        "{damaged}"
    );
}

#[test]
fn botocore_excludes_other_options() {
    let folder = folder("botocore-conflicts");
    for arguments in [
        &["list", "--botocore", "s3", "--each"][..],
        &["list", "--botocore-path", "data"],
        &["lint", "--botocore", "s3", "--fix"],
        &[
            "generate",
            "--botocore",
            "s3",
            "--definition",
            "A.json",
            "--language",
            "rust",
            "--out",
            "out",
        ],
    ] {
        let output = command(&folder, arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains("--botocore"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn files_add_waiters_to_a_service() {
    let folder = folder("botocore-and-files");
    service(&folder.join("data"), "things", "2020-01-01", "Ready");
    let text = r#"$version: "2"
namespace my.waiters
use smithy.waiters#waitable
apply com.amazonaws.things#GetThing @waitable(Gone: { acceptors: [{ state: "success", matcher: { success: false } }] })
"#;
    fs::write(folder.join("own.smithy"), text).unwrap();
    let service = ["--botocore", "things", "--botocore-path", "data"];
    let listed = command(&folder, &[&["list", "own.smithy"], &service[..]].concat());
    let listed = stdout(&{ listed }.output().unwrap());
    assert!(
        listed.contains("waiter Ready") && listed.contains("waiter Gone"),
        "{listed}"
    );
    let generate = [
        "generate",
        "--language",
        "python",
        "--out",
        "out",
        "--model",
        "own.smithy",
    ];
    let output = command(&folder, &[&generate[..], &service[..]].concat())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let code = fs::read_to_string(folder.join("out/things.py")).unwrap();
    assert!(code.contains("wait_until_ready") && code.contains("wait_until_gone"));
}
