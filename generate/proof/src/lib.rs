//! What is generated for Rust, compiled over published SDK crates.
//!
//! Without AWS's models, which `cargo xtask data` fetches, there is only [`plain`], of the model of this crate.

#[expect(clippy::panic, missing_docs, reason = "for tests only")]
pub mod plain;

#[expect(deprecated, missing_docs, reason = "as smithy-rs writes them")]
pub mod sdk;

/// Over a client of odd names.
#[expect(
    clippy::allow_attributes,
    clippy::expect_used,
    reason = "as of the others"
)]
pub mod names {
    include!(concat!(env!("OUT_DIR"), "/n2names.rs"));
}

/// Of hand-written definitions, without a model.
#[expect(
    clippy::expect_used,
    reason = "definitions are checked when they are generated"
)]
pub mod untyped {
    /// That a job is done.
    pub mod job_done {
        include!(concat!(env!("OUT_DIR"), "/job_done.rs"));
    }

    /// That a job is the one that was asked for.
    pub mod job_is_ours {
        include!(concat!(env!("OUT_DIR"), "/job_is_ours.rs"));
    }
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
    #[expect(
        clippy::allow_attributes,
        reason = "generated code does not know whether an SDK marks what the model does"
    )]
    s3
}
