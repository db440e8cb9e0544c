//! The output of the benchmarks: one JSON object per line.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// The name of this project's engine.
const ENGINE: &str = "engine";

/// The name of the call itself, whose time is part of all other times.
const BARE: &str = "bare";

/// The times of a case in nanoseconds, by library, or other measurements by their units.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) language: &'static str,
    pub(crate) case: String,
    pub(crate) size: String,
    values: Vec<(String, f64)>,
}

impl Figure {
    /// Returns the time of the call itself.
    pub(crate) fn bare(&self) -> Option<f64> {
        self.value(BARE)
    }

    /// Returns the engine's time without the call's.
    pub(crate) fn ours(&self) -> Option<f64> {
        Some(self.value(ENGINE)? - self.bare().unwrap_or_default())
    }

    /// Returns the times of the other libraries without the call's, by name, or other measurements by their units.
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

/// Parses the figures in a program's output: objects with a `case`, an optional `size` or `bytes`, and numbers.
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
    fn the_time_of_the_call_is_subtracted() {
        let output =
            "warming up\n{\"case\":\"a\",\"bytes\":5,\"bare\":2.0,\"engine\":10.0,\"peer\":4.0}\n";
        let figures = read("Rust", output).unwrap();
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].size, "5 bytes");
        assert_eq!(figures[0].ours(), Some(8.0));
        assert_eq!(figures[0].others().collect::<Vec<_>>(), [("peer", 2.0)]);
    }
}
