//! The behavior traits of an operation: idempotency and idempotency tokens, retryable errors, and request compression.
//!
//! Clause: [Behavior traits](https://smithy.io/2.0/spec/behavior-traits.html).

mod error;

use std::sync::Arc;

pub use error::{ErrorFault, ModeledError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use crate::compression::RequestCompression;
use crate::definition::json_of;
use crate::error::DefinitionError;
use crate::jmespath::Names;
use crate::model::Model;
use crate::value::{Kind, Name, ReadError, Value};

/// The behavior traits of an operation.
///
/// [`Operation::default`] is an operation without traits. Clones share their data.
///
/// # Example: a request that is idempotent if it has a token
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::operation::Operation;
///
/// let model = json!({"shapes": {
///     "demo#Allocate": {"type": "operation", "input": {"target": "demo#AllocateInput"}},
///     "demo#AllocateInput": {"type": "structure", "members": {
///         "clientToken": {"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}}}}}});
/// let allocate = Operation::from_model_value(&model, "Allocate", None)?;
/// assert_eq!(allocate.idempotency_token(), Some("clientToken"));
/// assert!(!allocate.is_idempotent(&json!({}))?);
/// assert!(allocate.is_idempotent(&json!({"clientToken": "5f0a"}))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Operation(Arc<Parsed>);

/// The traits, with the member of the token as an interned name.
#[derive(Debug, Default)]
struct Parsed {
    traits: Traits,
    token: Option<Name>,
    names: Names,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Traits {
    idempotent: bool,
    idempotency_token: Option<String>,
    /// The errors and their names. If several have the same name, the first one is used.
    errors: Vec<(String, ModeledError)>,
    compression: Option<RequestCompression>,
}

impl From<Traits> for Operation {
    fn from(traits: Traits) -> Self {
        let mut names = Names::default();
        let token = traits.idempotency_token.as_deref();
        Self(Arc::new(Parsed {
            token: token.map(|name| names.intern(name)),
            names,
            traits,
        }))
    }
}

/// Serializes the traits, without the rest of the model.
///
/// # Example: a round trip
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::operation::Operation;
///
/// let model = json!({"shapes": {"demo#Get": {"type": "operation", "traits": {"smithy.api#readonly": {}}}}});
/// let text = serde_json::to_string(&Operation::from_model_value(&model, "Get", None)?)?;
/// let get: Operation = serde_json::from_str(&text)?;
/// assert!(get.is_idempotent(&json!({}))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.traits.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Traits::deserialize(deserializer).map(Self::from)
    }
}

impl Operation {
    /// Reads an operation from the JSON AST of a Smithy model.
    ///
    /// `operation` and `service` are absolute or relative shape IDs. Without `service`, all services of the model are
    /// searched.
    ///
    /// # Errors
    ///
    /// - `invalid_json` or `invalid_model` if `model` is not a JSON AST.
    /// - `unknown_service` or `unknown_operation` if the model does not contain it.
    /// - `ambiguous_operation` if several services have an operation with this name.
    /// - `invalid_encodings` if the `requestCompression` trait has no encodings or an empty one.
    pub fn from_model(
        model: &str,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_model_value(&json_of("model", model)?, operation, service)
    }

    /// Reads an operation from the parsed JSON AST of a Smithy model. See [`from_model`](Self::from_model).
    ///
    /// # Errors
    ///
    /// The errors of [`from_model`](Self::from_model), except for `invalid_json`.
    pub fn from_model_value(
        model: &Json,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        let mut model = Model::new(model)?;
        let found = model.operation(operation, service)?;
        let has = |name: &str| model.trait_of(found.id, name).is_some();
        let token = found
            .input
            .and_then(|input| model.member_with(input, "smithy.api#idempotencyToken"));
        Ok(Self::from(Traits {
            idempotent: has("smithy.api#readonly") || has("smithy.api#idempotent"),
            idempotency_token: token.map(ToOwned::to_owned),
            errors: modeled_errors(&model, &found),
            compression: RequestCompression::from_operation(&model, &found)?,
        }))
    }

    /// Returns `true` if every request of the operation is idempotent, because it has the trait `readonly` or
    /// `idempotent`.
    #[must_use]
    pub fn is_always_idempotent(&self) -> bool {
        self.0.traits.idempotent
    }

    /// Returns `true` if a request with this input is idempotent: the operation has the trait `readonly` or
    /// `idempotent`, or the input has an idempotency token.
    ///
    /// Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    ///
    /// # Errors
    ///
    /// Returns an error if the host cannot read the input.
    pub fn is_idempotent<V: Value>(&self, input: V) -> Result<bool, ReadError> {
        // Before the input is read, which can fail.
        if self.is_always_idempotent() {
            return Ok(true);
        }
        Ok(self.0.token.is_some() && self.missing_token(input)?.is_none())
    }

    /// Returns the input member with the trait `idempotencyToken`.
    ///
    /// If the caller does not set the member, the host sets it to a random UUID before the first attempt. All retries
    /// use the same token. An empty string counts as set.
    ///
    /// Clause: [idempotencyToken trait](https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait).
    #[must_use]
    pub fn idempotency_token(&self) -> Option<&str> {
        self.0.traits.idempotency_token.as_deref()
    }

