//! The command's npm packages: one with the binary for each platform, and the one that users install.
//!
//! The latter lists the others as optional dependencies, of which npm installs the one for the platform.

use fs_err as fs;
use std::env::consts::{ARCH, EXE_SUFFIX, OS};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::project::{self, Project, VERSION};
use crate::tools::node;

/// The package that users install.
const NAME: &str = "smithy-waiters-cli";

/// A platform, in Node's terms.
struct Platform {
    os: &'static str,
    cpu: &'static str,
    /// The C library, for systems with several.
    libc: Option<&'static str>,
}

/// The platforms of a release. Each package is built on its platform.
const PLATFORMS: [Platform; 7] = [
    platform("darwin", "arm64", None),
    platform("darwin", "x64", None),
    platform("linux", "arm64", Some("glibc")),
    platform("linux", "arm64", Some("musl")),
    platform("linux", "x64", Some("glibc")),
    platform("linux", "x64", Some("musl")),
    platform("win32", "x64", None),
];

const fn platform(os: &'static str, cpu: &'static str, libc: Option<&'static str>) -> Platform {
    Platform { os, cpu, libc }
}

/// Packs the package of this platform with the program, and the package that users install.
pub(super) fn pack(project: &Project, program: &Path, folder: &Path) -> Result<()> {
    project::fresh_folder(folder)?;
    let platform = Platform::here()?;
    let stage = folder.join(platform.package());
    project::write(&stage.join("package.json"), platform.manifest().to_string())?;
    let readme = format!(
        "The program of [`{NAME}`](https://www.npmjs.com/package/{NAME}) for one platform.\n"
    );
    project::write(&stage.join("README.md"), readme)?;
    fs::copy(program, stage.join(file())).context("cannot copy the program")?;
    finish(project, &stage, folder)?;

    let stage = folder.join(NAME);
    fs::create_dir_all(&stage)?;
    project::copy_files(&project.path("tools/cli/npm"), &stage)?;
    project::write(&stage.join("package.json"), manifest(project)?.to_string())?;
    fs::copy(project.path("tools/cli/README.md"), stage.join("README.md"))?;
    finish(project, &stage, folder)
}

/// Returns the paths of the package that users install and of this platform's package.
pub(super) fn tarballs(folder: &Path) -> Result<[PathBuf; 2]> {
    let names = [NAME.to_owned(), Platform::here()?.package()];
    Ok(names.map(|name| folder.join(format!("{name}-{VERSION}.tgz"))))
}

fn finish(project: &Project, stage: &Path, folder: &Path) -> Result<()> {
    for licence in ["LICENSE", "THIRD-PARTY-LICENSES"] {
        fs::copy(project.path("tools/cli").join(licence), stage.join(licence))?;
    }
    node::pack(stage, folder)?;
    Ok(())
}

/// Returns the manifest of the package that users install, with the packages of all platforms.
fn manifest(project: &Project) -> Result<Value> {
    let text = project::read(&project.path("tools/cli/npm/package.json"))?;
    let mut manifest: Map<String, Value> =
        serde_json::from_str(&text).context("`tools/cli/npm/package.json`")?;
    let platforms = PLATFORMS
        .iter()
        .map(|platform| (platform.package(), json!(VERSION)));
    manifest.insert("version".to_owned(), json!(VERSION));
    manifest.insert(
        "optionalDependencies".to_owned(),
        Value::Object(platforms.collect()),
    );
    Ok(Value::Object(manifest))
}

impl Platform {
    /// Returns this machine's platform.
    fn here() -> Result<&'static Self> {
        let (os, cpu) = (node_os(), node_cpu());
        let libc = if cfg!(target_env = "musl") {
            "musl"
        } else {
            "glibc"
        };
        let mut platforms = PLATFORMS.iter();
        platforms
            .find(|platform| {
                (platform.os, platform.cpu) == (os, cpu)
                    && platform.libc.is_none_or(|name| name == libc)
            })
            .with_context(|| format!("the command has no package for {os} on {cpu}"))
    }

    fn package(&self) -> String {
        let Self { os, cpu, .. } = self;
        let musl = if self.libc == Some("musl") {
            "-musl"
        } else {
            ""
        };
        format!("{NAME}-{os}-{cpu}{musl}")
    }

    fn manifest(&self) -> Value {
        let mut manifest = json!({
            "name": self.package(),
            "version": VERSION,
            "description": format!("The program of {NAME} for {} on {}", self.os, self.cpu),
            "license": "Apache-2.0",
            "type": "commonjs",
            "repository": { "type": "git", "url": "git+https://github.com/smithy-waiters/smithy-waiters.git", "directory": "tools/cli" },
            "os": [self.os],
            "cpu": [self.cpu],
            "files": [file()],
            "preferUnplugged": true,
        });
        if let (Some(libc), Some(manifest)) = (self.libc, manifest.as_object_mut()) {
            manifest.insert("libc".to_owned(), json!([libc]));
        }
        manifest
    }
}

fn file() -> String {
    format!("smithy-waiters{EXE_SUFFIX}")
}

fn node_os() -> &'static str {
    match OS {
        "macos" => "darwin",
        "windows" => "win32",
        os => os,
    }
}

fn node_cpu() -> &'static str {
    match ARCH {
        "aarch64" => "arm64",
        "x86_64" => "x64",
        cpu => cpu,
    }
}
