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
mod owned;
#[cfg(feature = "driver")]
mod plain;
mod scalars;
mod serialized;
mod value;
mod view;
mod viewed;

#[cfg(feature = "driver")]
pub(crate) use either::Either;
pub(crate) use owned::owned;
#[cfg(feature = "driver")]
pub(crate) use plain::plain;
pub use scalars::Blob;
pub use serialized::Serialized;
pub use view::{Items, Members, Response, View, Visitor};
pub use viewed::Viewed;
