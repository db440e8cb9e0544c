//! Node and the packages of a `package.json`.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use duct::{Expression, cmd};
use flate2::read::GzDecoder;
use tar::{Archive, Builder};

use crate::process;
use crate::stamp::{Fingerprint, Stamp};

/// `npm`, by the name that starts it here.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Checks Node itself.
///
/// # Errors
///
/// When it is not there or older than what the npm package promises.
pub(crate) fn check() -> Result<()> {
    super::checked_version(
        "node",
        ">=20.19",
        "install Node 20.19 or newer: https://nodejs.org",
    )?;
    Ok(())
}

/// Fetches what the lock file of a folder lists, unless it is there already.
///
/// # Errors
///
/// When Node is too old, or npm fails.
pub(crate) fn install(folder: &Path) -> Result<()> {
    check()?;
    let listed = [
        folder.join("package.json"),
        folder.join("package-lock.json"),
    ];
    let stamp = Stamp::new(
        folder.join("node_modules/.stamp"),
        Fingerprint::default().files(&listed)?,
        &[],
    );
    if stamp.is_fresh()? {
        return Ok(());
    }
    process::run(
        "npm ci",
        &cmd!(NPM, "ci", "--no-audit", "--no-fund").dir(folder),
    )?;
    stamp.set()
}

/// Packs a folder's package as for publication, into `place`; gives the tarball's name. Its files are npm's own choice; its
/// bytes are packed again, since npm's gzip leaves a twentieth lying about.
///
/// # Errors
///
/// When npm fails.
pub(crate) fn pack(folder: &Path, place: &Path) -> Result<String> {
    let name = pack_once(folder, place)?;
    repack(&place.join(&name))?;
    Ok(name)
}

/// The same with npm's own bytes: a program is too large to be packed again in a reasonable time.
///
/// # Errors
///
/// When npm fails.
pub(crate) fn pack_once(folder: &Path, place: &Path) -> Result<String> {
    let pack = cmd!(
        NPM,
        "pack",
        "--silent",
        "--ignore-scripts",
        "--pack-destination",
        place
    );
    process::read("npm pack", &pack.dir(folder))
}

fn repack(tarball: &Path) -> Result<()> {
    let packed = fs::read(tarball).context("npm has packed nothing")?;
    let mut smaller = Vec::new();
    // As many blocks as pay: few would be enough for a text, but this is a text, a wasm and a base64 after each other.
    let options = zopfli::Options {
        maximum_block_splits: 1000,
        ..zopfli::Options::default()
    };
    let files = sorted(GzDecoder::new(packed.as_slice()))?;
    zopfli::compress(
        options,
        zopfli::Format::Gzip,
        files.as_slice(),
        &mut smaller,
    )?;
    Ok(fs::write(tarball, smaller)?)
}

/// Files that are alike, by how their names end. Gzip looks back by 32 KB.
const ALIKE: [&str; 8] = [
    "LICENSE", "LICENSES", ".json", ".md", ".d.ts", ".d.cts", ".cjs", ".js",
];

/// What is larger is the engine, as bytes or as text: like nothing else, and nothing after it finds anything to look back at.
const ENGINE: usize = 100_000;

/// The files of a tarball, those that are alike beside each other, the engine at the end.
fn sorted(tarball: impl Read) -> Result<Vec<u8>> {
    let mut archive = Archive::new(tarball);
    let mut files = Vec::new();
    for file in archive.entries()? {
        let mut file = file?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        files.push((file.header().clone(), content));
    }
    files.sort_by_key(|(header, content)| {
        let name = header.path_bytes();
        let alike = ALIKE.iter().position(|end| name.ends_with(end.as_bytes()));
        (content.len() > ENGINE, alike)
    });
    let mut sorted = Builder::new(Vec::new());
    for (header, content) in &files {
        sorted.append(header, content.as_slice())?;
    }
    Ok(sorted.into_inner()?)
}

/// A program of an installed package, such as `typescript/bin/tsc`.
pub(crate) fn tool(folder: &Path, script: &str, arguments: &[&str]) -> Expression {
    let script = folder.join("node_modules").join(script);
    let arguments = arguments.iter().map(Into::into);
    cmd(
        "node",
        std::iter::once(script.into_os_string()).chain(arguments),
    )
}
