//! The responses of an operation, as waiters can look at them: parsed JSON, types of one's own, anything that serde
//! serialises.
//!
//! | the response is | show it by | what a poll costs |
//! |---|---|---|
//! | [`serde_json::Value`] | itself | what the paths touch |
//! | a type of one's own | `#[derive(Response)]` (feature `derive`), or [`Response`] and [`Members`] by hand | what the paths touch |
//! | any `T: serde::Serialize` | [`Serialized::new`] | the conversion of the whole response, once |
//! | of somebody else, an SDK's output | [`Viewed::new`] | the conversion of what is shown |
//!
//! What the values mean is the specification's [JMESPath data model]: timestamps are epoch seconds, blobs base64
//! strings, enums their values, sets arrays; a member that is `None` is not set.
//!
//! [JMESPath data model]: https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model

mod collections;
#[cfg(feature = "driver")]
mod either;
mod members;
mod owned;
#[cfg(feature = "driver")]
mod plain;
mod scalars;
mod serialized;
mod view;
mod viewed;

#[cfg(feature = "driver")]
pub(crate) use either::Either;
pub use members::{Items, Members, Visitor};
pub(crate) use owned::owned;
#[cfg(feature = "driver")]
pub(crate) use plain::plain;
pub use scalars::Blob;
pub use serialized::Serialized;
pub use view::View;
pub use viewed::Viewed;

/// What a waiter can look at: a response, or a value inside of one.
///
/// `#[derive(Response)]` writes it (feature `derive`); by hand it takes a line, and [`Members`] for a structure.
///
/// # Example: derived
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use serde_json::Value;
/// use smithy_waiters::{Response, Seen, State, View, Waiter};
///
/// #[derive(Response)]
/// #[waiter(rename_all = "PascalCase")]
/// struct DescribeTableOutput {
///     table: Option<Table>,
/// }
///
/// #[derive(Response)]
/// struct Table {
///     #[waiter(rename = "TableStatus")]
///     status: Status,
/// }
///
/// #[derive(Response)]
/// #[waiter(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum Status {
///     Active,
///     Creating,
/// }
///
/// let table_exists = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}}]}"#)?;
/// let state = |status| {
///     let output = DescribeTableOutput { table: Some(Table { status }) };
///     table_exists.evaluate(View::Null, Seen::Response(output.view())).state()
/// };
/// assert_eq!(state(Status::Creating), State::Retry);
/// assert_eq!(state(Status::Active), State::Success);
/// # }
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
///
/// # Example: by hand
///
/// ```
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// struct Bucket {
///     name: String,
///     size: Option<u64>,
/// }
///
/// impl Response for Bucket {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Bucket {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         to.member("Name", &self.name)?;
///         to.member("Size", &self.size)
///     }
/// }
///
/// let bucket = Bucket { name: "logs".into(), size: None };
/// assert_eq!(format!("{:?}", bucket.view()), r#"{"Name":"logs"}"#);
/// ```
#[diagnostic::on_unimplemented(
    message = "a waiter cannot look at `{Self}`",
    label = "not a response that a waiter's paths can look at",
    note = "a type of your own: add `#[derive(smithy_waiters::Response)]` (feature `derive`), or implement `Response` by hand",
    note = "a type that implements `serde::Serialize`: give `Ok(Serialized::new(response))`",
    note = "any other: show what the waiter's paths look at, `Ok(Viewed::new(response, |response| json!({{…}})))`"
)]
pub trait Response {
    /// A handle to the value; nothing is converted.
    fn view(&self) -> View<'_>;
}
