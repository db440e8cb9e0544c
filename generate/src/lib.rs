//! Code for generated clients, from Smithy models: waiters, paginators, retry facts.
//!
//! ```text
//! model ── lint ── services ──► Service ── Backend ──► File ── Folder ──► written, or compared
//!                  (ir)         typed tree  (rust, …)   text    (folder)
//! ```
//!
//! [`ir`] is the model with nothing left to decide: every path is a tree of which every node knows its type. A [`Backend`]
//! makes text of it, for one language. [`folder`] writes files without touching what is not its own.
//!
//! It decides nothing about waiters: what it writes calls the engine for delays, deadlines and failures.

mod backend;
mod build;
mod context;
pub mod docs;
mod error;
mod escape;
mod facts;
pub mod folder;
pub mod ir;
pub mod names;
pub mod python;
pub mod rust;
mod tree;
pub mod typescript;

pub use backend::{Backend, File, files};
pub use build::Build;
pub use error::{GenerateError, UnsupportedPath};
