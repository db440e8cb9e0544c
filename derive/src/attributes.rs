//! What `#[waiter(…)]` says.

use heck::{
    ToKebabCase, ToLowerCamelCase, ToPascalCase, ToShoutyKebabCase, ToShoutySnakeCase, ToSnakeCase,
};
use quote::quote;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Ident, LitStr, Path, Result, parse_quote};

/// The attributes of a type.
pub(crate) struct Container {
    pub(crate) crate_path: Path,
    case: Option<Case>,
}

/// The attributes of a field or a variant.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) rename: Option<String>,
    pub(crate) skip: bool,
    pub(crate) blob: bool,
    pub(crate) with: Option<Path>,
    pub(crate) transparent: bool,
}

/// How words become a name.
type Case = fn(&str) -> String;

static CASES: &[(&str, Case)] = &[
    ("lowercase", |name| name.to_lowercase()),
    ("UPPERCASE", |name| name.to_uppercase()),
    ("PascalCase", |name| name.to_pascal_case()),
    ("camelCase", |name| name.to_lower_camel_case()),
    ("snake_case", |name| name.to_snake_case()),
    ("SCREAMING_SNAKE_CASE", |name| name.to_shouty_snake_case()),
    ("kebab-case", |name| name.to_kebab_case()),
    ("SCREAMING-KEBAB-CASE", |name| name.to_shouty_kebab_case()),
];

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut container = Self {
            crate_path: parse_quote!(::smithy_waiters),
            case: None,
        };
        each(attributes, |meta| {
            if meta.path.is_ident("rename_all") {
                container.case = Some(case(&meta.value()?.parse()?)?);
            } else if meta.path.is_ident("crate") {
                container.crate_path = meta.value()?.call(Path::parse_mod_style)?;
            } else {
                return Err(unknown(&meta, "`rename_all = \"…\"` or `crate = path`"));
            }
            Ok(())
        })?;
        Ok(container)
    }

    /// What a field or a variant is called.
    pub(crate) fn name(&self, ident: &Ident, part: &Part) -> String {
        let own = || ident.unraw().to_string();
        let given = part.rename.clone();
        given.unwrap_or_else(|| self.case.map_or_else(own, |case| case(&own())))
    }
}

impl Part {
    pub(crate) fn of_field(attributes: &[Attribute]) -> Result<Self> {
        let mut part = Self::default();
        each(attributes, |meta| {
            if meta.path.is_ident("rename") {
                part.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("skip") {
                part.skip = true;
            } else if meta.path.is_ident("blob") {
                part.blob = true;
            } else if meta.path.is_ident("with") {
                part.with = Some(meta.value()?.parse()?);
            } else {
                let known = "`rename = \"…\"`, `skip`, `blob` or `with = path`";
                return Err(unknown(&meta, known));
            }
            Ok(())
        })?;
        Ok(part)
    }

    pub(crate) fn of_variant(attributes: &[Attribute]) -> Result<Self> {
        let mut part = Self::default();
        each(attributes, |meta| {
            if meta.path.is_ident("rename") {
                part.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("transparent") {
                part.transparent = true;
            } else {
                return Err(unknown(&meta, "`rename = \"…\"` or `transparent`"));
            }
            Ok(())
        })?;
        Ok(part)
    }
}

fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let ours = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("waiter"));
    for attribute in ours {
        attribute.parse_nested_meta(&mut read)?;
    }
    Ok(())
}

fn case(name: &LitStr) -> Result<Case> {
    let wanted = name.value();
    let found = CASES.iter().find(|(known, _)| *known == wanted);
    found.map(|(_, case)| *case).ok_or_else(|| {
        let known: Vec<_> = CASES.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("`{wanted}` is no case: it is one of {}", known.join(", "));
        Error::new(name.span(), message)
    })
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &str) -> Error {
    let path = &meta.path;
    let path = quote!(#path);
    meta.error(format!("unknown attribute `{path}`: it is {known}"))
}
