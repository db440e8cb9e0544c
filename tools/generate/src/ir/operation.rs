//! Operations and the behavior traits of their requests.
//!
//! Specification: [behavior traits](https://smithy.io/2.0/spec/behavior-traits.html).

use smithy_waiters_model::{Kind, Member, Model, Node, Shape, id};

use super::{Deprecation, Expression, Waiter};

/// An operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation<'m> {
    /// The shape.
    pub shape: &'m Shape<'m>,
    /// The name of the shape: `DescribeTable`.
    pub name: &'m str,
    /// The documentation.
    pub documentation: Option<&'m str>,
    /// The deprecation, if the operation is deprecated.
    pub deprecated: Option<Deprecation<'m>>,
    /// The input's shape, or `None` without an input.
    pub input: Option<&'m Shape<'m>>,
    /// The output's shape, or `None` without an output.
    pub output: Option<&'m Shape<'m>>,
    /// The name of the input's shape in the service.
    pub input_name: Option<&'m str>,
    /// The name of the output's shape in the service.
    pub output_name: Option<&'m str>,
    /// The errors of the operation and of its service, in the order of the model.
    pub errors: Vec<ModeledError<'m>>,
    /// `true` if the operation is `@readonly` or `@idempotent`, so that requests may be repeated.
    pub idempotent: bool,
    /// The `@idempotencyToken` member of the input, which makes requests safe to repeat.
    pub idempotency_token: Option<&'m Member<'m>>,
    /// The compression of request bodies.
    pub compression: Option<Compression<'m>>,
    /// `true` if the input has a `@streaming` member. Such a request can be sent only once and is compressed at any
    /// size.
    pub streaming: bool,
    /// The pagination of the results.
    pub pagination: Option<Pagination<'m>>,
    /// The waiters, sorted by name.
    pub waiters: Vec<Waiter<'m>>,
}

/// An error of an operation with its traits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ModeledError<'m> {
    /// The shape.
    pub shape: &'m Shape<'m>,
    /// The name of the shape in the service. `errorType` matchers refer to it.
    pub name: &'m str,
    /// The code of the `@awsQueryError` trait, which the AWS query protocol sends instead of the name.
    pub code: Option<&'m str>,
    /// The side that is at fault.
    pub fault: Fault,
    /// `true` if the error is `@retryable`.
    pub retryable: bool,
    /// `true` if the `@retryable` trait marks the error as throttling.
    pub throttling: bool,
}

/// A function that returns one of the names of an error, if the error has it.
pub(crate) type NameSource = for<'m> fn(&ModeledError<'m>) -> Option<&'m str>;

/// The names of an error in the order of their precedence. The name of one error may be the code of another.
pub(crate) const NAME_SOURCES: [NameSource; 3] = [
    |error| Some(error.name),
    |error| error.code,
    |error| Some(id::name(error.shape.id)),
];

/// The side that caused an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the trait has no other values")]
pub enum Fault {
    /// The client.
    Client,
    /// The service.
    Server,
}

/// The `@requestCompression` trait.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compression<'m> {
    /// The encodings in the order of preference.
    pub encodings: Vec<&'m str>,
}

/// The `@paginated` trait of an operation, completed by the trait of its service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pagination<'m> {
    /// The input member for the token.
    pub input_token: &'m str,
    /// The path of the token in the output.
    pub output_token: Expression<'m>,
    /// The source text of the token's path: `page.next`.
    pub output_token_path: &'m str,
    /// The path of the items in the output.
    pub items: Option<Expression<'m>>,
    /// The source text of the items' path.
    pub items_path: Option<&'m str>,
    /// The input member for the page size.
    pub page_size: Option<&'m str>,
}

