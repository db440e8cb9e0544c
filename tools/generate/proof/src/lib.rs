//! Generated Rust code, compiled against published SDK crates.
//!
//! Without the AWS models, which `cargo xtask data` downloads, only [`plain`] with this crate's model is available.

#[expect(clippy::panic, missing_docs, reason = "for tests only")]
pub mod plain;

#[expect(
    clippy::missing_errors_doc,
    deprecated,
    missing_docs,
    reason = "smithy-rs generates such code"
)]
pub mod sdk;

/// Code for a client with unusual names.
#[expect(
    clippy::allow_attributes,
    clippy::expect_used,
    reason = "smithy-rs generates such code"
)]
pub mod names {
    include!(concat!(env!("OUT_DIR"), "/n2names.rs"));
}

/// Code for hand-written definitions without a model.
#[expect(clippy::expect_used, reason = "the generator validates definitions")]
pub mod untyped {
    /// A waiter for completed jobs.
    pub mod job_done {
        include!(concat!(env!("OUT_DIR"), "/job_done.rs"));
    }

    /// A waiter that reads the input.
    pub mod job_is_ours {
        include!(concat!(env!("OUT_DIR"), "/job_is_ours.rs"));
    }
}

#[cfg(models)]
macro_rules! generated {
    ($($(#[$doc:meta])* $service:ident)+) => {$(
        $(#[$doc])*
        #[expect(clippy::expect_used, reason = "the generator validates definitions")]
        pub mod $service {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($service), ".rs"));
        }
    )+};
}

/// Code for a single waiter of DynamoDB.
#[cfg(models)]
#[expect(clippy::expect_used, reason = "the generator validates definitions")]
pub mod only {
    include!(concat!(env!("OUT_DIR"), "/only/dynamodb.rs"));
}

#[cfg(models)]
generated! {
    /// Code for DynamoDB.
    dynamodb
    /// Code for ECS.
    ecs
    /// Code for S3.
    #[expect(
        clippy::allow_attributes,
        reason = "an SDK may not mark all deprecated items of its model"
    )]
    s3
}
