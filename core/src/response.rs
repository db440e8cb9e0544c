//! Types of responses: parsed JSON, custom types, and types that implement `serde::Serialize`.
//!
//! | response | implementation | cost of a poll |
//! |---|---|---|
//! | [`serde_json::Value`] | built in | the members on the paths |
//! | a custom type | `#[derive(Response)]` (feature `derive`), or [`Response`] and [`Members`] | the members on the paths |
//! | `T: serde::Serialize` | [`Serialized::new`](crate::Serialized::new) | one conversion of the whole response |
//! | a third-party type, such as an SDK's output | [`Viewed::new`](crate::Viewed::new) | the conversion of the selected members |
//!
//! Values follow the specification's [JMESPath data model]. Timestamps are epoch seconds, blobs are base64 strings,
//! enums are their values, and sets are arrays. A member that is `None` is not set.
//!
//! [JMESPath data model]: https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model

mod collections;
#[cfg(feature = "driver")]
mod either;
mod owned;
#[cfg(feature = "driver")]
mod plain;
mod scalars;
pub(crate) mod serialized;
mod value;
pub(crate) mod view;
pub(crate) mod viewed;

#[cfg(feature = "driver")]
pub(crate) use either::Either;
pub(crate) use owned::owned;
#[cfg(feature = "driver")]
pub(crate) use plain::plain;
pub use scalars::Blob;
pub(crate) use view::Response;
#[cfg(feature = "driver")]
pub(crate) use view::View;
pub use view::{Items, Members, Visitor};
