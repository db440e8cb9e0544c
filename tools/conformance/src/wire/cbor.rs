//! Bodies in CBOR, with definite lengths.
//!
//! Clause: [Smithy RPC v2 CBOR](https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json};
use smithy_waiters_model::{Kind, Member, Model, Shape};

const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;
/// The tag of timestamps.
const EPOCH: u64 = 1;

/// Returns a structure. Null members are left out.
pub(super) fn structure<'m>(
    model: &Model<'m>,
    shape: &Shape<'m>,
    values: &Map<String, Json>,
) -> Option<Vec<u8>> {
    let entries = values.iter().filter(|(_, value)| !value.is_null());
    let entries = entries
        .map(|(name, value)| Some((&**name, self::value(model, shape.member(name)?, value)?)));
    Some(map(&entries.collect::<Option<Vec<_>>>()?))
}

/// Returns a map.
pub(super) fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = head(MAP, size(entries.len()));
    for (key, value) in entries {
        out.extend(text(key));
        out.extend(value);
    }
    out
}

/// Returns a string.
pub(super) fn text(text: &str) -> Vec<u8> {
    sized(TEXT, text.as_bytes())
}

fn value<'m>(model: &Model<'m>, member: &Member<'m>, json: &Json) -> Option<Vec<u8>> {
    let shape = model.shape(member.target)?;
    Some(match (shape.kind, json) {
        (Kind::Structure | Kind::Union, Json::Object(values)) => structure(model, shape, values)?,
        (Kind::List | Kind::Set, Json::Array(items)) => {
            let of = shape.member("member")?;
            let written = items.iter().map(|item| value(model, of, item));
            let mut out = head(ARRAY, size(items.len()));
            out.extend(written.collect::<Option<Vec<_>>>()?.concat());
            out
        }
        (Kind::Map, Json::Object(values)) => {
            let of = shape.member("value")?;
            let entries = values
                .iter()
                .map(|(key, item)| Some((&**key, value(model, of, item)?)));
            map(&entries.collect::<Option<Vec<_>>>()?)
        }
        (Kind::Timestamp, _) => [head(TAG, EPOCH), number(json)?].concat(),
        (Kind::Blob, Json::String(text)) => sized(BYTES, &STANDARD.decode(text).ok()?),
        (_, Json::String(string)) => text(string),
        (_, Json::Number(_)) => number(json)?,
        (_, Json::Bool(false)) => vec![0xf4],
        (_, Json::Bool(true)) => vec![0xf5],
        (_, Json::Null) => vec![0xf6],
        _ => return None,
    })
}

fn number(json: &Json) -> Option<Vec<u8>> {
    if let Some(number) = json.as_u64() {
        return Some(head(UNSIGNED, number));
    }
    if let Some(number) = json.as_i64() {
        return Some(head(
            NEGATIVE,
            u64::try_from(number.checked_neg()?.checked_sub(1)?).ok()?,
        ));
    }
    let mut out = vec![0xfb];
    out.extend(json.as_f64()?.to_be_bytes());
    Some(out)
}

fn sized(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = head(kind, size(bytes.len()));
    out.extend(bytes);
    out
}

fn size(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Returns the type of an item and its number in the shortest form.
fn head(kind: u8, number: u64) -> Vec<u8> {
    let kind = kind << 5;
    let bytes = number.to_be_bytes();
    let (info, width) = match number {
        0..=23 => (bytes.last().copied().unwrap_or_default(), 0),
        24..=0xff => (24, 1),
        0x100..=0xffff => (25, 2),
        0x1_0000..=0xffff_ffff => (26, 4),
        _ => (27, 8),
    };
    let mut out = vec![kind | info];
    out.extend(bytes.iter().skip(bytes.len().saturating_sub(width)));
    out
}