    /// Returns the [idempotency token](Self::idempotency_token)'s member if this input does not have it, or if its
    /// value is null.
    ///
    /// # Errors
    ///
    /// Returns an error if the host cannot read the input.
    pub fn missing_token<V: Value>(&self, input: V) -> Result<Option<&str>, ReadError> {
        let Some(token) = &self.0.token else {
            return Ok(None);
        };
        let is_set = match input.member_at(std::slice::from_ref(token))? {
            // An empty string is the caller's value. Rule: docs/rules.md#idempotency-tokens
            Some(value) => value.kind()? != Kind::Null,
            None => false,
        };
        Ok((!is_set).then(|| token.as_str()))
    }

    /// Sets the idempotency token of an input to the result of `source` if the operation has one and it is missing.
    ///
    /// Call this once for each request, before the first attempt, so that all retries use the same token. The feature
    /// `uuid` has a source of random tokens, `idempotency_token`.
    ///
    /// # Example: a fixed token for tests
    ///
    /// ```
    /// use serde_json::json;
    /// use smithy_waiters::operation::Operation;
    ///
    /// # let model = json!({"shapes": {
    /// #     "demo#Allocate": {"type": "operation", "input": {"target": "demo#AllocateInput"}},
    /// #     "demo#AllocateInput": {"type": "structure", "members": {
    /// #         "clientToken": {"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}}}}}});
    /// let allocate = Operation::from_model_value(&model, "Allocate", None)?;
    /// let input = allocate.with_token(json!({"size": 3}), || "token-1".to_owned());
    /// assert_eq!(input, json!({"size": 3, "clientToken": "token-1"}));
    /// # Ok::<(), smithy_waiters::DefinitionError>(())
    /// ```
    #[must_use]
    pub fn with_token(&self, mut input: Json, source: impl FnOnce() -> String) -> Json {
        let missing = self.missing_token(&input).ok().flatten();
        if let (Some(member), Some(members)) = (missing, input.as_object_mut()) {
            members.insert(member.to_owned(), source().into());
        }
        input
    }

    /// Returns the member names that the operation reads, ordered by [`Name::index`].
    #[doc(hidden)]
    #[must_use]
    pub fn names(&self) -> &[Box<str>] {
        self.0.names.texts()
    }

    /// Returns the trait `requestCompression`, if request bodies may be compressed.
    #[must_use]
    pub fn compression(&self) -> Option<&RequestCompression> {
        self.0.traits.compression.as_ref()
    }

    /// Returns the traits of an error of the operation or its service.
    ///
    /// `name` is the error's shape name, including a `rename` by the service, or its `awsQueryError` code. If a name is
    /// both, the shape takes precedence. See [docs/rules.md#modeled-errors](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#modeled-errors).
    #[must_use]
    pub fn error(&self, name: &str) -> Option<ModeledError> {
        let name = crate::definition::base_name(name);
        let found = self.0.traits.errors.iter().find(|(known, _)| known == name);
        found.map(|(_, modeled)| *modeled)
    }
}

/// Returns a new idempotency token: a random UUID.
///
/// # Example: two tokens
///
/// ```
/// use smithy_waiters::operation::idempotency_token;
///
/// assert_eq!(idempotency_token().len(), 36);
/// assert_ne!(idempotency_token(), idempotency_token());
/// ```
#[cfg(feature = "uuid")]
#[must_use]
pub fn idempotency_token() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// The source of an error's name, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameSource {
    /// The shape name, or its `rename` in the service.
    Service,
    /// The code of the trait `awsQueryError`.
    Code,
    /// The shape name, even if the service renames it.
    Shape,
}

/// Returns the errors with all their names. Of several errors with the same name, the first one takes precedence.
fn modeled_errors(
    model: &Model<'_>,
    operation: &crate::model::Operation<'_>,
) -> Vec<(String, ModeledError)> {
    let renamed = operation
        .service
        .and_then(|id| model.shape(id)?.get("rename"));
    let errors = model.errors(operation);
    let mut named = Vec::new();
    for source in [NameSource::Service, NameSource::Code, NameSource::Shape] {
        for id in &errors {
            let explicit = match source {
                NameSource::Service => renamed.and_then(|renamed| renamed.get(id)),
                NameSource::Code => model
                    .trait_of(id, "aws.protocols#awsQueryError")
                    .and_then(|error| error.get("code")),
                NameSource::Shape => None,
            };
            let name = match explicit {
                Some(Json::String(name)) => name,
                _ if source == NameSource::Code => continue,
                _ => crate::definition::base_name(id),
            };
            named.push((name.to_owned(), modeled_error(model, id)));
        }
    }
    named
}

fn modeled_error(model: &Model<'_>, id: &str) -> ModeledError {
    let fault = model
        .trait_of(id, "smithy.api#error")
        .and_then(Json::as_str);
    let retryable = model.trait_of(id, "smithy.api#retryable");
    let throttling = retryable.and_then(|retryable| retryable.get("throttling"));
    ModeledError {
        fault: match fault {
            Some("client") => ErrorFault::Client,
            Some("server") => ErrorFault::Server,
            _ => ErrorFault::Other,
        },
        retryable: retryable.is_some(),
        throttling: throttling == Some(&Json::Bool(true)),
    }
}