impl<'m> Operation<'m> {
    /// Returns the error with a given name. The names that the service gives to shapes take precedence over codes, and
    /// codes over the names of renamed shapes.
    #[must_use]
    pub fn error(&self, name: &str) -> Option<&ModeledError<'m>> {
        self.errors_of(name).into_iter().next()
    }

    /// Returns all names under which a client may report the error of an `errorType` matcher: `error_type` itself, and
    /// the names and codes of the matching errors. A response contains the code, and a client may expose the shape. A
    /// name that takes precedence for another error is left out. See docs/rules.md#error-names.
    #[must_use]
    pub fn error_names<'n>(&self, error_type: &'n str) -> Vec<&'n str>
    where
        'm: 'n,
    {
        let mut names = vec![error_type];
        for error in self.errors_of(error_type) {
            let is_meant = |name: &&str| {
                let mut errors = self.errors_of(name).into_iter();
                errors.any(|other| other.shape.id == error.shape.id)
            };
            let others = NAME_SOURCES.iter().filter_map(|source| source(error));
            for other in others.filter(is_meant) {
                if !names.contains(&other) {
                    names.push(other);
                }
            }
        }
        names
    }

    /// Returns the errors that have the name at its highest precedence.
    fn errors_of(&self, name: &str) -> Vec<&ModeledError<'m>> {
        let by = |source: &NameSource| {
            let errors = self.errors.iter();
            let errors: Vec<_> = errors.filter(|error| source(error) == Some(name)).collect();
            (!errors.is_empty()).then_some(errors)
        };
        NAME_SOURCES.iter().find_map(by).unwrap_or_default()
    }

    pub(super) fn of(model: &'m Model<'m>, service: &'m Shape<'m>, shape: &'m Shape<'m>) -> Self {
        let side = |name| {
            model
                .input_or_output(shape, name)
                .filter(|side| is_own(side))
        };
        let (input, output) = (side("input"), side("output"));
        let called = |side: &'m Shape<'m>| model.name_in(service, side.id);
        let is_token = |member: &&Member<'_>| member.has_trait("smithy.api#idempotencyToken");
        let errors = shape
            .references("errors")
            .chain(service.references("errors"));
        let compression = shape.find_trait("smithy.api#requestCompression");
        Self {
            shape,
            name: id::name(shape.id),
            documentation: super::documentation(shape),
            deprecated: Deprecation::of(shape),
            input,
            output,
            input_name: input.map(called),
            output_name: output.map(called),
            errors: modeled_errors(model, service, errors),
            idempotent: shape.has_trait("smithy.api#readonly")
                || shape.has_trait("smithy.api#idempotent"),
            idempotency_token: input.and_then(|input| input.members.iter().find(is_token)),
            compression: compression.map(|applied| Compression {
                encodings: encodings(&applied.value),
            }),
            streaming: input.is_some_and(|input| has_stream(model, input)),
            pagination: Pagination::of(model, service, shape),
            waiters: Waiter::of(model, shape),
        }
    }
}

/// Returns `true` unless the shape is the unit, which stands for a missing input or output.
fn is_own(shape: &Shape<'_>) -> bool {
    shape.kind == Kind::Structure && shape.id != "smithy.api#Unit"
}

fn modeled_errors<'m>(
    model: &'m Model<'m>,
    service: &'m Shape<'m>,
    ids: impl Iterator<Item = &'m str>,
) -> Vec<ModeledError<'m>> {
    let mut errors: Vec<ModeledError<'m>> = Vec::new();
    for shape in ids.filter_map(|id| model.shape(id)) {
        if errors.iter().all(|error| error.shape.id != shape.id) {
            errors.push(ModeledError::of(shape, model.name_in(service, shape.id)));
        }
    }
    errors
}

impl<'m> ModeledError<'m> {
    fn of(shape: &'m Shape<'m>, name: &'m str) -> Self {
        let fault = shape.find_trait("smithy.api#error");
        let is_server = fault.is_some_and(|fault| fault.value.as_str() == Some("server"));
        let retryable = shape.find_trait("smithy.api#retryable");
        let throttling =
            retryable.and_then(|applied| applied.value.member("throttling")?.as_bool());
        Self {
            shape,
            name,
            code: shape.query_code(),
            fault: if is_server {
                Fault::Server
            } else {
                Fault::Client
            },
            retryable: retryable.is_some(),
            throttling: throttling == Some(true),
        }
    }
}

fn encodings<'m>(applied: &Node<'m>) -> Vec<&'m str> {
    let encodings = applied.member("encodings");
    let encodings = encodings.map_or(&[][..], |encodings| encodings.elements());
    encodings.iter().filter_map(Node::as_str).collect()
}

fn has_stream(model: &Model<'_>, input: &Shape<'_>) -> bool {
    let mut targets = input.members.iter().map(|member| member.target);
    let is_stream = |target| model.shape(target)?.find_trait("smithy.api#streaming");
    targets.any(|target| is_stream(target).is_some())
}

impl<'m> Pagination<'m> {
    fn of(model: &'m Model<'m>, service: &'m Shape<'m>, shape: &'m Shape<'m>) -> Option<Self> {
        let own = shape.find_trait("smithy.api#paginated")?;
        let shared = service.find_trait("smithy.api#paginated");
        let member = |name: &str| {
            let shared = || shared.and_then(|shared| shared.value.member(name));
            own.value.member(name).or_else(shared)?.as_str()
        };
        let items_path = member("items");
        let output_token_path = member("outputToken")?;
        Some(Self {
            input_token: member("inputToken")?,
            output_token: model.output_path(shape, output_token_path)?,
            output_token_path,
            items: items_path.and_then(|path| model.output_path(shape, path)),
            items_path,
            page_size: member("pageSize"),
        })
    }

    /// Returns the members of the trait that the engine's paginators read.
    pub(crate) fn members(&self) -> Vec<(&'static str, &'m str)> {
        let mut members = vec![
            ("inputToken", self.input_token),
            ("outputToken", self.output_token_path),
        ];
        members.extend(self.items_path.map(|path| ("items", path)));
        members.extend(self.page_size.map(|name| ("pageSize", name)));
        members
    }
}
