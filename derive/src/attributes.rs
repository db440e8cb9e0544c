//! The attributes of serde and of `#[waiter(…)]`. A name of `#[waiter(…)]` overrides serde's.

use quote::quote;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::token::Paren;
use syn::{Attribute, Error, Expr, ExprPath, Ident, LitStr, Path, Result, Token, parse_quote};

use crate::case::Case;

/// The attributes of a type.
pub(crate) struct Container {
    pub(crate) crate_path: Path,
    case: Option<Case>,
}

/// The attributes of a field or a variant.
#[derive(Default)]
pub(crate) struct Part {
    rename: Option<String>,
    pub(crate) skip: bool,
    /// The condition of `skip_serializing_if`.
    pub(crate) skip_if: Option<ExprPath>,
    pub(crate) blob: bool,
    pub(crate) with: Option<Path>,
    pub(crate) transparent: bool,
    /// The error for an attribute of serde that changes the serialized value.
    foreign: Option<Error>,
}

/// The attributes of serde that change the serialized form of a type.
const TYPE_ATTRIBUTES: [&str; 6] = [
    "content",
    "into",
    "remote",
    "tag",
    "transparent",
    "untagged",
];
/// The attributes of serde that change the serialized form of a field.
const FIELD_ATTRIBUTES: [&str; 4] = ["flatten", "getter", "serialize_with", "with"];

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut container = Self {
            crate_path: parse_quote!(::smithy_waiters),
            case: None,
        };
        each(attributes, "serde", |meta| {
            if meta.path.is_ident("rename_all") {
                container.case = name(&meta)?.as_ref().map(Case::read).transpose()?;
            } else if let Some(name) = one_of(&meta, &TYPE_ATTRIBUTES) {
                return Err(foreign(&meta, name, "implement `Response` by hand"));
            } else {
                ignore(&meta)?;
            }
            Ok(())
        })?;
        each(attributes, "waiter", |meta| {
            if meta.path.is_ident("rename_all") {
                container.case = Some(Case::read(&meta.value()?.parse()?)?);
            } else if meta.path.is_ident("crate") {
                container.crate_path = meta.value()?.call(Path::parse_mod_style)?;
            } else {
                return Err(unknown(&meta, "`rename_all = \"…\"` or `crate = path`"));
            }
            Ok(())
        })?;
        Ok(container)
    }

    /// Returns the name of a field.
    pub(crate) fn name_of_field(&self, ident: &Ident, part: &Part) -> String {
        self.name(ident, part, Case::of_field)
    }

    /// Returns the name of a variant.
    pub(crate) fn name_of_variant(&self, ident: &Ident, part: &Part) -> String {
        self.name(ident, part, Case::of_variant)
    }

    fn name(&self, ident: &Ident, part: &Part, write: fn(Case, &str) -> String) -> String {
        let own = ident.unraw().to_string();
        let in_case = || {
            self.case
                .map_or_else(|| own.clone(), |case| write(case, &own))
        };
        part.rename.clone().unwrap_or_else(in_case)
    }
}

impl Part {
    pub(crate) fn from_field(attributes: &[Attribute]) -> Result<Self> {
        let mut part = Self::from_serde(attributes)?;
        each(attributes, "waiter", |meta| {
            if meta.path.is_ident("rename") {
                part.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("skip") {
                part.skip = true;
            } else if meta.path.is_ident("blob") {
                part.blob = true;
            } else if meta.path.is_ident("with") {
                part.with = Some(meta.value()?.parse()?);
            } else {
                let expected = "`rename = \"…\"`, `skip`, `blob` or `with = path`";
                return Err(unknown(&meta, expected));
            }
            Ok(())
        })?;
        match part.foreign.take() {
            Some(error) if !part.skip && !part.blob && part.with.is_none() => Err(error),
            _ => Ok(part),
        }
    }

    pub(crate) fn from_variant(attributes: &[Attribute]) -> Result<Self> {
        let mut part = Self::from_serde(attributes)?;
        each(attributes, "waiter", |meta| {
            if meta.path.is_ident("rename") {
                part.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("transparent") {
                part.transparent = true;
            } else {
                return Err(unknown(&meta, "`rename = \"…\"` or `transparent`"));
            }
            Ok(())
        })?;
        if let (true, Some(attribute)) = (part.skip, attributes.first()) {
            let message = "serde cannot serialize a skipped variant: remove `skip`, or implement `Response` by hand";
            return Err(Error::new_spanned(attribute, message));
        }
        part.foreign.take().map_or(Ok(part), Err)
    }

    fn from_serde(attributes: &[Attribute]) -> Result<Self> {
        let mut part = Self::default();
        each(attributes, "serde", |meta| {
            if meta.path.is_ident("rename") {
                part.rename = name(&meta)?.map(|name| name.value());
            } else if meta.path.is_ident("skip") || meta.path.is_ident("skip_serializing") {
                part.skip = true;
            } else if meta.path.is_ident("skip_serializing_if") {
                part.skip_if = Some(meta.value()?.parse::<LitStr>()?.parse()?);
            } else if meta.path.is_ident("untagged") {
                part.transparent = true;
            } else {
                if let Some(name) = one_of(&meta, &FIELD_ATTRIBUTES) {
                    let instead = "convert the field with `#[waiter(with = path)]`";
                    part.foreign = Some(foreign(&meta, name, instead));
                }
                ignore(&meta)?;
            }
            Ok(())
        })?;
        Ok(part)
    }
}

fn each(
    attributes: &[Attribute],
    of: &str,
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let ours = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(of));
    for attribute in ours {
        attribute.parse_nested_meta(&mut read)?;
    }
    Ok(())
}

/// Parses the name in serde's `rename = "…"` or `rename(serialize = "…")`.
fn name(meta: &ParseNestedMeta<'_>) -> Result<Option<LitStr>> {
    if !meta.input.peek(Paren) {
        return Ok(Some(meta.value()?.parse()?));
    }
    let mut name = None;
    meta.parse_nested_meta(|meta| {
        let value = meta.value()?.parse()?;
        if meta.path.is_ident("serialize") {
            name = Some(value);
        }
        Ok(())
    })?;
    Ok(name)
}

/// Skips an attribute that doesn't change the serialized value.
fn ignore(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(Paren) {
        meta.parse_nested_meta(|meta| ignore(&meta))?;
    }
    Ok(())
}

fn one_of<'n>(meta: &ParseNestedMeta<'_>, names: &[&'n str]) -> Option<&'n str> {
    names.iter().copied().find(|name| meta.path.is_ident(name))
}

fn foreign(meta: &ParseNestedMeta<'_>, name: &str, instead: &str) -> Error {
    meta.error(format!(
        "serde's `{name}` changes the serialized form, which the derive does not support: {instead}, or pass a `Serialized`"
    ))
}

fn unknown(meta: &ParseNestedMeta<'_>, expected: &str) -> Error {
    let path = &meta.path;
    let path = quote!(#path);
    meta.error(format!("unknown attribute `{path}`: expected {expected}"))
}
