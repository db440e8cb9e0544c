//! Generates the waiters of three services, as any user of the generator would.

use std::error::Error;
use std::path::Path;

use smithy_waiters_generate::Build;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rustc-check-cfg=cfg(models)");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/aws-models");
    println!("cargo:rerun-if-changed={}", models.display());
    if !models.is_dir() {
        println!(
            "cargo:warning=nothing is generated: there is no {}",
            models.display()
        );
        return Ok(());
    }
    println!("cargo:rustc-cfg=models");
    for service in ["dynamodb", "ecs", "s3"] {
        Build::new()
            .model(models.join(format!("{service}.json")))
            .run()?;
    }
    Ok(())
}
