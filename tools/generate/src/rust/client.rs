//! The path of the client's crate or module.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{Ident, Path};

use super::{access, module};
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

/// Returns the name of AWS's crate for a service.
#[must_use]
pub fn default_client(service: &Service<'_>) -> String {
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
