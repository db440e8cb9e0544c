//! An operation: its shapes, and what the behaviour traits say of its requests.
//!
//! Clause: [behavior traits](https://smithy.io/2.0/spec/behavior-traits.html).

use smithy_waiters_model::{Kind, Member, Model, Node, Shape, id};

use super::{Deprecation, Expression, Waiter};

/// An operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation<'m> {
    /// Its shape.
    pub shape: &'m Shape<'m>,
    /// The name of the shape: `DescribeTable`.
    pub name: &'m str,
    /// Its documentation.
    pub documentation: Option<&'m str>,
    /// Whether it is deprecated, and what to call instead.
    pub deprecated: Option<Deprecation<'m>>,
    /// The input's shape; nothing where it has none.
    pub input: Option<&'m Shape<'m>>,
    /// The output's shape; nothing where it has none.
    pub output: Option<&'m Shape<'m>>,
    /// What the service calls the input's shape.
    pub input_name: Option<&'m str>,
    /// What the service calls the output's shape.
    pub output_name: Option<&'m str>,
    /// Its errors and its service's, in the order of the model.
    pub errors: Vec<ModeledError<'m>>,
    /// Whether it is `@readonly` or `@idempotent`: a request may be repeated.
    pub idempotent: bool,
    /// The input's member that makes a request repeatable.
    pub idempotency_token: Option<&'m Member<'m>>,
    /// How its requests' bodies may be compressed.
    pub compression: Option<Compression<'m>>,
    /// Whether the input has a `@streaming` member: a request is sent once, and compressed whatever its size.
    pub streaming: bool,
    /// How its results come in pages.
    pub pagination: Option<Pagination<'m>>,
    /// Its waiters, in the order of their names.
    pub waiters: Vec<Waiter<'m>>,
}

/// What the model says of an error.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ModeledError<'m> {
    /// Its shape.
    pub shape: &'m Shape<'m>,
    /// What the service calls the shape, by which `errorType` matches it.
    pub name: &'m str,
    /// The code by which AWS's query protocol knows it, where that is another one.
    pub code: Option<&'m str>,
    /// Whose fault it is.
    pub fault: Fault,
    /// Whether the same request may succeed.
    pub retryable: bool,
    /// Whether it says that there are too many requests.
    pub throttling: bool,
}

/// A name that an error may be known by.
pub(crate) type Claim = for<'m> fn(&ModeledError<'m>) -> Option<&'m str>;

/// The names that errors may be known by, the strongest claim first: two errors may have one, as a shape's name and as a code.
pub(crate) const CLAIMS: [Claim; 3] = [
    |error| Some(error.name),
    |error| error.code,
    |error| Some(id::name(error.shape.id)),
];

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the trait has no other values")]
pub enum Fault {
    /// The client's.
    Client,
    /// The service's.
    Server,
}

/// The `@requestCompression` trait.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compression<'m> {
    /// The encodings, the best first.
    pub encodings: Vec<&'m str>,
}

/// The `@paginated` trait, with what the service's own says for all.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pagination<'m> {
    /// The input's member that takes the token.
    pub input_token: &'m str,
    /// The path of the token in the output.
    pub output_token: Expression<'m>,
    /// The same as a path of the model: `page.next`.
    pub output_token_path: &'m str,
    /// The path of the items in the output.
    pub items: Option<Expression<'m>>,
    /// The same as a path of the model.
    pub items_path: Option<&'m str>,
    /// The input's member that takes the size of pages.
    pub page_size: Option<&'m str>,
}

impl<'m> Operation<'m> {
    /// The modeled error that a name means: what the service calls its shape, or, where none is called so, a code, or the name
    /// that a shape has elsewhere.
    #[must_use]
    pub fn error(&self, name: &str) -> Option<&ModeledError<'m>> {
        self.errors_of(name).into_iter().next()
    }

    /// All names that an error which an `errorType` matcher means may be known by: that, and of a shape of that name its code,
    /// of a code its shape. A response has the code; a client may know the shape. None is another error's.
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
            let others = CLAIMS.iter().filter_map(|claim| claim(error));
            for other in others.filter(is_meant) {
                if !names.contains(&other) {
                    names.push(other);
                }
            }
        }
        names
    }

    /// The errors with the strongest claim to a name.
    fn errors_of(&self, name: &str) -> Vec<&ModeledError<'m>> {
        let by = |claim: &Claim| {
            let errors = self.errors.iter();
            let errors: Vec<_> = errors.filter(|error| claim(error) == Some(name)).collect();
            (!errors.is_empty()).then_some(errors)
        };
        CLAIMS.iter().find_map(by).unwrap_or_default()
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

/// Whether a shape is there at all: the unit stands for none.
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
            code: code(shape),
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

fn code<'m>(shape: &'m Shape<'m>) -> Option<&'m str> {
    let applied = shape.find_trait("aws.protocols#awsQueryError")?;
    applied.value.member("code")?.as_str()
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
        let said = |name: &str| {
            let shared = || shared.and_then(|shared| shared.value.member(name));
            own.value.member(name).or_else(shared)?.as_str()
        };
        let items_path = said("items");
        let output_token_path = said("outputToken")?;
        Some(Self {
            input_token: said("inputToken")?,
            output_token: model.output_path(shape, output_token_path)?,
            output_token_path,
            items: items_path.and_then(|path| model.output_path(shape, path)),
            items_path,
            page_size: said("pageSize"),
        })
    }
}
