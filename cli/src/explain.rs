//! `smithy-waiters explain`: what an event means, and what to do.

use anyhow::{Result, bail};

use crate::outcome::Outcome;
use crate::output;

/// Says what an event means, and what to do about it.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The id of an event, as `lint` writes it; without one, all are listed
    id: Option<String>,
}

/// How long the lines of a text are, in characters.
const WIDTH: usize = 100;

/// What comes before the id of an event that Smithy would not say yet.
const LATER: &str = "SmithyWaiters.Later.";

/// What the ids of our own events begin with, which may be left out.
const OURS: &str = "SmithyWaiters.";

/// The events that there are, by the part of their ids that does not vary, and what they mean.
const EVENTS: [(&str, &str); 37] = [
    (
        "ExclusiveStructureMemberTrait",
        "Several members of a structure have, or target, what only one can: an idempotency token, a payload, a stream. Take the trait off the others.",
    ),
    (
        "IdempotencyTokenIgnored",
        "Only the members of an operation's input can be its idempotency token. Where the structure is used otherwise, inside another, as output or as an error, nobody fills it in. Give the operation an input of its own, or take the trait off.",
    ),
    (
        "PaginatedTrait",
        "The trait `paginated` names a member that does not exist, is required though the first request cannot have it, or is of a type that no token, page size or list of items can have; or neither the operation nor the service says what its tokens are. Clients cannot page with it.",
    ),
    (
        "PaginatedTrait.DeeplyNested",
        "The items or the token are more than two members deep in the output. It works, and is cumbersome for whoever uses the operation without a paginator.",
    ),
    (
        "PaginatedTrait.ShouldNotBeRequired",
        "A page size that is required cannot be left to the service, and an output token that is required cannot say that there is no further page.",
    ),
    (
        "PaginatedTrait.WrongShapeType",
        "Tokens should be strings and page sizes integers: other types are allowed, and not every client handles them.",
    ),
    (
        "RequestCompressionTrait",
        "Request compression needs an input, encodings that are supported (`gzip`), and no stream whose length must be known before it is sent.",
    ),
    (
        "SmithyWaiters.Botocore",
        "A file of botocore does not follow its format: the message names the member and what it must be. The waiter, paginator or shape is left out.",
    ),
    (
        "SmithyWaiters.Botocore.Approximate",
        "Smithy has no exact counterpart. A waiter that looks at a status matches the errors that the model has with it, by their names; a paginator lacks a part that Smithy's pages do without.",
    ),
    (
        "SmithyWaiters.Botocore.NotExpressible",
        "Smithy has no counterpart, so the model lacks this waiter or paginator: tokens must be one string or map each, and a path cannot find null in a list.",
    ),
    (
        "SmithyWaiters.ComplexPath",
        "A path that is hard to read is hard to get right. Perhaps the operation could say its state in one member.",
    ),
    (
        "SmithyWaiters.ConstantCondition",
        "A condition, or the whole path, gives the same whatever the service answers. Such an acceptor matches always or never.",
    ),
    (
        "SmithyWaiters.EmptyList",
        "`allStringEquals` wants at least one element. Where the list can be empty, no acceptor may match, and the waiter goes on until its time is over. If an empty list is what is waited for, add an acceptor for it: `length(things) == `0``.",
    ),
    (
        "SmithyWaiters.ImplicitAcceptor",
        "An error that no acceptor matches fails the wait by itself, and a response that none matches is waited on. An acceptor that says only this can be left out: it becomes incomplete as soon as there are new errors and states.",
    ),
    (
        "SmithyWaiters.IntermediateFailure",
        "A state that ends in `-ing` is usually on its way to another one. An acceptor should fail the wait only for states that the resource cannot leave by itself.",
    ),
    (
        "SmithyWaiters.InvalidExpression",
        "Smithy's validator lets the path be, and JMESPath does not have it: an expression reference (`&name`) is no argument of a function, a slice has the step 0, or the path is longer or deeper than the engine takes.",
    ),
    (
        "SmithyWaiters.Later",
        "Smithy itself would say this only after the errors before it are mended: values and targets of traits are checked first. What comes after `Later.` is its own id.",
    ),
    (
        "SmithyWaiters.Model",
        "The texts do not make a model: a shape or trait is there twice, something that is named is missing, or the value of a trait is not of its type at all.",
    ),
    (
        "SmithyWaiters.Model.DuplicateDefinition",
        "Several texts define the shape, and in the same way but for its traits, which are joined. That is allowed, and one of them is enough.",
    ),
    (
        "SmithyWaiters.Model.DuplicateKey",
        "An object of JSON has a key twice. The later value counts, and what the earlier one says is lost: take one of them out.",
    ),
    (
        "SmithyWaiters.NeverMatches",
        "The path can never give what the acceptor expects: the enum does not have the value, or the elements are no strings.",
    ),
    (
        "SmithyWaiters.NullArgument",
        "Most functions of JMESPath fail on null, and a path that fails does not match. Where a member that may be missing is the argument, say what to take instead: `length(things || `[]`)`.",
    ),
    (
        "SmithyWaiters.Syntax",
        "The text is neither Smithy IDL nor a JSON AST at this place. Reading goes on at the next statement.",
    ),
    (
        "SmithyWaiters.UnknownEnumValue",
        "A path compares a value, mostly of an enum, with one that it never has: the comparison is always the same.",
    ),
    (
        "SmithyWaiters.UnknownErrorType",
        "No operation of the service has this error, under its shape's name or its query code. If it comes from the framework below the service, all is well; otherwise the acceptor never matches.",
    ),
    (
        "SmithyWaiters.UnknownMember",
        "The path names a member that the structure does not have: it gives null. Members are named as in the model, not as on the wire.",
    ),
    (
        "SmithyWaiters.UnknownTrait",
        "A shape has a trait that is not there, in a namespace that is: the name is misspelt, or its `use` is missing. A `waitable` or `paginated` that is not the real one makes no waiter and no paginator. A warning where a later release of Smithy may have it.",
    ),
    (
        "SmithyWaiters.UnreachableAcceptor",
        "Acceptors are looked at in their order, and the first match counts. An earlier one matches whenever this one does, so this one is never reached. Put the more special one first.",
    ),
    (
        "SmithyWaiters.WaiterName",
        "Waiters are named after a resource and the state that they wait for, `InstanceRunning`, not after an operation that has completed, `RunInstanceComplete`.",
    ),
    (
        "SmithyWaiters.WrongType",
        "The path does something that a value of this type cannot: it compares different types, orders what has no order, or calls a function with the wrong argument. It gives null, or fails.",
    ),
    (
        "TraitConflict",
        "A shape has traits of which one says that it does not go with the other, such as `readonly` and `idempotent`. Take one of them off.",
    ),
    (
        "TraitTarget",
        "The trait cannot be applied to this shape: it is none that the selector in the trait's definition selects. Waiters, for example, are for operations without event streams.",
    ),
    (
        "TraitValue",
        "The value of a trait breaks a rule of its definition: a name's grammar, a least length, a range; or it has a member that the definition does not know.",
    ),
    (
        "UniqueWaiterNames",
        "Two operations of a service have waiters of the same name, but for the case of letters. Code for the service cannot tell them apart: rename one.",
    ),
    (
        "WaitableTrait",
        "A waiter cannot work as it is: no acceptor leads to success, the least delay is above the greatest, a path does not parse, or what it expects is no boolean where it must be.",
    ),
    (
        "WaitableTraitInvalidErrorType",
        "The operation has no such error in its `errors`. Model the error there, unless it comes from the framework below the service; then suppress the event.",
    ),
    (
        "WaitableTraitJmespathProblem",
        "Smithy evaluates the path on a made-up response, and it does not fit: a member is missing (`JmespathEventDanger`), a comparison is impossible (`JmespathEventWarning`), or the result is of another type than the comparator's (`ReturnTypeMismatch`). A filter may drop all of the made-up elements: if the path is right, suppress the event.",
    ),
];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let Some(id) = &options.id else {
        let lines: Vec<String> = EVENTS.iter().map(line).collect();
        output::print(&(lines.join("\n") + "\n"))?;
        return Ok(Outcome::Clean);
    };
    let own = own_id(id);
    let later = (own != id).then_some(LATER.trim_end_matches('.'));
    let ids = later.into_iter().chain([own]);
    let texts: Option<Vec<String>> = ids.map(explanation).collect();
    let Some(texts) = texts else {
        bail!(
            "there is no event `{id}`{} `smithy-waiters explain` lists all",
            near(own)
        );
    };
    output::print(&texts.join("\n"))?;
    Ok(Outcome::Clean)
}

