//! Retries of requests: strategies, quotas and classification.

pub(crate) mod classify;
pub(crate) mod info;
pub(crate) mod quota;
pub(crate) mod request;
pub(crate) mod strategy;
