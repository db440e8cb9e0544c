//! `smithy-waiters explain`: explains the events of `lint`, and the codes with which waits end.

mod ends;
mod examples;

use anyhow::{Result, bail};

use crate::outcome::Outcome;
use crate::output;
use ends::ENDS;

/// Explains an event of `lint`, or the code with which a wait ended, and what to do.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The id of an event, as `lint` writes it, or a code, such as `timed_out`; if omitted, all are listed
    id: Option<String>,
}

/// The width of the text, in characters.
const WIDTH: usize = 80;

/// The prefix of an event that Smithy reports only after other errors are fixed.
const LATER: &str = "SmithyWaiters.Later.";

/// The prefix of this project's own events, which users may omit.
const OURS: &str = "SmithyWaiters.";

/// The explanations of all events, by the constant part of their ids. The first sentence is the summary in the list.
const EVENTS: [(&str, &str); 39] = [
    (
        "ExclusiveStructureMemberTrait",
        "More than one member of a structure is an idempotency token. Only one may be: remove the trait from the others.",
    ),
    (
        "IdempotencyTokenIgnored",
        "The trait `idempotencyToken` is ignored where the structure is nested in another one, an output or an error. Clients fill in a token only in the input of an operation. Use a separate structure for the input, or remove the trait.",
    ),
    (
        "PaginatedTrait",
        "Clients cannot paginate the operation as its trait `paginated` describes. The trait names a member that does not exist, that is required although the first request cannot set it, or that has the wrong type for a token, a page size or a list of items. Or neither the operation nor the service names the tokens. Correct the name, or change the member as the message says.",
    ),
    (
        "PaginatedTrait.DeeplyNested",
        "The items or the output token are more than two members deep in the output. Paginators work, but the operation is cumbersome to use without one. Consider members of the output itself.",
    ),
    (
        "PaginatedTrait.ShouldNotBeRequired",
        "The page size or the output token is required. A required page size cannot be left to the service, and a required output token cannot be omitted on the last page. Remove the trait `required` from the member.",
    ),
    (
        "PaginatedTrait.WrongShapeType",
        "A token is not a string, or a page size is not an integer. Other types are allowed, but not every client supports them. Use a string or an integer in a new operation.",
    ),
    (
        "RequestCompressionTrait",
        "The request cannot be compressed. Compression requires an input, supported encodings (`gzip`), and no stream whose length must be known before it is sent. Otherwise remove the trait.",
    ),
    (
        "SmithyWaiters.Botocore",
        "A botocore file does not follow its format. The message names the member and its expected value. The waiter, paginator or shape is skipped. Correct the file, or install another version of botocore.",
    ),
    (
        "SmithyWaiters.Botocore.Approximate",
        "A botocore definition has no exact counterpart in Smithy. A waiter that matches an HTTP status matches the names of the errors with this status instead. A paginator loses a part that Smithy's paginators do not need. Check the result if you generate code from it.",
    ),
    (
        "SmithyWaiters.Botocore.NotExpressible",
        "A botocore waiter or paginator has no counterpart in Smithy and is left out. In Smithy, a token is a single string or map, and a path cannot find null in a list. Rewrite the path, or use the client's own waiter or paginator.",
    ),
    (
        "SmithyWaiters.ComplexPath",
        "The path is hard to read and therefore error-prone. Consider returning the state in a single member of the output.",
    ),
    (
        "SmithyWaiters.ConstantCondition",
        "A condition or a whole path has the same result for every response. The acceptor matches always or never. A frequent mistake is a quoted name: `'status'` is a text, and `status` is the member.",
    ),
    (
        "SmithyWaiters.EmptyList",
        "`allStringEquals` does not match an empty list. If the list can be empty, the waiter may poll until the deadline. To accept an empty list, add an acceptor for it: `length(things) == `0``.",
    ),
    (
        "SmithyWaiters.EmptySuccess",
        "The waiter succeeds if the list is empty, because no element is left to fail the condition. An empty list may mean that the resource does not exist (yet). If it must exist, also require it: `length(things) > `0` && ...`.",
    ),
    (
        "SmithyWaiters.ImplicitAcceptor",
        "The acceptor repeats the default behaviour. By default, an unmatched error fails the wait and an unmatched response continues it. Consider removing the acceptor: it becomes incomplete when errors or states are added.",
    ),
    (
        "SmithyWaiters.IntermediateFailure",
        "An acceptor fails the wait in a state whose name looks temporary, such as `CREATING` or `PENDING`. Fail the wait only in states that the resource cannot leave on its own.",
    ),
    (
        "SmithyWaiters.InvalidExpression",
        "The path exceeds a limit of the engine. It is longer or more deeply nested than the engine supports. Smithy's validator has no such limits. Split the path over several acceptors, or return the state in a single member.",
    ),
    (
        "SmithyWaiters.Later",
        "Smithy reports this event only after the other errors are fixed. It checks the values and targets of traits first. The part of the id after `Later.` is the event's usual id.",
    ),
    (
        "SmithyWaiters.Model",
        "The files do not form a valid model. A shape or trait is defined twice, a reference cannot be resolved, or the value of a trait has an entirely wrong type. Pass all files of the model, and each file once.",
    ),
    (
        "SmithyWaiters.Model.DuplicateDefinition",
        "Several files define the shape identically, except for its traits, which are merged. This is allowed, but one definition is enough.",
    ),
    (
        "SmithyWaiters.Model.DuplicateKey",
        "A JSON object contains a key twice. Only the last value is used: remove one of them.",
    ),
    (
        "SmithyWaiters.NeverMatches",
        "The path can never return the value that the acceptor expects. The enum does not have the value, or the elements are not strings. Use a value that the message lists, or a path whose result can be the value.",
    ),
    (
        "SmithyWaiters.NullArgument",
        "The argument of a function may be null. Most JMESPath functions fail on null, and a path that fails does not match. Provide a default for a member that may be missing: `length(things || `[]`)`.",
    ),
    (
        "SmithyWaiters.PermanentState",
        "No acceptor has a value after which the waiter cannot succeed, such as `FAILED`, so the wait lasts until its deadline. The words of the values decide, as in `smithy-waiters suggest`. If the resource does not leave the state on its own, add an acceptor with the state `failure`.",
    ),
    (
        "SmithyWaiters.SiblingFailure",
        "Another waiter for the same resource waits for the same value and fails on a value that no acceptor of this waiter has. Add an acceptor, unless this waiter starts from that value.",
    ),
    (
        "SmithyWaiters.Syntax",
        "The text is not valid Smithy IDL or JSON AST at this position. Parsing continues at the next statement. The message names what is expected there.",
    ),
    (
        "SmithyWaiters.UnhandledValue",
        "The acceptors have all values of an enum except one or two. A value without an acceptor continues the wait. Add an acceptor if the value ends it.",
    ),
    (
        "SmithyWaiters.UnknownEnumValue",
        "A path compares a value, usually of an enum, with one that it cannot have. The comparison always has the same result. Use a value that the message lists.",
    ),
    (
        "SmithyWaiters.UnknownErrorType",
        "No operation of the service has this error, neither by its shape name nor by its query code. If the framework below the service returns the error, suppress the event. Otherwise the acceptor never matches.",
    ),
    (
        "SmithyWaiters.UnknownTrait",
        "A shape has a trait that its namespace does not define. The name is misspelled, or a `use` statement is missing. A `waitable` or `paginated` from another namespace does not define waiters or a paginator. The event is a warning if a later release of Smithy may define the trait.",
    ),
    (
        "SmithyWaiters.UnreachableAcceptor",
        "An earlier acceptor matches whenever this one does. Acceptors are tried in order and the first match is used, so this one is never reached. Put the more specific acceptor first.",
    ),
    (
        "SmithyWaiters.WaiterName",
        "The name of a waiter should describe the state of a resource, not the completion of an operation. Prefer `InstanceRunning` to `RunInstanceComplete`.",
    ),
    (
        "SmithyWaiters.WrongType",
        "The path compares values of different types. They are never equal and have no order. Write a number in backticks and a text in single quotes: `` `3` `` and `'3'`.",
    ),
    (
        "TraitTarget",
        "The trait cannot be applied to this shape. Waiters, for example, require an operation without event streams. Move it to the shape that it describes, or remove it.",
    ),
    (
        "TraitValue",
        "The value of a trait violates the trait's definition. A name has the wrong syntax, a length or number is out of range, or a member is unknown. The message names the member and its rule.",
    ),
    (
        "UniqueWaiterNames",
        "Two operations of a service have waiters whose names are equal or differ only in case. Generated code cannot distinguish them: rename one.",
    ),
    (
        "WaitableTrait",
        "The waiter cannot work. No acceptor leads to success, `minDelay` is greater than `maxDelay`, a path cannot be parsed or passes a wrong argument to a function, or an expected value must be a boolean. The message names the part to change.",
    ),
    (
        "WaitableTraitInvalidErrorType",
        "The operation does not list this error in its `errors`. Add the error there. If the framework below the service returns it, suppress the event instead.",
    ),
    (
        "WaitableTraitJmespathProblem",
        "The path does not fit the shape of the response. A member is missing or is selected from a value that has no members (`JmespathEventDanger`), values without an order are compared (`JmespathEventWarning`), or the comparator does not support the type of the result (`ReturnTypeMismatch`). Use the member names of the model, not those of the wire format.",
    ),
];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let Some(id) = &options.id else {
        let lines: Vec<String> = EVENTS.iter().chain(&ENDS).map(summary).collect();
        output::print(&lines.join("\n"))?;
        return Ok(Outcome::Clean);
    };
    let own = own_id(id);
    let later = (own != id).then_some(LATER.trim_end_matches('.'));
    let ids = later.into_iter().chain([own]);
    let texts: Option<Vec<String>> = ids.map(explanation).collect();
    let Some(texts) = texts else {
        bail!("unknown event or code `{id}`: {}", hint(own));
    };
    output::print(&texts.join("\n"))?;
    Ok(Outcome::Clean)
}