/// An event's id, and the first sentence of what it means.
fn line((id, text): &(&str, &str)) -> String {
    let sentence = text.split_once(". ").map_or(*text, |(first, _)| first);
    format!("{id}: {}", sentence.trim_end_matches('.'))
}

/// Returns the id without the words for an event that Smithy would not say yet: it does not depend on other errors.
pub(crate) fn own_id(id: &str) -> &str {
    id.strip_prefix(LATER).unwrap_or(id)
}

/// An event's rule, and what it means.
fn explanation(id: &str) -> Option<String> {
    let (rule, text) = find(id).or_else(|| find(&format!("{OURS}{id}")))?;
    Some(format!("{rule}\n\n{}\n", textwrap::fill(text, WIDTH)))
}

/// What an event means.
pub(crate) fn text(id: &str) -> Option<&'static str> {
    find(id).map(|(_, text)| *text)
}

/// The event that may be meant.
fn near(id: &str) -> String {
    let distance = |(rule, _): &&(&str, &str)| {
        let short = rule.strip_prefix(OURS).unwrap_or(rule);
        let [short, whole] = [short, rule].map(|rule| strsim::damerau_levenshtein(rule, id));
        short.min(whole)
    };
    let nearest = EVENTS.iter().min_by_key(distance);
    let nearest = nearest.filter(|rule| distance(rule) <= id.len() / 3);
    nearest.map_or_else(
        || ":".to_owned(),
        |(rule, _)| format!(": did you mean `{rule}`?"),
    )
}

/// The part of an event's id that does not vary with what it is about.
pub(crate) fn rule(id: &str) -> &str {
    find(id).map_or(id, |(rule, _)| rule)
}

/// The longest id that an event is within.
fn find(id: &str) -> Option<&'static (&'static str, &'static str)> {
    let is_within = |(rule, _): &&(&str, &str)| {
        let rest = id.strip_prefix(rule);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let within = EVENTS.iter().filter(is_within);
    within.max_by_key(|(rule, _)| rule.len())
}
