//! Searches for botocore's folder `data`, and downloads it if there is none.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use etcetera::{BaseStrategy as _, choose_base_strategy};

use super::{contains, names};
use crate::output;

/// The program for Python code, in the order of preference.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// Prints the folders of the package without importing it, which would take longer.
const LOCATE: &str = "import importlib.util
found = importlib.util.find_spec('botocore')
print(*(found.submodule_search_locations if found else []), sep='\\n')";

/// Returns the folders with the definitions of services in botocore's order: the user's own folders, then `data`.
///
/// If botocore is not installed, it is downloaded, unless the user's own folders contain `service`.
pub(super) fn folders(service: &str) -> Result<Vec<PathBuf>> {
    let mut tried = Vec::new();
    let mut folders = own_folders(&mut tried);
    if let Some(data) = installed(&mut tried) {
        folders.push(data);
    } else if !contains(&folders, service) {
        let found = downloaded(&mut tried).unwrap_or_else(|error| {
            tried.push(format!("the cache: {error:#}"));
            None
        });
        let data = found.ok_or_else(|| {
            let tried = tried.join("\n  ");
            anyhow!(
                "cannot find botocore, which defines `{service}`; tried in this order:\n  {tried}\n\
                 run `pip install botocore`, or use a model file from\n\
                 https://github.com/aws/api-models-aws"
            )
        })?;
        folders.push(data);
    }
    Ok(folders)
}

/// Returns the folders in `AWS_DATA_PATH`, and `~/.aws/models`.
fn own_folders(tried: &mut Vec<String>) -> Vec<PathBuf> {
    let home = env::home_dir();
    let listed = env::var_os("AWS_DATA_PATH");
    if listed.is_none() {
        tried.push("`AWS_DATA_PATH`: not set".to_owned());
    }
    let listed = listed.iter().flat_map(env::split_paths);
    let listed = listed.map(|path| match (path.strip_prefix("~"), &home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    });
    let models = home.iter().map(|home| home.join(".aws").join("models"));
    let folders = listed.chain(models);
    let existing = folders.filter(|folder| {
        let exists = folder.is_dir();
        let what = if exists {
            "has no such service"
        } else {
            "no such folder"
        };
        tried.push(format!("`{}`: {what}", folder.display()));
        exists
    });
    existing.collect()
}

/// Returns the folder of the botocore that Python imports, or else of the one that the AWS CLI contains.
fn installed(tried: &mut Vec<String>) -> Option<PathBuf> {
    for python in PYTHONS {
        match imported(python) {
            Ok(data) => return Some(data),
            Err(error) => tried.push(format!("`{python}`: {error:#}")),
        }
    }
    let found = in_aws_cli();
    if found.is_none() {
        tried.push("`aws`: not installed, or without botocore's files".to_owned());
    }
    found
}

fn imported(python: &str) -> Result<PathBuf> {
    let folders = run(Command::new(python).args(["-c", LOCATE]))?;
    let mut data = folders.lines().map(|folder| Path::new(folder).join("data"));
    data.find(|data| data.is_dir())
        .context("botocore is not installed")
}

/// Returns the folder in the installation of the command `aws`.
///
/// Version 2 contains a copy of botocore, as `dist/awscli/botocore` in AWS's packages for Linux, as `awscli/botocore` in
/// those for macOS and Windows, and in the folder for Python packages elsewhere. Version 1 uses the package.
fn in_aws_cli() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let commands = ["aws", "aws.exe"];
    let programs =
        env::split_paths(&path).flat_map(|folder| commands.map(|name| folder.join(name)));
    let mut programs = programs.filter_map(|program| fs::canonicalize(program).ok());
    programs.find_map(|program| {
        let prefixes = program.ancestors().skip(1).take(2);
        let mut places = prefixes.flat_map(|prefix| {
            let libraries = [prefix.join("lib"), prefix.join("libexec/lib")];
            let pythons = libraries.into_iter().flat_map(|library| {
                let pythons = names(&library).into_iter();
                pythons.map(move |python| library.join(python).join("site-packages"))
            });
            std::iter::once(prefix.to_owned()).chain(pythons)
        });
        places.find_map(|place| {
            let packages = ["awscli/botocore/data", "botocore/data"];
            let mut folders = packages.iter().map(|package| place.join(package));
            folders.find(|data| data.is_dir())
        })
    })
}

/// Returns the folder of an earlier download, or downloads botocore to the user's cache.
fn downloaded(tried: &mut Vec<String>) -> Result<Option<PathBuf>> {
    let cache = choose_base_strategy().context("the user has no folder for caches")?;
    let cache = cache.cache_dir().join("smithy-waiters");
    let package = cache.join("botocore");
    let data = package.join("botocore").join("data");
    if data.is_dir() {
        return Ok(Some(data));
    }
    let cannot_write = || format!("cannot write `{}`", cache.display());
    fs::create_dir_all(&cache).with_context(cannot_write)?;
    // A download that is interrupted leaves nothing behind that looks complete.
    let folder = tempfile::tempdir_in(&cache).with_context(cannot_write)?;
    output::note("downloading botocore with pip, because it is not installed");
    for python in PYTHONS {
        match download(python, folder.path()) {
            Ok(()) => {
                let renamed = fs::rename(folder.path().join("package"), &package);
                // Another process may have been faster.
                if !data.is_dir() {
                    renamed.with_context(cannot_write)?;
                }
                output::note(&format!("botocore is now in `{}`", package.display()));
                return Ok(Some(data));
            }
            Err(error) => tried.push(format!("`{python} -m pip download botocore`: {error:#}")),
        }
    }
    Ok(None)
}

/// Downloads and unpacks the newest wheel, as pip is configured.
fn download(python: &str, folder: &Path) -> Result<()> {
    let pip = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
    ];
    let mut command = Command::new(python);
    run(command.args(pip).arg("--dest").arg(folder).arg("botocore"))?;
    let wheels = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut wheels = wheels.filter(|path| path.extension().is_some_and(|end| end == "whl"));
    let wheel = wheels.next().context("pip downloaded no wheel")?;
    let mut command = Command::new(python);
    let command = command.args(["-m", "zipfile", "-e"]).arg(wheel);
    run(command.arg(folder.join("package")))?;
    Ok(())
}

/// Runs a program and returns its output, or the last line of its errors.
fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let last = errors.trim_end().lines().next_back();
        bail!(
            "{}",
            last.map_or_else(|| output.status.to_string(), str::to_owned)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
