//! A wait that is under way.

use std::cell::RefCell;
use std::rc::Rc;

use smithy_waiters::json::{Json, array};
use smithy_waiters::{Seen, StateError, Step, Wait};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::step;
use crate::value::Table;
use crate::verdict;
use crate::waiter::facts;

/// A wait. Its place is empty while a step is taken: a getter of the response may ask for another one.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineWait {
    wait: RefCell<Option<Wait>>,
    table: Rc<Table>,
}

/// Every step throws the JSON text of a refusal, where it is out of order.
#[wasm_bindgen]
impl EngineWait {
    /// The step that is due, as JSON text.
    pub fn next(&self, elapsed: f64) -> Result<String, JsValue> {
        self.step(elapsed, &mut |wait, elapsed| wait.next(elapsed))
    }

    /// The step after the response in a slot, as JSON text: by the acceptor that a compiled matcher found, -1 where it found
    /// none, -2 where there is no such matcher.
    #[wasm_bindgen(js_name = observeResponse)]
    pub fn observe_response(
        &self,
        input: u32,
        response: u32,
        matched: i32,
        elapsed: f64,
    ) -> Result<String, JsValue> {
        let (input, response) = (self.table.value(input), self.table.value(response));
        self.step(elapsed, &mut |wait, elapsed| {
            // Nobody is asked about a response; but one way to observe is half the size of two.
            let (acceptor, seen) = (usize::try_from(matched).ok(), Seen::Response(response));
            if matched < -1 {
                return wait.observe_or_retry(input, seen, elapsed, granted);
            }
            wait.observe_matched(acceptor, input, seen, elapsed, granted)
        })
    }

    /// The step after an error, as JSON text.
    #[wasm_bindgen(js_name = observeError)]
    pub fn observe_error(
        &self,
        input: u32,
        by: u32,
        name: &str,
        message: &str,
        elapsed: f64,
    ) -> Result<String, JsValue> {
        let facts = facts(by, name, message);
        let input = self.table.value(input);
        self.step(elapsed, &mut |wait, elapsed| {
            wait.observe_or_retry(input, Seen::Failure(&facts), elapsed, granted)
        })
    }

    /// The step after a verdict that was made elsewhere, as JSON text; an error without facts is none.
    #[wasm_bindgen(js_name = observeVerdict)]
    pub fn observe_verdict(
        &self,
        state: u32,
        acceptor: Option<u32>,
        by: Option<u32>,
        name: &str,
        message: &str,
        elapsed: f64,
    ) -> Result<String, JsValue> {
        let facts = by.map(|by| facts(by, name, message));
        let acceptor = acceptor.map(|index| index as usize);
        self.step(elapsed, &mut |wait, elapsed| {
            wait.observe_verdict(verdict::state(state), acceptor, facts.as_ref(), elapsed)
        })
    }

    /// The step after a call that was cut at the deadline, as JSON text.
    pub fn expire(&self, elapsed: f64) -> Result<String, JsValue> {
        self.step(elapsed, &mut |wait, elapsed| wait.expire(elapsed))
    }

    /// The end of the wait, as JSON text.
    pub fn cancel(&self, elapsed: f64) -> Result<String, JsValue> {
        self.step(elapsed, &mut |wait, elapsed| Ok(wait.cancel(elapsed)))
    }

    /// The wait as versioned JSON text. Throws the JSON text of a refusal while a step is taken.
    pub fn save(&self) -> Result<String, JsValue> {
        let wait = self.wait.borrow();
        let wait = wait.as_ref().ok_or(Refusal::from(StateError::Busy))?;
        Ok(wait.to_json())
    }

    /// The newest attempt that has ended and the milliseconds that remain, as JSON text; `null` without an attempt.
    pub fn latest(&self) -> String {
        let wait = self.wait.borrow();
        let wait = wait.as_ref();
        let parts = wait.and_then(|wait| {
            let latest = Json::Text(wait.latest()?.to_json());
            Some([latest, wait.remaining_ms().into()])
        });
        parts.map_or_else(|| "null".to_owned(), |parts| array(&mut parts.into_iter()))
    }
}

/// The least pause in milliseconds, where the wait has a retry strategy that allows another attempt.
#[cfg(feature = "behaviours")]
fn granted() -> Option<Result<u64, String>> {
    let pause = crate::kernel::pause();
    if pause == crate::kernel::REFUSED {
        return Some(Err(crate::kernel::thrown()));
    }
    (pause >= 0.0).then_some(Ok(pause as u64))
}

/// Without retry strategies there is nobody to ask.
#[cfg(not(feature = "behaviours"))]
const fn granted() -> Option<Result<u64, String>> {
    None
}

impl EngineWait {
    pub(crate) fn new(wait: Wait, table: Rc<Table>) -> Self {
        Self {
            wait: RefCell::new(Some(wait)),
            table,
        }
    }

    fn step(
        &self,
        elapsed: f64,
        take: &mut dyn FnMut(&mut Wait, u64) -> Result<Step, StateError>,
    ) -> Result<String, JsValue> {
        let elapsed = Wait::elapsed_from_host(elapsed).map_err(Refusal::from)?;
        let mut wait = self.wait.take().ok_or(Refusal::from(StateError::Busy))?;
        let step = take(&mut wait, elapsed);
        self.wait.replace(Some(wait));
        Ok(step::text(&step.map_err(Refusal::from)?))
    }
}
