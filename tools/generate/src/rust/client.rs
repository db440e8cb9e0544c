//! The path of the client's crate or module.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{Ident, Path};

use super::{access, module};
use crate::backend::File;
use crate::error::GenerateError;
use crate::ir::Service;

/// Returns the path of the client. It refers to a crate unless it begins with `crate`, `self` or `super`.
pub(super) fn path(
    client: Option<&str>,
    service: &Service<'_>,
) -> Result<TokenStream, GenerateError> {
    let Some(client) = client else {
        let default = access::ident(&default_client(service));
        return Ok(quote!(::#default));
    };
    let path = Path::parse_mod_style.parse_str(&client.replace('-', "_"));
    let path = path.ok().filter(is_named);
    let path = path.ok_or_else(|| GenerateError::Client {
        name: client.to_owned(),
        what: "a crate or a module, such as `aws_sdk_dynamodb` or `crate::sdk`",
    })?;
    let is_absolute = path.leading_colon.is_some();
    let begins_here = path
        .segments
        .first()
        .is_some_and(|first| is_here(&first.ident));
    Ok(if is_absolute || begins_here {
        quote!(#path)
    } else {
        quote!(::#path)
    })
}

/// Returns the lines that generated files need in the section `dependencies` of `Cargo.toml`, except for a client of
/// your own.
#[must_use]
pub fn dependencies(files: &[File]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let version = env!("CARGO_PKG_VERSION");
    let contains = |text: &str| files.iter().any(|file| file.text.contains(text));
    for file in files {
        let client = file.text.split_once("use ::aws_sdk_");
        if let Some((name, _)) = client.and_then(|(_, rest)| rest.split_once(" as sdk;")) {
            lines.insert(format!("aws-sdk-{name} = \"1\""));
        }
    }
    if contains("serde::Deserialize") {
        lines.insert("serde = { version = \"1\", features = [\"derive\"] }".to_owned());
    }
    if contains("use ::smithy_waiters as engine;") {
        let features = if contains(" as sdk;") {
            ", features = [\"aws-sdk\", \"stream\", \"tokio\"]"
        } else if contains("engine::Waiter") {
            ", features = [\"tokio\"]"
        } else {
            ""
        };
        lines.insert(format!(
            "smithy-waiters = {{ version = \"{version}\"{features} }}"
        ));
    }
    lines
}

/// Returns the name of AWS's crate for a service.
pub(super) fn default_client(service: &Service<'_>) -> String {
    format!("aws_sdk_{}", module(service))
}

/// Returns `true` if the path ends with a name other than `self` and `super`.
fn is_named(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| !is_here(&last.ident))
}

fn is_here(name: &Ident) -> bool {
    ["crate", "self", "super", "Self"]
        .iter()
        .any(|here| name == here)
}
