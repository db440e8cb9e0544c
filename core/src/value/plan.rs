//! Expressions as data, for hosts that look at their own values by themselves.

use super::{Name, PathTest};
use crate::verdict::State;

/// What an acceptor does with a response.
///
/// A host with dear crossings may go through these in order as [`Waiter::evaluate`](crate::Waiter::evaluate) does: the
/// first one that matches decides, [`State::Retry`] where none does. Whatever it cannot decide it asks the engine.
///
/// # Example: one for each acceptor
///
/// ```
/// use smithy_waiters::{State, Waiter};
/// use smithy_waiters::value::{ResponseTest, When};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let tests: Vec<ResponseTest<'_>> = ready.response_tests().collect();
/// assert!(matches!(tests[0], ResponseTest { state: State::Success, when: When::Path(_), .. }));
/// assert!(matches!(tests[2], ResponseTest { state: State::Retry, when: When::Error, .. }));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResponseTest<'w> {
    /// The state that it leads to.
    pub state: State,
    /// When it does.
    pub when: When<'w>,
}

/// When a response is matched.
///
/// # Example: always, after a success
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::When;
///
/// let exists = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// assert!(matches!(exists.response_tests().next().unwrap().when, When::Always));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum When<'w> {
    /// Always.
    Always,
    /// Never: the acceptor looks at errors only, which [`NotApplicable`](crate::ReasonCode::NotApplicable) says.
    Error,
    /// Never: the acceptor wants the call to fail, which [`NotEqual`](crate::ReasonCode::NotEqual) says.
    Failure,
    /// When this test says so.
    Path(&'w PathTest),
    /// When the instructions leave this boolean behind.
    Plan(Vec<Instruction<'w>>, bool),
    /// When the engine says so.
    Unknown,
}

/// One instruction of a machine whose stack holds expressions. It takes its operands off the stack, the last one first,
/// and puts the expression there that is made of them; the last instruction leaves one behind.
///
/// The operands of each are in the order of the expression. They mean what JMESPath says; a host that meets a value that
/// a function does not take, or anything else that it has no answer for, asks the engine.
///
/// # Example: a length that is compared
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::{Comparison, Instruction, When};
///
/// let some = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "length(Items) > `0`", "comparator": "booleanEquals", "expected": "true"}}}]}"#)?;
/// let When::Plan(plan, true) = some.response_tests().next().unwrap().when else { panic!() };
/// assert!(matches!(plan[..], [
///     Instruction::Current,
///     Instruction::Member(_),
///     Instruction::Length,
///     Instruction::Number(0.0),
///     Instruction::Compare(Comparison::Greater),
/// ]));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Instruction<'w> {
    /// Two: `&&`.
    And,
    /// A boolean.
    Boolean(bool),
    /// Two: a comparison.
    Compare(Comparison),
    /// Two: the second one where the first one is truthy, else null.
    Condition,
    /// Two: `contains()`.
    Contains,
    /// None: the current value.
    Current,
    /// One: `[]`.
    Flatten,
    /// One: `length()`.
    Length,
    /// So many: an array of them; null where the current value is.
    List(usize),
    /// One: its member.
    Member(&'w Name),
    /// One: `!`.
    Not,
    /// None: null.
    Null,
    /// None: a number.
    Number(f64),
    /// Two: `||`.
    Or,
    /// Two: the second one on what the first one gives.
    Pipe,
    /// Two: the second one on each item that the first one gives, without nulls.
    Project,
    /// None: a string.
    String(&'w str),
    /// One: `.*`.
    Values,
}

/// A comparison; one by order is of numbers only.
///
/// # Example: in a filter
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::{Comparison, Instruction, When};
///
/// let some = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Size >= `10`", "comparator": "booleanEquals", "expected": "true"}}}]}"#)?;
/// let When::Plan(plan, true) = some.response_tests().next().unwrap().when else { panic!() };
/// assert_eq!(plan.last(), Some(&Instruction::Compare(Comparison::GreaterOrEqual)));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the comparators of JMESPath's grammar"
)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `!=`
    NotEqual,
}
