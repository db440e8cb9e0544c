//! What the benchmarks print: one JSON object a line.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// One case, with the time of each contestant in nanoseconds; or one fact, with its unit.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) language: &'static str,
    pub(crate) case: String,
    pub(crate) size: String,
    pub(crate) values: Vec<(String, f64)>,
}

impl Figure {
    /// A contestant's time.
    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        self.values
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| *value)
    }

    /// How many times a contestant's time the engine's is.
    pub(crate) fn engine_over(&self, contestant: &str) -> Option<f64> {
        Some(self.value("engine")? / self.value(contestant)?)
    }
}

/// The figures among a program's lines: objects with a `case`, an optional `size` or `bytes`, and numbers.
pub(crate) fn read(language: &'static str, output: &str) -> Result<Vec<Figure>> {
    output
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| {
            let object: Map<String, Value> =
                serde_json::from_str(line).context("a line is no JSON object")?;
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
    let size = object
        .remove("size")
        .or_else(|| object.remove("bytes"))
        .map(text)
        .unwrap_or_default();
    let values = object
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_f64()?)));
    Ok(Figure {
        language,
        case,
        size,
        values: values.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn lines_that_are_no_objects_are_passed_over() {
        let output = "warming up\n{\"case\":\"a\",\"bytes\":5,\"engine\":10.0,\"byHand\":4.0}\n";
        let figures = read("Rust", output).unwrap();
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].size, "5");
        assert_eq!(figures[0].engine_over("byHand"), Some(2.5));
    }
}