/// Returns an event's id and, below it, the first sentence of the explanation.
fn summary((id, text): &(&str, &str)) -> String {
    let sentence = text.split_once(". ").map_or(*text, |(first, _)| first);
    let options = textwrap::Options::new(WIDTH)
        .initial_indent("    ")
        .subsequent_indent("    ");
    let sentence = textwrap::fill(sentence.trim_end_matches('.'), options);
    format!("{id}\n{sentence}\n")
}

/// Returns an event's id without the prefix `SmithyWaiters.Later.`, so that it does not depend on other errors.
pub(crate) fn own_id(id: &str) -> &str {
    id.strip_prefix(LATER).unwrap_or(id)
}

/// Returns the id of an event's rule, or the code, and the full explanation.
fn explanation(id: &str) -> Option<String> {
    let end = || ENDS.iter().find(|(code, _)| *code == id);
    let event = find(id).or_else(|| find(&format!("{OURS}{id}")));
    let (rule, text) = event.or_else(end)?;
    let example = examples::of(rule);
    Some(format!(
        "{rule}\n\n{}\n{example}",
        textwrap::fill(text, WIDTH)
    ))
}

/// Returns the explanation of an event.
pub(crate) fn text(id: &str) -> Option<&'static str> {
    find(id).map(|(_, text)| *text)
}

