//! The Pythons that are installed here.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use duct::{Expression, cmd};

/// The command that starts Python here.
pub(super) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Says which Python this is, when it can make environments: `3.13 /usr/bin/python3.13`, without the global lock `3.13t …`.
const WHO: &str = "import ensurepip, sys, sysconfig, venv; \
    print('%d.%d' % sys.version_info[:2] + 't' * bool(sysconfig.get_config_var('Py_GIL_DISABLED')), sys.executable)";

/// A Python of just this version that can make environments: in the search path, or of pyenv, or of Windows' launcher.
pub(crate) fn interpreter(version: &str) -> Option<OsString> {
    let launched = cmd!("py", format!("-{version}"), "-c", WHO);
    // Names, not paths: those are looked for in the search path.
    let names = [format!("python{version}"), PYTHON.to_owned()];
    let mut candidates = names
        .map(OsString::from)
        .into_iter()
        .chain(of_pyenv())
        .map(|python| cmd!(python, "-c", WHO))
        .chain([launched]);
    candidates.find_map(|candidate| answer(&candidate, version))
}

fn answer(candidate: &Expression, version: &str) -> Option<OsString> {
    let text = candidate.stderr_null().read().ok()?;
    let (found, path) = text.trim().split_once(' ')?;
    (found == version).then(|| path.into())
}

/// Pyenv's Pythons, also those that it does not lend to this folder.
fn of_pyenv() -> Vec<OsString> {
    let set = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = set.or_else(|| Some(env::home_dir()?.join(".pyenv")));
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
    fn a_python_that_nobody_has_is_not_found() {
        assert_eq!(interpreter("2.99"), None);
    }
}
