//! The options of a fleet.

use super::answer::{Chain, Shape};
use crate::error::OptionsError;
use crate::options::{FromHost, IntegerSpec, OptionSpec, RawOptions, describe_member};
use crate::value::Value;

const BATCH: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("batch", "must be an integer from 1 to 10,000"),
    least: 1,
    greatest: 10_000,
};

/// The most identifiers of a call by default: most services accept as many.
const USUAL_BATCH: usize = 100;

/// How one call answers for many resources.
///
/// # Example: instances of EC2
///
/// ```
/// use smithy_waiters::FleetOptions;
///
/// let options = FleetOptions::new("Reservations[].Instances[]", "InstanceId").batch(200);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct FleetOptions {
    items: String,
    keys: Vec<String>,
    also: Vec<(String, String)>,
    batch: u64,
}

impl FleetOptions {
    /// Creates the options from the path of the resources in an answer, such as `Volumes[]`, and the member of a
    /// resource that is its identifier.
    #[must_use]
    pub fn new(items: impl Into<String>, key: impl Into<String>) -> Self {
        Self {
            items: items.into(),
            keys: vec![key.into()],
            also: Vec::new(),
            batch: USUAL_BATCH as u64,
        }
    }

    /// Adds another member that may be the identifier, such as a name beside an ARN.
    #[must_use]
    pub fn or_key(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    /// Adds a list whose entries belong to resources, such as `failures[]` of Amazon ECS, with the member that has the
    /// identifier.
    #[must_use]
    pub fn also(mut self, items: impl Into<String>, key: impl Into<String>) -> Self {
        self.also.push((items.into(), key.into()));
        self
    }

    /// Sets the most identifiers of one call: 1 to 10,000, 100 by default.
    #[must_use]
    pub const fn batch(mut self, batch: u64) -> Self {
        self.batch = batch;
        self
    }

    /// Checks the options.
    pub(super) fn resolve(&self) -> Result<(Shape, usize), OptionsError> {
        let keys = self.keys.iter().chain(self.also.iter().map(|(_, key)| key));
        if keys
            .into_iter()
            .any(|key| key.split('.').any(str::is_empty))
        {
            return Err(OptionsError::invalid("key", KEY_RULE, "an empty name"));
        }
        let also = self
            .also
            .iter()
            .map(|(items, key)| Chain::parse("also", items).map(|chain| (chain, key.clone())));
        let shape = Shape {
            items: Chain::parse("items", &self.items)?,
            keys: self.keys.clone(),
            also: also.collect::<Result<_, _>>()?,
        };
        let batch = BATCH.checked(self.batch)?;
        Ok((shape, usize::try_from(batch).unwrap_or(USUAL_BATCH)))
    }
}

const ID: OptionSpec = OptionSpec::new("id", ID_RULE);
const ID_RULE: &str = "must be a text that is not empty";

/// Rejects an empty identifier.
pub(super) fn check_id(id: &str) -> Result<(), OptionsError> {
    if id.is_empty() {
        return Err(ID.invalid("an empty one"));
    }
    Ok(())
}

/// Returns the error for an empty identifier in a list.
pub(super) fn empty_id(index: usize) -> OptionsError {
    let problem = format!(" {ID_RULE}, got an empty one");
    OptionsError::at("ids", format!("ids[{index}]"), problem)
}

/// The identifiers of a host: the text `id`, or the array `ids`.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Identifiers(pub Vec<String>);

impl FromHost for Identifiers {
    const NAMES: &'static [&'static str] = &["id", "ids"];

    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        if let Some(id) = raw.text(&ID)? {
            check_id(&id)?;
            return Ok(Self(vec![id]));
        }
        if raw.kind("ids").is_none() {
            return Err(OptionsError::missing("id"));
        }
        raw.strings("ids", "must be an array of texts").map(Self)
    }
}

const KEY_RULE: &str =
    "must be the name of the member that identifies a resource, or an array of such names";
const OPTIONS: [&str; 4] = ["items", "key", "also", "batch"];

#[doc(hidden)]
impl FromHost for FleetOptions {
    const NAMES: &'static [&'static str] = &OPTIONS;

    /// Reads the options from an object of a host language.
    ///
    /// - `items`: a string. `key`: a string or an array of strings.
    /// - `also`: an object with a key for each path of items. `batch`: an integer.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, &OPTIONS)?;
        for name in ["items", "key"] {
            if raw.kind(name).is_none() {
                return Err(OptionsError::missing(name));
            }
        }
        let items = OptionSpec::new("items", "must be a string, such as `Volumes[]`");
        let also = OptionSpec::new(
            "also",
            "must be an object, such as {\"failures[]\": \"arn\"}",
        );
        let text = OptionSpec::new("key", KEY_RULE);
        let keys = match raw.text(&text) {
            Ok(key) => key.into_iter().collect(),
            Err(_) => raw.strings("key", KEY_RULE)?,
        };
        if keys.is_empty() {
            return Err(text.invalid("an empty array"));
        }
        let mut options = Self {
            items: raw.text(&items)?.unwrap_or_default(),
            keys,
            also: Vec::new(),
            batch: raw.integer(&BATCH)?.unwrap_or(USUAL_BATCH as u64),
        };
        for (path, key) in raw.object(&also)?.unwrap_or_default() {
            let Some(key) = key.as_str() else {
                let got = describe_member(key);
                let problem = format!(" must be the name of a member, got {got}");
                return Err(OptionsError::at(
                    "also",
                    format!("also[\"{path}\"]"),
                    problem,
                ));
            };
            options.also.push((path.clone(), key.to_owned()));
        }
        Ok(options)
    }
}
