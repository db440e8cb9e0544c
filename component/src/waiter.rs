//! The interface `waiter`.

use std::time::Duration;

use serde_json::Value as Json;
use smithy_waiters::{
    ErrorMetadata, Extension, Observation, Snapshot, StoredOptions, Until, Waiter,
};

use crate::Engine;
use crate::convert::{self, Error, number};
use crate::wait::{WaitResource, wait_options};
use crate::wit::{wait, waiter as wit};

impl wit::Guest for Engine {
    type Waiter = WaiterResource;
}

pub(crate) struct WaiterResource(Waiter);

impl WaiterResource {
    fn own(waiter: Waiter) -> wit::Waiter {
        wit::Waiter::new(Self(waiter))
    }
}

impl wit::GuestWaiter for WaiterResource {
    fn from_definition(definition: String, name: Option<String>) -> Result<wit::Waiter, Error> {
        Ok(Self::own(match name {
            Some(name) => Waiter::named(&name, &definition)?,
            None => Waiter::from_json(&definition)?,
        }))
    }

    fn from_model(
        model: String,
        name: String,
        service: Option<String>,
    ) -> Result<wit::Waiter, Error> {
        let waiter = Waiter::from_model(&model, &name, service.as_deref())?;
        Ok(Self::own(waiter))
    }

    fn preset(name: String) -> Result<wit::Waiter, Error> {
        Ok(Self::own(Waiter::preset(&name)?))
    }

    fn until(short_form: String) -> Result<wit::Waiter, Error> {
        let waiter = Until::from_json(&short_form)?.build()?;
        if waiter.is_predicate() {
            // Without `expression`, the host would have to provide a predicate function.
            return Err(convert::missing("expression"));
        }
        Ok(Self::own(waiter))
    }

    fn extend(&self, extension: String) -> Result<wit::Waiter, Error> {
        let extension = Extension::from_json(&extension)?;
        Ok(Self::own(self.0.extend(&extension)?))
    }

    fn describe(&self) -> wit::Description {
        let waiter = &self.0;
        let millis = |delay: Duration| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        wit::Description {
            name: waiter.name().map(ToOwned::to_owned),
            documentation: waiter.documentation().map(ToOwned::to_owned),
            deprecated: waiter.deprecated(),
            tags: waiter.tags().to_vec(),
            redact: waiter.redact().to_vec(),
            min_delay: millis(waiter.min_delay()),
            max_delay: millis(waiter.max_delay()),
            acceptors: waiter.acceptors().map(ToOwned::to_owned).collect(),
            defaults: Json::Object(waiter.defaults().to_json()).to_string(),
        }
    }

    fn definition(&self) -> Result<String, Error> {
        Ok(self.0.checked_definition()?.to_string())
    }

    fn evaluate(
        &self,
        observation: wit::Observation,
        input: Option<String>,
    ) -> Result<wit::Verdict, Error> {
        let verdict = observe(observation, input, |input, observation| {
            self.0.evaluate(input, observation)
        })?;
        Ok(wit::Verdict {
            state: verdict.state().into(),
            acceptor: verdict.acceptor().map(number),
        })
    }

    fn reasons(
        &self,
        observation: wit::Observation,
        input: Option<String>,
    ) -> Result<Vec<wait::Reason>, Error> {
        let reasons = observe(observation, input, |input, observation| {
            self.0.reasons(input, observation)
        })?;
        Ok(reasons.iter().map(Into::into).collect())
    }

    fn start(&self, options: wait::Options, input: Option<String>) -> Result<wait::Wait, Error> {
        let input = convert::optional_json(input)?;
        let seed = options.seed;
        let wait = self.0.start(&wait_options(options)?, seed)?;
        Ok(WaitResource::own(wait, input))
    }

    fn start_stored(
        &self,
        options: wait::Options,
        stored: wait::StoredOptions,
        input: Option<String>,
    ) -> Result<wait::Wait, Error> {
        let input = convert::optional_json(input)?;
        let mut stored = StoredOptions::from(stored);
        stored.input = input.clone().unwrap_or_default();
        let wait = self.0.start_stored(&wait_options(options)?, stored)?;
        Ok(WaitResource::own(wait, input))
    }

    fn stored_seed(id: String) -> u64 {
        StoredOptions::new(id, 0).seed()
    }

    fn stored_facts(saved: String) -> Result<wait::StoredFacts, Error> {
        Ok((&Snapshot::from_json(&saved)?).into())
    }

    fn stored_pause(saved: String, now: Option<u64>) -> Result<wait::Pause, Error> {
        let snapshot = Snapshot::from_json(&saved)?;
        Ok(wait::Pause {
            milliseconds: snapshot.pause_ms(now),
            seconds: snapshot.pause_seconds(now),
        })
    }

    fn resume(
        &self,
        saved: String,
        time: wit::ResumeTime,
        input: Option<String>,
    ) -> Result<wait::Wait, Error> {
        let snapshot = Snapshot::from_json(&saved)?;
        let input = match convert::optional_json(input)? {
            Some(input) => Some(input),
            None => snapshot.input().cloned(),
        };
        let now = match time {
            wit::ResumeTime::Due(wall_clock) => snapshot.due_elapsed_ms(Some(wall_clock)),
            wit::ResumeTime::Elapsed(elapsed) => elapsed,
            wit::ResumeTime::WallClock(wall_clock) => snapshot.elapsed_ms(Some(wall_clock)),
            wit::ResumeTime::Unknown => snapshot.elapsed_ms(None),
        };
        Ok(WaitResource::own(self.0.resume(snapshot, now)?, input))
    }
}

/// Evaluates a response or an error.
fn observe<T>(
    observation: wit::Observation,
    input: Option<String>,
    evaluate: impl FnOnce(&Json, Observation<'_, &Json>) -> T,
) -> Result<T, Error> {
    let input = convert::optional_json(input)?.unwrap_or_default();
    Ok(match observation {
        wit::Observation::Response(response) => {
            let response = convert::json(&response)?;
            evaluate(&input, Observation::Response(&response))
        }
        wit::Observation::Error(error) => {
            let error = ErrorMetadata::from(error);
            evaluate(&input, Observation::Error(&error))
        }
    })
}
