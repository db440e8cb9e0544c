//! Converts botocore's service descriptions to Smithy models in JSON AST, one file per service, named by its
//! `serviceId`.
//!
//! `cargo run -p smithy-waiters-model --example botocore -- botocore/data models dynamodb/2012-08-10 s3/2006-03-01`

use std::error::Error;
use std::io::{Write as _, stderr};
use std::path::Path;
use std::{env, fs};

use smithy_waiters_model::{Kind, Severity, Sources, read};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [data, out, services @ ..] = arguments.as_slice() else {
        return Err("usage: botocore DATA_FOLDER MODEL_FOLDER SERVICE...".into());
    };
    fs::create_dir_all(out)?;
    for service in services {
        let mut sources = Sources::default();
        for name in ["service-2.json", "waiters-2.json", "paginators-1.json"] {
            let path = Path::new(data).join(service).join(name);
            if path.exists() {
                sources.add(path.display().to_string(), fs::read_to_string(path)?);
            }
        }
        let model = read(&sources);
        for event in model.events() {
            if let (Severity::Error, Some(at)) = (event.severity, sources.position(event.at)) {
                let (file, line, column) = (at.file, at.line, at.column);
                writeln!(stderr(), "{file}:{line}:{column}: {}", event.message)?;
            }
        }
        let mut services = model.of_kind(Kind::Service);
        let service = services.next().ok_or("the model has no service")?;
        let sdk = service.find_trait("aws.api#service");
        let id = sdk.and_then(|sdk| sdk.value.member("sdkId")?.as_str());
        // AWS uses these names for its model files, and generated code for its modules.
        let name = id.unwrap_or_default().to_lowercase().replace(' ', "-");
        let path = Path::new(out).join(format!("{name}.json"));
        fs::write(path, model.to_ast())?;
    }
    Ok(())
}
