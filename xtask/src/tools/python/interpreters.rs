//! Finds the installed Pythons.

use fs_err as fs;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use duct::{Expression, cmd};

/// The name of the program that starts Python on this system.
pub(super) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// A program that prints the version and path of a Python that can create environments: `3.13 /usr/bin/python3.13`.
/// Without the global lock, the version is `3.13t`.
const IDENTIFY: &str = "import ensurepip, sys, sysconfig, venv; \
    print('%d.%d' % sys.version_info[:2] + 't' * bool(sysconfig.get_config_var('Py_GIL_DISABLED')), sys.executable)";

/// Returns a Python with a version that can create environments, from the search path, pyenv or the launcher on
/// Windows.
pub(crate) fn interpreter(version: &str) -> Option<OsString> {
    let launched = cmd!("py", format!("-{version}"), "-c", IDENTIFY);
    // Names without a path are looked up in the search path.
    let names = [format!("python{version}"), PYTHON.to_owned()];
    let mut candidates = names
        .map(OsString::from)
        .into_iter()
        .chain(pyenv_pythons())
        .map(|python| cmd!(python, "-c", IDENTIFY))
        .chain([launched]);
    candidates.find_map(|candidate| executable(&candidate, version))
}

fn executable(candidate: &Expression, version: &str) -> Option<OsString> {
    let text = candidate.stderr_null().read().ok()?;
    let (actual, path) = text.trim().split_once(' ')?;
    (actual == version).then(|| path.into())
}

/// Returns all of pyenv's Pythons, including those that are not enabled in this folder.
fn pyenv_pythons() -> Vec<OsString> {
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| Some(env::home_dir()?.join(".pyenv")));
    let folders = root.and_then(|root| fs::read_dir(root.join("versions")).ok());
    let mut pythons: Vec<OsString> = folders
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin/python").into()))
        .collect();
    pythons.sort();
    pythons
}

#[cfg(test)]
mod tests {
    use super::interpreter;

    #[test]
    fn an_unknown_version_is_not_found() {
        assert_eq!(interpreter("2.99"), None);
    }
}
