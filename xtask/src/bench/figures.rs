//! What the benchmarks print: one JSON object a line.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// Ours among the contestants.
const ENGINE: &str = "engine";

/// The call alone, which is in the times of all contestants.
const BARE: &str = "bare";

/// One case, with the time of each contestant in nanoseconds; or with facts, each with its unit.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) language: &'static str,
    pub(crate) case: String,
    pub(crate) size: String,
    values: Vec<(String, f64)>,
}

impl Figure {
    /// The time of the call alone.
    pub(crate) fn bare(&self) -> Option<f64> {
        self.value(BARE)
    }

    /// Our time without the call's.
    pub(crate) fn ours(&self) -> Option<f64> {
        Some(self.value(ENGINE)? - self.bare().unwrap_or_default())
    }

    /// The times of the others without the call's, by their names; the facts by their units.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, f64)> {
        let bare = self.bare().unwrap_or_default();
        let others = self
            .values
            .iter()
            .filter(|(name, _)| ![ENGINE, BARE].contains(&&**name));
        others.map(move |(name, value)| (&**name, value - bare))
    }

    fn value(&self, name: &str) -> Option<f64> {
        self.values
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| *value)
    }
}

/// The figures among a program's lines: objects with a `case`, an optional `size` or `bytes`, and numbers.
pub(crate) fn read(language: &'static str, output: &str) -> Result<Vec<Figure>> {
    output
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| {
            let object: Map<String, Value> =
                serde_json::from_str(line).context("a line is not a JSON object")?;
            figure(language, object)
        })
        .collect()
}

fn figure(language: &'static str, mut object: Map<String, Value>) -> Result<Figure> {
    let text = |value: Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), ToOwned::to_owned)
    };
    let case = object
        .remove("case")
        .map(text)
        .context("a figure has no `case`")?;
    let bytes = object.remove("bytes").map(|bytes| format!("{bytes} bytes"));
    let size = object.remove("size").map(text).or(bytes);
    let values = object
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_f64()?)));
    Ok(Figure {
        language,
        case,
        size: size.unwrap_or_default(),
        values: values.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_call_alone_is_in_no_time() {
        let output =
            "warming up\n{\"case\":\"a\",\"bytes\":5,\"bare\":2.0,\"engine\":10.0,\"peer\":4.0}\n";
        let figures = read("Rust", output).unwrap();
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].size, "5 bytes");
        assert_eq!(figures[0].ours(), Some(8.0));
        assert_eq!(figures[0].others().collect::<Vec<_>>(), [("peer", 2.0)]);
    }
}
