//! The behavior traits of an operation: whether its requests may be repeated, the member that makes them so, its retryable errors,
//! and the compression of its bodies.
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

/// The behavior traits of an operation; without any, [`Operation::default`]. A clone is the same operation.
///
/// # Example: a request that is safe to repeat once it has a token
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

/// The traits, with the token's member as a name to read by.
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
    /// By their names. The first of a name counts.
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

/// As its traits, without the rest of the model.
///
/// # Example: an operation for another process
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
    /// An operation of a Smithy model, from the text of its JSON AST, by its absolute or relative shape id, and the
    /// service's where the model has several.
    ///
    /// # Errors
    ///
    /// `invalid_json`, `invalid_model`, `unknown_service`, `unknown_operation`, `ambiguous_operation`; `invalid_encodings`
    /// for a `requestCompression` trait without a supported algorithm.
    pub fn from_model(
        model: &str,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_model_value(&json_of("model", model)?, operation, service)
    }

    /// The same from a model that is parsed already.
    ///
    /// # Errors
    ///
    /// As [`from_model`](Self::from_model).
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
            compression: RequestCompression::of(&model, &found)?,
        }))
    }

    /// Whether any request may be repeated without harm: the operation is `readonly` or `idempotent`.
    #[must_use]
    pub fn is_always_idempotent(&self) -> bool {
        self.0.traits.idempotent
    }

    /// Whether a request with this input may be repeated without harm: the operation is `readonly` or `idempotent`, or the
    /// input has its idempotency token.
    ///
    /// Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    ///
    /// # Errors
    ///
    /// The host cannot read its own input.
    pub fn is_idempotent<V: Value>(&self, input: V) -> Result<bool, ReadError> {
        if self.is_always_idempotent() {
            return Ok(true);
        }
        Ok(self.0.token.is_some() && self.missing_token(input)?.is_none())
    }

    /// The input member that a host fills with a fresh UUID where the caller gave nothing, before the first attempt, and
    /// leaves as it is over the retries. An empty value is the caller's.
    ///
    /// Clause: [idempotencyToken trait](https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait).
    #[must_use]
    pub fn idempotency_token(&self) -> Option<&str> {
        self.0.traits.idempotency_token.as_deref()
    }

    /// The input member that a host is to fill with a fresh UUID: the idempotency token, where this input has none. What is
    /// null is not provided.
    ///
    /// # Errors
    ///
    /// The host cannot read its own input.
    pub fn missing_token<V: Value>(&self, input: V) -> Result<Option<&str>, ReadError> {
        let Some(token) = &self.0.token else {
            return Ok(None);
        };
        let given = match input.member(token)? {
            Some(given) => given.kind()? != Kind::Null,
            None => false,
        };
        Ok((!given).then(|| token.as_str()))
    }

    /// The input with its idempotency token: a fresh UUID, or what the source gives, where it has none and the operation takes
    /// one; what the caller gave stays. To be done once for a request, before its first attempt: its retries have the same
    /// token.
    ///
    /// # Example: a token for tests
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

    /// The member names that the operation reads, by [`Name::index`].
    #[must_use]
    pub fn names(&self) -> &[Box<str>] {
        self.0.names.texts()
    }

    /// How request bodies may be compressed, where they may.
    #[must_use]
    pub fn compression(&self) -> Option<&RequestCompression> {
        self.0.traits.compression.as_ref()
    }

    /// What the model says of an error that the operation or its service gives, by what the service calls its shape or by its
    /// `awsQueryError` code. A name that two may have is the shape's of that name, not the code.
    #[must_use]
    pub fn error(&self, name: &str) -> Option<ModeledError> {
        let name = crate::definition::base_name(name);
        let found = self.0.traits.errors.iter().find(|(known, _)| known == name);
        found.map(|(_, modeled)| *modeled)
    }
}

/// A fresh idempotency token: a random UUID.
///
/// # Example: no two are the same
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

/// What an error may be known by, the strongest claim first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// What the service calls its shape.
    Called,
    /// Its code in AWS's query protocol.
    Code,
    /// What a shape that the service calls otherwise is called elsewhere.
    Own,
}

/// Errors by the names that they may be known by: the first that has a name is meant.
fn modeled_errors(
    model: &Model<'_>,
    operation: &crate::model::Operation<'_>,
) -> Vec<(String, ModeledError)> {
    let renamed = operation
        .service
        .and_then(|id| model.shape(id)?.get("rename"));
    let errors = model.errors(operation);
    let mut named = Vec::new();
    for claim in [Claim::Called, Claim::Code, Claim::Own] {
        for id in &errors {
            let said = match claim {
                Claim::Called => renamed.and_then(|renamed| renamed.get(id)),
                Claim::Code => model
                    .trait_of(id, "aws.protocols#awsQueryError")
                    .and_then(|error| error.get("code")),
                Claim::Own => None,
            };
            let name = match said {
                Some(Json::String(name)) => name,
                _ if claim == Claim::Code => continue,
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
