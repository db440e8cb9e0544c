//! Writes the constants of `bindings-js` as a module of the npm package.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use crate::project;

/// The source file, relative to the root of the project.
pub(super) const SOURCE: &str = "bindings-js/src/constants.rs";

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:literal;)*) => {
        pub(super) const ALL: &[(&str, &str)] = &[$((stringify!($name), stringify!($value))),*];
    };
}

#[path = "../../../../bindings-js/src/constants.rs"]
mod source;

/// Writes `constants.{js,d.ts}`.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub(super) fn write(folder: &Path) -> Result<()> {
    let (mut values, mut types) = (String::new(), String::new());
    for (name, value) in source::ALL {
        writeln!(values, "export const {name} = {value};")?;
        writeln!(types, "export declare const {name}: {value};")?;
    }
    project::write(&folder.join("constants.js"), values)?;
    project::write(&folder.join("constants.d.ts"), types)
}
