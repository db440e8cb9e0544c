//! What is generated for Rust, compiled over published SDK crates.
//!
//! Without the models in `../shared/data` there is nothing in it.

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
