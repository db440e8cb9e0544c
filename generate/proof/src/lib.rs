//! What is generated for Rust, compiled over published SDK crates.
//!
//! Without the models in `../shared/data` there is only [`plain`], of the model of this crate.

#[expect(clippy::panic, missing_docs, reason = "for tests only")]
pub mod plain;

/// Of a hand-written definition, without a model.
#[expect(
    clippy::expect_used,
    reason = "definitions are checked when they are generated"
)]
pub mod untyped {
    include!(concat!(env!("OUT_DIR"), "/waiters.rs"));
}

#[cfg(models)]
macro_rules! generated {
    ($($(#[$doc:meta])* $service:ident)+) => {$(
        $(#[$doc])*
        #[expect(clippy::expect_used, reason = "definitions are checked when they are generated")]
        pub mod $service {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($service), ".rs"));
        }
    )+};
}

#[cfg(models)]
generated! {
    /// DynamoDB.
    dynamodb
    /// ECS.
    ecs
    /// S3.
    s3
}