/// The maximum length of an unknown id for which the nearest one is searched.
const MAX_ID: usize = 200;

/// Suggests the nearest id for an unknown one, or the list of all.
fn hint(id: &str) -> String {
    let distance = |(rule, _): &&(&str, &str)| {
        let short = rule.strip_prefix(OURS).unwrap_or(rule);
        let [short, whole] = [short, rule].map(|rule| strsim::damerau_levenshtein(rule, id));
        short.min(whole)
    };
    let known = EVENTS.iter().chain(&ENDS).filter(|_| id.len() <= MAX_ID);
    let nearest = known.min_by_key(distance);
    let nearest = nearest.filter(|rule| distance(rule) <= id.len() / 3);
    nearest.map_or_else(
        || "run `smithy-waiters explain` to list all".to_owned(),
        |(rule, _)| format!("did you mean `{rule}`?"),
    )
}

/// Returns the constant part of an event's id.
pub(crate) fn rule(id: &str) -> &str {
    find(id).map_or(id, |(rule, _)| rule)
}

/// Returns the entry with the longest id that is a prefix of the event's.
fn find(id: &str) -> Option<&'static (&'static str, &'static str)> {
    let is_within = |(rule, _): &&(&str, &str)| {
        let rest = id.strip_prefix(rule);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let within = EVENTS.iter().filter(is_within);
    within.max_by_key(|(rule, _)| rule.len())
}
