//! The tests that take seconds, as one program: they are linked once.

#[path = "../found/mod.rs"]
mod found;

mod answers;
mod broken;
#[cfg(feature = "testing")]
mod cancel;
mod compliance;
#[cfg(feature = "gzip")]
mod compression;
mod definitions;
#[cfg(all(feature = "tokio", feature = "testing"))]
mod driver;
#[cfg(feature = "driver")]
mod errors;
mod excerpts;
#[cfg(feature = "testing")]
mod executors;
mod expressions;
mod fleet;
mod functions;
mod hints;
#[cfg(feature = "testing")]
mod json;
mod limits;
#[cfg(feature = "testing")]
mod matched;
mod options;
#[cfg(feature = "response")]
mod pages;
#[cfg(feature = "response")]
mod paginator;
mod reasons;
mod reports;
mod requests;
#[cfg(feature = "derive")]
mod responses;
mod retry;
#[cfg(feature = "tokio")]
mod retry_driver;
#[cfg(feature = "testing")]
mod several;
mod snapshot;
mod stored_fleet;
#[cfg(all(feature = "tracing", feature = "testing"))]
mod tracing;
#[cfg(feature = "testing")]
mod until;
#[cfg(feature = "testing")]
mod waits;
#[cfg(feature = "response")]
mod walks;
