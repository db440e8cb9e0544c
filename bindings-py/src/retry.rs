//! Retries of one request: the engine's strategy, and what a failure means to it.

pub(crate) mod classify;
pub(crate) mod info;
pub(crate) mod quota;
pub(crate) mod request;
pub(crate) mod strategy;
