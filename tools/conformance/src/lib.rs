//! Derives conformance tests for the waiters of Smithy models: answers of the service, as values and as HTTP responses,
//! and the states that a waiter must enter. `conformance/README.md` describes the format.
//!
//! Expectations follow from the definition and the text of the specification. Nothing here runs the engine: only its
//! parser and the analysis of types are shared.
//!
//! Each module imports only from lines above it:
//!
//! ```text
//! suite, protocol     the files of the kit, the protocols
//! sample, reference   values of shapes; the specification's verdict on a path
//! solve               paths inverted
//! wire                answers as HTTP responses
//! acceptor            a waiter's acceptors and its verdict
//! variant             answers that just match or just miss a matcher
//! waiter, case        the cases of a waiter: which answers, and how they are written
//! derive              the suites of a model
//! smithy              suites as Smithy
//! ```

mod acceptor;
mod case;
mod derive;
mod protocol;
mod reference;
mod sample;
mod smithy;
mod solve;
mod suite;
mod variant;
mod waiter;
mod wire;

pub use derive::{Origin, suites};
pub use protocol::Protocol;
pub use smithy::{WAITER_TESTS, smithy};
pub use suite::{
    Answer, Basis, Case, ErrorAnswer, Http, NotCovered, Service, Suite, Verdict, Waiter,
};

use smithy_waiters_model::{Model, Shape};

/// Returns an answer as an HTTP response of an operation, or `None` if the protocol cannot carry it or the answer is
/// empty.
///
/// The error's code can be an HTTP status, for an error without a body.
#[must_use]
pub fn http<'m>(
    model: &'m Model<'m>,
    service: Option<&'m Shape<'m>>,
    operation: &'m Shape<'m>,
    protocol: Protocol,
    answer: &Answer,
) -> Option<Http> {
    let wire = wire::Wire {
        model,
        service,
        operation,
    };
    if let Some(error) = &answer.error {
        let shape = error.shape.as_deref();
        let shape = shape.and_then(|shape| wire.error_shape(shape));
        return Some(wire.error(protocol, &error.code, shape, wire::Form::Plain));
    }
    wire.output(protocol, answer.output.as_ref()?)
}
