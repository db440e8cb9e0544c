//! `#[derive(Response)]` of the crate [`smithy-waiters`](https://docs.rs/smithy-waiters). Enable its feature `derive`
//! instead of depending on this crate.

mod attributes;
mod case;
mod enumeration;
mod field;
mod implementation;
mod structure;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, Error, Result, parse_macro_input};

use attributes::Container;

/// Implements `Response` for a custom type, so that waiters can read the members of a struct, the value of an enum and
/// the active member of a union.
///
/// Nothing is converted: a path reads only the fields that it refers to, in place. The type of every field must
/// implement `Response`. Rust's numbers, strings, options, collections and `SystemTime` implement it, as does
/// `serde_json::Value`.
///
/// | Type | Value for paths |
/// |---|---|
/// | a struct with named fields | an object; a field that is `None` is not set |
/// | a struct with one unnamed field | the value of that field |
/// | an enum without values | a string |
/// | an enum whose variants hold one value | a union: an object with one member, the active variant |
///
/// # Attributes
///
/// Names are the same as in serde: the derive reads `#[serde(rename_all)]`, `rename`, `skip`, `skip_serializing` and
/// `skip_serializing_if`, and `untagged` on a variant. Attributes of serde that change the serialized form, such as
/// `flatten`, `with` and `tag`, are compile-time errors. For types without serde, and for names that differ from the
/// model's, use these attributes:
///
/// | On | Attribute | Effect |
/// |---|---|---|
/// | a type | `#[waiter(rename_all = "PascalCase")]` | sets the case of all fields or variants: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE` |
/// | a type | `#[waiter(crate = path)]` | sets the path of the crate `smithy_waiters`, if it is renamed |
/// | a field, a variant | `#[waiter(rename = "…")]` | sets the member's name or the enum's value in the model |
/// | a field | `#[waiter(skip)]` | hides the field from paths; its type need not implement `Response` |
/// | a field | `#[waiter(blob)]` | converts bytes to a base64 string |
/// | a field | `#[waiter(with = path)]` | converts the field with a function that takes a reference and returns a `View`, or a value that converts to one: a `bool`, an `f64`, a `&str` or a `String` |
/// | a variant | `#[waiter(transparent)]` | uses the value of the variant, for example the unknown value of an enum |
///
/// # Example: names, unions and types outside of the standard library
///
/// ```
/// use std::time::SystemTime;
/// use smithy_waiters::Response;
///
/// #[derive(Response)]
/// #[waiter(rename_all = "PascalCase")]
/// struct Certificate {
///     domain_name: String,
///     #[waiter(rename = "ARN")]
///     arn: Option<String>,
///     status: Status,
///     validation: Validation,
///     not_after: SystemTime,
///     #[waiter(blob)]
///     fingerprint: [u8; 3],
///     #[waiter(with = minutes)]
///     renewal: std::time::Duration,
///     #[waiter(skip)]
///     request: std::thread::ThreadId,
/// }
///
/// #[derive(Response)]
/// #[waiter(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum Status {
///     PendingValidation,
///     Issued,
///     #[waiter(transparent)]
///     Unknown(String),
/// }
///
/// #[derive(Response)]
/// enum Validation {
///     Dns(Vec<String>),
///     Email(String),
/// }
///
/// fn minutes(duration: &std::time::Duration) -> f64 {
///     duration.as_secs_f64() / 60.0
/// }
///
/// let certificate = Certificate {
///     domain_name: "example.com".into(),
///     arn: None,
///     status: Status::PendingValidation,
///     validation: Validation::Dns(vec!["a".into(), "b".into()]),
///     not_after: SystemTime::UNIX_EPOCH,
///     fingerprint: *b"abc",
///     renewal: std::time::Duration::from_secs(90),
///     request: std::thread::current().id(),
/// };
/// assert_eq!(
///     format!("{:?}", certificate.view()),
///     r#"{"DomainName":"example.com","Fingerprint":"YWJj","NotAfter":0,"Renewal":1.5,"Status":"PENDING_VALIDATION","Validation":{"Dns":["a","b"]}}"#,
/// );
/// assert_eq!(format!("{:?}", Status::Unknown("NEW".into()).view()), r#""NEW""#);
/// # assert_eq!(format!("{:?}", [Status::Issued].view()), r#"["ISSUED"]"#);
/// # assert_eq!(format!("{:?}", Validation::Email("a".into()).view()), r#"{"Email":"a"}"#);
/// ```
#[proc_macro_derive(Response, attributes(serde, waiter))]
pub fn derive_response(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    response(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn response(input: &DeriveInput) -> Result<TokenStream> {
    let container = Container::read(&input.attrs)?;
    let implementation = match &input.data {
        Data::Struct(data) => structure::implementation(&input.ident, data, &container)?,
        Data::Enum(data) => enumeration::implementation(data, &container)?,
        Data::Union(_) => {
            let message = "the derive does not support Rust unions: use an enum";
            return Err(Error::new_spanned(&input.ident, message));
        }
    };
    Ok(implementation.tokens(input, &container.crate_path))
}

#[cfg(test)]
mod tests {
    use syn::{DeriveInput, parse_quote};

    use super::response;

    fn error_of(input: &DeriveInput) -> String {
        response(input).unwrap_err().to_string()
    }

    #[test]
    fn unsupported_types_are_rejected_with_a_fix() {
        let cases: [(DeriveInput, &str); 15] = [
            (
                parse_quote!(union Both { a: u8, b: u8 }),
                "the derive does not support Rust unions: use an enum",
            ),
            (
                parse_quote!(
                    struct Pair(u8, u8);
                ),
                "a tuple struct must have exactly one field: paths refer to fields by name",
            ),
            (
                parse_quote!(
                    enum E {
                        A { b: u8 },
                    }
                ),
                "a variant must have at most one field, without a name: move the fields to a separate struct",
            ),
            (
                parse_quote!(
                    enum E {
                        A(u8, u8),
                    }
                ),
                "a variant must have at most one field, without a name: move the fields to a separate struct",
            ),
            (
                parse_quote!(
                    enum E {
                        #[waiter(transparent)]
                        A,
                    }
                ),
                "`transparent` requires a variant with a value",
            ),
            (
                parse_quote!(
                    struct S {
                        #[waiter(rename = "b")]
                        a: u8,
                        b: u8,
                    }
                ),
                "duplicate member `b`",
            ),
            (
                parse_quote!(
                    enum E {
                        A(u8),
                        #[waiter(rename = "A")]
                        B(u8),
                    }
                ),
                "duplicate member `A`",
            ),
            (
                parse_quote!(
                    struct S {
                        #[waiter(blob, with = f)]
                        a: u8,
                    }
                ),
                "`with` cannot be combined with `blob`",
            ),
            (
                parse_quote!(
                    struct S {
                        #[waiter(default)]
                        a: u8,
                    }
                ),
                "unknown attribute `default`: expected `rename = \"…\"`, `skip`, `blob` or `with = path`",
            ),
            (
                parse_quote!(
                    struct S(#[serde(skip)] String);
                ),
                "the only field cannot be skipped: skip the field that holds this type, or implement `Response` by hand",
            ),
            (
                parse_quote!(
                    enum E {
                        A(#[waiter(skip)] String),
                    }
                ),
                "the value of a variant cannot be skipped: skip the field that holds the enum, or implement `Response` by hand",
            ),
            (
                parse_quote!(
                    enum E {
                        #[serde(skip)]
                        A(String),
                    }
                ),
                "serde cannot serialize a skipped variant: remove `skip`, or implement `Response` by hand",
            ),
            (
                parse_quote!(
                    struct S {
                        #[serde(flatten)]
                        a: u8,
                    }
                ),
                "serde's `flatten` changes the serialized form, which the derive does not support: convert the field with \
                 `#[waiter(with = path)]`, or pass a `Serialized`",
            ),
            (
                parse_quote!(
                    #[serde(tag = "type")]
                    enum E {
                        A(u8),
                    }
                ),
                "serde's `tag` changes the serialized form, which the derive does not support: implement `Response` by \
                 hand, or pass a `Serialized`",
            ),
            (
                parse_quote!(
                    #[waiter(rename_all = "Pascal")]
                    struct S {
                        a: u8,
                    }
                ),
                "`Pascal` is not a case: expected one of `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, \
                 `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE`",
            ),
        ];
        for (input, message) in cases {
            assert_eq!(error_of(&input), message);
        }
    }

    #[test]
    fn the_crate_path_can_be_changed() {
        let input = parse_quote!(
            #[waiter(crate = my::waiters)]
            struct S {
                a: u8,
            }
        );
        let code = response(&input).unwrap().to_string();
        assert!(code.contains("my :: waiters :: Response for S"), "{code}");
        assert!(!code.contains("smithy_waiters"), "{code}");
    }
}
