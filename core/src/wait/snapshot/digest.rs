//! The checksum of a saved state, which is computed while its text is parsed.

use std::fmt;
use std::hash::Hasher;

use fnv::FnvHasher;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Returns the digest of a JSON text. It depends on neither white space, nor the order of members, nor the notation of
/// numbers: a store such as PostgreSQL's `jsonb` changes them.
pub(super) fn digest(text: &str) -> Result<u64, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let digest = Digest.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(digest)
}

pub(super) fn checksum_of(digest: u64) -> String {
    format!("{digest:016x}")
}

pub(super) fn digest_of_text(text: &str) -> u64 {
    of_bytes(b"\"", text.as_bytes())
}

/// Returns the part of a member in the digest of its object, which is the sum of all parts.
pub(super) fn digest_of_member(name: u64, value: u64) -> u64 {
    of_bytes(&name.to_be_bytes(), &value.to_be_bytes())
}

/// Hashes a value with its kind, so that it differs from a value of another kind.
fn of_bytes(kind: &[u8], bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(kind);
    hasher.write(bytes);
    hasher.finish()
}

/// Computes the digest of any JSON value.
pub(super) struct Digest;

impl<'de> DeserializeSeed<'de> for Digest {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Digest {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(of_bytes(b"null", &[]))
    }

    fn visit_bool<E>(self, value: bool) -> Result<u64, E> {
        Ok(of_bytes(b"bool", &[value.into()]))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        // As a double, because JavaScript's parser reads each number as one. The sum is 0 for -0, too.
        Ok(of_bytes(b"number", &(value + 0.0).to_be_bytes()))
    }

    fn visit_str<E>(self, text: &str) -> Result<u64, E> {
        Ok(digest_of_text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u64, A::Error> {
        let mut hasher = FnvHasher::default();
        hasher.write(b"[");
        while let Some(item) = items.next_element_seed(Self)? {
            hasher.write(&item.to_be_bytes());
        }
        Ok(hasher.finish())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<u64, A::Error> {
        let mut sum = 0_u64;
        while let Some(name) = members.next_key_seed(Self)? {
            let value = members.next_value_seed(Self)?;
            sum = sum.wrapping_add(digest_of_member(name, value));
        }
        Ok(sum)
    }
}
