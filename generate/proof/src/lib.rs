//! What is generated for Rust, compiled.
