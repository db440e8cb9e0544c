//! Converts all services with waiters in the newest botocore, which `cargo xtask data` unpacks.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::Path;

use serde_json::Value;
use smithy_waiters::Waiter;
use smithy_waiters_model::{Severity, Sources, read, validate};

/// The number of services in the release that `cargo xtask data` unpacks.
const SERVICES: usize = 80;
const WAITERS: usize = 410;

/// The number of acceptors with a status, which become names of errors in Smithy.
const BY_STATUS: usize = 37;

#[test]
fn every_waiter_of_every_service_translates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/botocore");
    let Ok(services) = fs::read_dir(&folder) else {
        // `println!` would be captured if the test passes.
        let skipped = "SKIPPED: all waiters of botocore; `cargo xtask data` fetches them";
        return writeln!(stderr(), "{skipped}").unwrap();
    };
    let mut found = Found::default();
    for service in services {
        found.add(&service.unwrap().path());
    }
    writeln!(stderr(), "{found:?}").unwrap();
    assert_eq!(
        (found.services, found.waiters, found.by_status),
        (SERVICES, WAITERS, BY_STATUS)
    );
}

#[derive(Debug, Default)]
struct Found {
    services: usize,
    waiters: usize,
    paginators: usize,
    by_status: usize,
    approximate_paginators: usize,
    lost_paginators: usize,
}

impl Found {
    fn add(&mut self, folder: &Path) {
        let mut sources = Sources::default();
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            assert!(sources.add(path.display().to_string(), text));
        }
        let model = read(&sources);
        for event in validate(&model) {
            let at = sources.position(event.at);
            assert!(event.severity < Severity::Danger, "{at:?}: {event:?}");
            let is_waiter = at.is_some_and(|at| at.file.ends_with("waiters-2.json"));
            match (event.id.as_str(), is_waiter) {
                ("SmithyWaiters.Botocore.Approximate", true) => self.by_status += 1,
                ("SmithyWaiters.Botocore.Approximate", false) => self.approximate_paginators += 1,
                ("SmithyWaiters.Botocore.NotExpressible", _) => {
                    assert!(!is_waiter, "{at:?}: {}", event.message);
                    self.lost_paginators += 1;
                }
                _ => {}
            }
        }
        self.services += 1;
        let ast: Value = serde_json::from_str(&model.to_ast()).unwrap();
        for shape in ast["shapes"].as_object().unwrap().values() {
            let traits = &shape["traits"];
            self.paginators += usize::from(!traits["smithy.api#paginated"].is_null());
            let waitable = traits["smithy.waiters#waitable"].as_object();
            for (name, definition) in waitable.into_iter().flatten() {
                Waiter::from_value(definition, Some(name)).unwrap();
                self.waiters += 1;
            }
        }
    }
}
