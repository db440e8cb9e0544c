//! The interface `delay`.

use std::time::Duration;

use smithy_waiters::DelayInput;
use smithy_waiters::internal::FromHost;

use crate::Engine;
use crate::convert::Error;
use crate::option::OptionValue;
use crate::wit::delay::{Guest, Input, Output};

impl Guest for Engine {
    fn compute(input: Input) -> Result<Option<Output>, Error> {
        let options = OptionValue::object([
            ("attempt", Some(input.attempt.into())),
            ("maxDelay", Some(input.max_delay.into())),
            ("minDelay", Some(input.min_delay.into())),
            ("random", Some(input.random.into())),
            ("remaining", Some(input.remaining.into())),
        ]);
        let delay = smithy_waiters::delay(&DelayInput::from_host(options)?)?;
        Ok(delay.map(|delay| Output {
            delay: Duration::as_secs_f64(&delay.delay),
            last: delay.last,
        }))
    }
}
