//! Compares the events of the models of real services with those of Smithy's validator.

use crate::common::{fetched, json, name, recorded, say, sources};
use crate::events::{Places, lacking, ours, smithys};

/// The services for which Smithy reports only ids that differ in case, because it stops at this error.
const STOPPED: [&str; 2] = ["cloudformation", "ssm"];

#[test]
fn events_are_smithys() {
    let recorded = json(&recorded("services.json"));
    let models = fetched("aws-models");
    if models.is_empty() {
        return;
    }
    let mut count = 0;
    for model in &models {
        let name = name(model);
        let events = recorded.get(&name).unwrap();
        let is_stopped = events.to_string().contains("\"ShapeIdConflict\"");
        assert_eq!(is_stopped, STOPPED.contains(&&*name), "{name}");
        if is_stopped {
            continue;
        }
        let ours = ours(&sources(model), Places::None);
        let smithys = smithys(events, Places::None);
        let differing = (lacking(&ours, &smithys), lacking(&smithys, &ours));
        assert_eq!(
            differing,
            (Vec::new(), Vec::new()),
            "{name}, only ours and only Smithy's"
        );
        count += ours.len();
    }
    assert_eq!(models.len(), recorded.as_object().unwrap().len());
    say(&format!(
        "{count} events on {} real services are Smithy's",
        models.len() - STOPPED.len()
    ));
}
