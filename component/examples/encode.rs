//! Wraps a module in a component, as `wasm-tools component new` does: `encode MODULE COMPONENT`.

use std::env;
use std::error::Error;
use std::fs;

use wit_component::ComponentEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = env::args_os().skip(1);
    let mut path = || paths.next().ok_or("expected two paths");
    let (module, component) = (path()?, path()?);
    let bytes = ComponentEncoder::default()
        .validate(true)
        .module(&fs::read(module)?)?
        .encode()?;
    Ok(fs::write(component, bytes)?)
}
