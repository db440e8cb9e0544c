//! Bodies in CBOR, with definite lengths.
//!
//! Clause: [Smithy RPC v2 CBOR](https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ciborium::Value;
use serde_json::{Map, Value as Json};
use smithy_waiters_model::{Kind, Member, Model, Shape};

/// The tag of timestamps.
const EPOCH: u64 = 1;

/// Returns the bytes of a structure. Null members are left out.
pub(super) fn body<'m>(
    model: &Model<'m>,
    shape: &Shape<'m>,
    values: &Map<String, Json>,
) -> Option<Vec<u8>> {
    structure(model, shape, values).map(|value| bytes(&value))
}

/// Returns the bytes of a map of texts.
pub(super) fn texts<const N: usize>(entries: [(&str, &str); N]) -> Vec<u8> {
    let entries = entries.map(|(name, text)| (name.into(), text.into()));
    bytes(&Value::Map(entries.into()))
}

fn bytes(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to a vector cannot fail.
    let _ = ciborium::into_writer(value, &mut out);
    out
}

fn structure<'m>(
    model: &Model<'m>,
    shape: &Shape<'m>,
    values: &Map<String, Json>,
) -> Option<Value> {
    let entries = values.iter().filter(|(_, value)| !value.is_null());
    let entries =
        entries.map(|(name, item)| Some((&**name, value(model, shape.member(name)?, item)?)));
    map(entries)
}

fn map<'n>(entries: impl Iterator<Item = Option<(&'n str, Value)>>) -> Option<Value> {
    let entries = entries.map(|entry| entry.map(|(name, value)| (name.into(), value)));
    entries.collect::<Option<Vec<_>>>().map(Value::Map)
}

fn value<'m>(model: &Model<'m>, member: &Member<'m>, json: &Json) -> Option<Value> {
    let shape = model.shape(member.target)?;
    match (shape.kind, json) {
        (Kind::Structure | Kind::Union, Json::Object(values)) => structure(model, shape, values),
        (Kind::List | Kind::Set, Json::Array(items)) => {
            let of = shape.member("member")?;
            let items = items.iter().map(|item| value(model, of, item));
            items.collect::<Option<Vec<_>>>().map(Value::Array)
        }
        (Kind::Map, Json::Object(values)) => {
            let of = shape.member("value")?;
            map(values
                .iter()
                .map(|(key, item)| Some((&**key, value(model, of, item)?))))
        }
        (Kind::Timestamp, _) => Some(Value::Tag(EPOCH, Box::new(Value::serialized(json).ok()?))),
        (Kind::Blob, Json::String(text)) => STANDARD.decode(text).ok().map(Value::Bytes),
        _ => Value::serialized(json).ok(),
    }
}
