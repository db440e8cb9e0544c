//! The definitions of AWS services that botocore contains.

mod search;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use flate2::read::GzDecoder;

use crate::similar::did_you_mean;

/// The file with the shapes of a service, which every service has.
const SERVICE: &str = "service-2.json";

/// The file with the waiters of a service.
const WAITERS: &str = "waiters-2.json";

/// The files of a service.
const FILES: [&str; 3] = [SERVICE, WAITERS, "paginators-1.json"];

/// A service that botocore has, if any of them does.
const ANY: &str = "ec2";

/// Returns the names and texts of a service's files.
///
/// Each file is read from the first folder that has it, in the newest version of any folder, as botocore does.
///
/// # Errors
///
/// Fails if no botocore is found, if it doesn't have the service, or if a file cannot be read.
pub(crate) fn texts(service: &str, folder: Option<&Path>) -> Result<Vec<(String, String)>> {
    let folders = folders(service, folder)?;
    let version = newest_version(&folders, service).ok_or_else(|| unknown(&folders, service))?;
    let mut texts = Vec::new();
    for file in FILES {
        let place = Path::new(service).join(&version).join(file);
        let mut found = folders.iter().map(|folder| folder.join(&place));
        if let Some(path) = found.find_map(|path| existing(&path)) {
            let name = format!("{service}/{version}/{file}");
            texts.push((name, read(&path)?));
        }
    }
    Ok(texts)
}

/// Returns the names of all services with a file of waiters, in alphabetical order.
///
/// # Errors
///
/// Fails if no botocore is found.
pub(crate) fn services(folder: Option<&Path>) -> Result<Vec<String>> {
    let folders = folders(ANY, folder)?;
    let names: BTreeSet<String> = folders.iter().flat_map(|folder| names(folder)).collect();
    let has_waiters = |service: &String| {
        let version = newest_version(&folders, service);
        version.is_some_and(|version| {
            let place = Path::new(service).join(version).join(WAITERS);
            folders
                .iter()
                .any(|folder| existing(&folder.join(&place)).is_some())
        })
    };
    Ok(names.into_iter().filter(has_waiters).collect())
}

fn folders(service: &str, folder: Option<&Path>) -> Result<Vec<PathBuf>> {
    let Some(folder) = folder else {
        return search::folders(service);
    };
    ensure!(
        folder.is_dir(),
        "`--botocore-path` must be a folder, got `{}`",
        folder.display()
    );
    Ok(vec![folder.to_owned()])
}

/// Returns `true` if one of the folders contains the service.
fn contains(folders: &[PathBuf], service: &str) -> bool {
    newest_version(folders, service).is_some()
}

/// Returns the newest version of a service. Versions are dates, so the last one is the newest.
fn newest_version(folders: &[PathBuf], service: &str) -> Option<String> {
    // Only a name that a folder contains is joined to a path.
    let versions = folders.iter().filter(|folder| {
        let mut services = names(folder).into_iter();
        services.any(|name| name == service)
    });
    let versions = versions.flat_map(|folder| {
        let service = folder.join(service);
        let versions = names(&service).into_iter();
        // A folder without versions has the files themselves.
        let versions = versions.chain(iter::once(String::new()));
        versions.filter(move |version| existing(&service.join(version).join(SERVICE)).is_some())
    });
    versions.max()
}

fn unknown(folders: &[PathBuf], service: &str) -> anyhow::Error {
    let names: BTreeSet<String> = folders.iter().flat_map(|folder| names(folder)).collect();
    let searched = folders
        .iter()
        .map(|folder| format!("`{}`", folder.display()));
    let searched = searched.collect::<Vec<_>>().join(", ");
    if names.contains(service) {
        return anyhow!(
            "the service `{service}` has no file `VERSION/{SERVICE}`\nsearched {searched}"
        );
    }
    let hint = did_you_mean(service, names.iter().map(String::as_str));
    anyhow!("botocore has no service `{service}`{hint}\nsearched {searched}")
}

/// Returns the names of the folders in a folder. A folder that cannot be read has none.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string());
    names.filter_map(Result::ok).collect()
}

/// Returns the path of a file or of its compressed form.
fn existing(path: &Path) -> Option<PathBuf> {
    let compressed = path.with_extension("json.gz");
    [path.to_owned(), compressed]
        .into_iter()
        .find(|path| path.is_file())
}

fn read(path: &Path) -> Result<String> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let bytes = if path.extension().is_some_and(|extension| extension == "gz") {
        let mut text = Vec::new();
        let read = GzDecoder::new(&*bytes).read_to_end(&mut text);
        read.with_context(|| format!("cannot decompress `{name}`"))?;
        text
    } else {
        bytes
    };
    let text = String::from_utf8(bytes);
    let Ok(text) = text else {
        bail!("`{name}` is not valid UTF-8")
    };
    Ok(text)
}
