//! Generates waiters, paginators and request metadata for existing clients from Smithy models.
//!
//! ```text
//! model ── lint ── services ──► Service ── Backend ──► File ── folder ──► written or compared
//!                  (ir)         typed tree  (rust, …)   text
//! ```
//!
//! [`ir`] resolves the model: every path becomes a tree in which each node has a type. A [`Backend`] turns a service
//! into source text for one language. [`folder`] writes the files and never overwrites files that it did not generate.
//!
//! Generated code calls the engine for delays, deadlines and failures.

mod backend;
mod build;
pub mod docs;
mod document;
mod error;
mod escape;
pub mod folder;
pub mod ir;
pub mod names;
pub mod python;
mod request_model;
pub mod rust;
pub mod typescript;

pub use backend::{Backend, File, files};
pub use build::Build;
pub use error::{GenerateError, UnsupportedPath};
