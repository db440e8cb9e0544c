//! Presets: ready definitions for public systems. They are data, in the folder `core/presets`.

use std::sync::Arc;

use crate::definition::member::{items, members_of, string, strings};
use crate::error::{DefinitionError, listed, nearest};
use crate::options::Defaults;
use crate::text::one_line;
use crate::waiter::{Extension, Until, Waiter};

macro_rules! presets {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../presets/", $name, ".json")))),*]
    };
}

/// The text of each preset, by name.
pub const PRESETS: [(&str, &str); 12] = presets![
    "azure/resource"
    "cloudformation/stack"
    "ecs/deployment"
    "github/run"
    "google/compute-operation"
    "google/operation"
    "kubernetes/daemonset"
    "kubernetes/deployment"
    "kubernetes/job"
    "kubernetes/ready"
    "kubernetes/statefulset"
    "stepfunctions/execution"
];

/// The members of a preset. `call`, `notes` and `sources` are for people.
const MEMBERS: [&str; 8] = [
    "call",
    "documentation",
    "first",
    "notes",
    "same",
    "show",
    "sources",
    "until",
];

impl Waiter {
    /// Returns a ready waiter for a public system, such as `kubernetes/deployment`.
    ///
    /// Its definition follows the system's own rules, which [docs/presets.md] lists with their sources, and it has the
    /// defaults of [`until`](Self::until). Some presets also have paths to [`show`](crate::WaitOptions::show), or the path
    /// of [`same`](crate::WaitOptions::same), whose value each wait must have.
    ///
    /// # Errors
    ///
    /// Returns `unknown_preset`, with similar names or all of them.
    ///
    /// # Example: a deployment of ECS
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::{Same, WaitOptions, Waiter};
    ///
    /// let deployed = Waiter::preset("ecs/deployment")?;
    /// let options = WaitOptions::new(Duration::from_secs(1800)).same(Same::of("ecs-svc/17"));
    /// assert!(deployed.start(&options, 1).is_ok());
    /// # Ok::<(), smithy_waiters::DefinitionError>(())
    /// ```
    ///
    /// [docs/presets.md]: https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/presets.md
    pub fn preset(name: &str) -> Result<Self, DefinitionError> {
        let preset = PRESETS.iter().find(|(known, _)| *known == name);
        let (_, text) = preset.ok_or_else(|| unknown(name))?;
        let members = members_of("preset", text, &MEMBERS)?;
        let short = members.get("until").map(ToString::to_string);
        let waiter = Until::from_json(&short.unwrap_or_default())?.build()?;
        let first = items(&members, "first", "an array of acceptors")?;
        let mut waiter = waiter.extend(&Extension::new().first(first.iter().cloned()))?;
        if let Some(definition) = Arc::get_mut(&mut waiter.definition) {
            definition.documentation = string(&members, "documentation")?.map(Into::into);
        }
        let show = strings(&members, "show", "a path")?.into();
        let same = string(&members, "same")?.map(Into::into);
        Ok(waiter.with_defaults(Defaults::preset(show, same)))
    }
}

fn unknown(name: &str) -> DefinitionError {
    let names = PRESETS.map(|(name, _)| name);
    let last = |name: &str| name.rsplit('/').next().map(str::to_ascii_lowercase);
    let mut similar = names.to_vec();
    similar.retain(|known| last(known) == last(name));
    if similar.is_empty() {
        similar.extend(nearest(name, &names));
    }
    let hint = match &*similar {
        [] => format!("the presets are {}", listed(&names)),
        similar => format!("did you mean {}?", listed(similar)),
    };
    let message = format!("no preset `{}`: {hint}", one_line(name, 100));
    DefinitionError::new("unknown_preset", "", message)
}
