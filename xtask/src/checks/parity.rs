//! `cargo xtask parity`: compares the languages' results on the vectors.

use fs_err as fs;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value as Json};
use similar::TextDiff;

use super::vectors;
use crate::project::Project;
use crate::report;

/// The languages that have a runner. The results of the others are compared with those of the first.
const LANGUAGES: [&str; 3] = ["rust", "javascript", "python"];

/// The hosts of the component, which run the vectors that its interface can express.
const COMPONENT: [&str; 2] = ["component-python", "component-javascript"];

/// Checks that every vector of `tests/vectors` has the same result in Rust, JavaScript and Python.
///
/// Compares the files that the three runners wrote to `target/vectors/`, as canonical JSON (RFC 8785). A missing result is
/// a difference. To run the vectors first, use `cargo xtask test --only parity`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    check(project).map(drop)
}

/// Compares all results and returns a summary of them.
pub(crate) fn check(project: &Project) -> Result<String> {
    let kinds = vectors::all(project)?;
    let kinds = kinds.into_iter().map(|vector| (vector.id, vector.kind));
    let expected = Expectation {
        kinds: kinds.collect(),
        pending: vectors::kinds_not_run(project)?,
    };
    let results = LANGUAGES
        .into_iter()
        .map(|language| Ok((language, results(project, language)?)))
        .collect::<Result<Vec<_>>>()?;
    let mut differences = compare(&expected, &results)?;
    let of_rust = results.first().map(|(_, results)| results);
    for host in COMPONENT {
        differences.extend(of_component(project, host, of_rust)?);
    }
    for difference in &differences {
        report::note(&difference.to_string());
    }
    conclude(&expected, &differences)
}

/// Compares the component's results in a host with those of the native engine. Vectors that the interface cannot express
/// have no result; the runner reports their number and the reasons.
fn of_component(
    project: &Project,
    host: &'static str,
    of_rust: Option<&Results>,
) -> Result<Vec<Difference>> {
    if !project.target(&format!("vectors/{host}.json")).is_file() {
        report::note(&format!("{host}: no results, its step did not run"));
        return Ok(Vec::new());
    }
    let results = results(project, host)?;
    report::note(&format!("{host}: {} vectors", results.len()));
    let mut differences = Vec::new();
    for (id, result) in &results {
        let what = match of_rust.and_then(|results| results.get(id)) {
            Some(native) => lines(native, result)?.map(What::Different),
            None => Some(What::Surplus),
        };
        differences.extend(what.map(|what| Difference {
            id: id.clone(),
            language: host,
            what,
        }));
    }
    Ok(differences)
}

/// The vectors that need a result.
#[derive(Debug, Default)]
struct Expectation {
    /// The kind of each vector, by its id.
    kinds: BTreeMap<String, String>,
    /// The kinds that a language does not run yet.
    pending: BTreeMap<String, BTreeSet<String>>,
}

impl Expectation {
    /// Returns `true` if the language does not run the vector yet.
    fn is_pending(&self, language: &str, id: &str) -> bool {
        let kinds = self.pending.get(language);
        let kind = self.kinds.get(id);
        kinds
            .zip(kind)
            .is_some_and(|(kinds, kind)| kinds.contains(kind))
    }

    /// Returns the number of vectors that each language does not run yet, as text; empty if all languages run all vectors.
    fn not_run(&self) -> String {
        let count = |language: &str| {
            let ids = self.kinds.keys();
            ids.filter(|id| self.is_pending(language, id)).count()
        };
        let counts: Vec<String> = LANGUAGES
            .into_iter()
            .map(|language| (language, count(language)))
            .filter(|(_, count)| *count > 0)
            .map(|(language, count)| format!("{language} {count}"))
            .collect();
        if counts.is_empty() {
            return String::new();
        }
        format!("; not run yet: {}", counts.join(", "))
    }
}

/// The results of one language by the ids of the vectors.
type Results = Map<String, Json>;

/// A vector with different results.
#[derive(Debug, PartialEq, Eq)]
struct Difference {
    id: String,
    language: &'static str,
    what: What,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    /// The lines that differ.
    Different(String),
    Missing,
    /// A result of a kind that `pending.json` lists.
    Pending,
    /// A result of a vector that does not exist: the file is out of date.
    Surplus,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, language, what } = self;
        match what {
            What::Different(lines) => write!(f, "`{id}`: {language} differs\n{lines}"),
            What::Missing => write!(f, "`{id}`: {language} has no result"),
            What::Pending => write!(
                f,
                "`{id}`: {language} has a result of a kind that is said to be pending"
            ),
            What::Surplus => write!(
                f,
                "`{id}`: {language} has a result, there is no such vector"
            ),
        }
    }
}

fn compare(expected: &Expectation, results: &[(&'static str, Results)]) -> Result<Vec<Difference>> {
    let mut differences = Vec::new();
    let Some(((_, first), _)) = results.split_first() else {
        return Ok(differences);
    };
    let known = results
        .iter()
        .flat_map(|(_, results)| results.keys())
        .chain(expected.kinds.keys());
    for id in known.collect::<BTreeSet<_>>() {
        for (language, results) in results {
            let is_pending = expected.is_pending(language, id);
            let known = expected.kinds.contains_key(id);
            let what = match (known, first.get(id), results.get(id)) {
                (true, _, None) if is_pending => None,
                (true, _, Some(_)) if is_pending => Some(What::Pending),
                (true, _, None) => Some(What::Missing),
                (true, Some(one), Some(other)) => lines(one, other)?.map(What::Different),
                (false, _, Some(_)) => Some(What::Surplus),
                (true, None, Some(_)) | (false, _, None) => None,
            };
            differences.extend(what.map(|what| Difference {
                id: id.clone(),
                language,
                what,
            }));
        }
    }
    Ok(differences)
}

/// Returns the lines that differ, or `None` if the canonical texts are equal.
fn lines(one: &Json, other: &Json) -> Result<Option<String>> {
    let canonical = [
        serde_json_canonicalizer::to_string(one)?,
        serde_json_canonicalizer::to_string(other)?,
    ];
    if canonical[0] == canonical[1] {
        return Ok(None);
    }
    // A canonical text is a single line, which people cannot compare.
    let pretty = canonical.map(|text| pretty(&text));
    let [one, other] = [pretty[0].as_deref(), pretty[1].as_deref()].map(Option::unwrap_or_default);
    let diff = TextDiff::from_lines(one, other);
    Ok(Some(diff.unified_diff().context_radius(2).to_string()))
}

fn pretty(canonical: &str) -> Option<String> {
    let json: Json = serde_json::from_str(canonical).ok()?;
    serde_json::to_string_pretty(&json)
        .ok()
        .map(|text| text + "\n")
}

fn conclude(expected: &Expectation, differences: &[Difference]) -> Result<String> {
    let ids = &expected.kinds;
    ensure!(!ids.is_empty(), "there are no vectors");
    let bad: BTreeSet<&str> = differences
        .iter()
        .map(|difference| difference.id.as_str())
        .collect();
    let passed = ids.keys().filter(|id| !bad.contains(id.as_str())).count();
    let sentence = format!(
        "{} vectors, {} languages, {} differences{}",
        ids.len(),
        LANGUAGES.len(),
        differences.len(),
        expected.not_run()
    );
    report::note(&sentence);
    report::note(&format!("{passed} passed, {} failed", bad.len()));
    if !bad.is_empty() {
        bail!("{sentence}");
    }
    Ok(sentence)
}

fn results(project: &Project, language: &str) -> Result<Results> {
    let path = project.target(&format!("vectors/{language}.json"));
    let hint = || {
        format!(
            "no results of {language} in `{}`: run its vectors first",
            project.display(&path)
        )
    };
    ensure!(path.is_file(), hint());
    read(&path)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path)?;
    serde_json::from_str(&text).with_context(|| format!("cannot parse `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{Difference, Expectation, Results, What, compare, conclude};

    fn expectation() -> Expectation {
        Expectation {
            kinds: ["one", "two"]
                .map(|id| (id.to_owned(), format!("kind-of-{id}")))
                .into(),
            ..Expectation::default()
        }
    }

    fn results(json: Json) -> Results {
        json.as_object().cloned().unwrap()
    }

    fn differences(python: Json) -> Vec<Difference> {
        let good = || results(json!({"one": {"a": 1, "b": [true]}, "two": null}));
        let all = [
            ("rust", good()),
            ("javascript", good()),
            ("python", results(python)),
        ];
        compare(&expectation(), &all).unwrap()
    }

    #[test]
    fn equal_results_agree_whatever_their_order_and_the_form_of_their_numbers() {
        let none = differences(json!({"two": null, "one": {"b": [true], "a": 1.0}}));
        assert_eq!(none, []);
        assert_eq!(
            conclude(&expectation(), &none).unwrap(),
            "2 vectors, 3 languages, 0 differences"
        );
    }

    #[test]
    fn a_changed_result_is_a_difference() {
        let found = differences(json!({"one": {"a": 1, "b": [1]}, "two": null}));
        let [
            Difference {
                id,
                language: "python",
                what: What::Different(lines),
            },
        ] = &found[..]
        else {
            panic!("{found:?}");
        };
        assert_eq!(id, "one");
        assert!(lines.contains("-    true\n+    1\n"), "{lines}");
        let error = conclude(&expectation(), &found).unwrap_err();
        assert_eq!(error.to_string(), "2 vectors, 3 languages, 1 differences");
    }

    #[test]
    fn a_missing_result_is_a_difference() {
        let found = differences(json!({"one": {"a": 1, "b": [true]}}));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "`two`: python has no result");
        assert!(conclude(&expectation(), &found).is_err());
    }

    #[test]
    fn a_result_of_no_vector_is_a_difference() {
        let found = differences(json!({"one": {"a": 1, "b": [true]}, "two": null, "three": 3}));
        assert_eq!(
            found[0].to_string(),
            "`three`: python has a result, there is no such vector"
        );
        assert!(conclude(&expectation(), &found).is_err());
    }

    #[test]
    fn a_result_that_the_first_language_misses_is_its_difference() {
        let all = [
            ("rust", results(json!({"two": 2}))),
            ("python", results(json!({"one": 1, "two": 2}))),
        ];
        let found = compare(&expectation(), &all).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "`one`: rust has no result");
    }

    #[test]
    fn no_vectors_are_no_agreement() {
        assert!(conclude(&Expectation::default(), &[]).is_err());
    }

    #[test]
    fn what_a_language_does_not_run_yet_is_said() {
        let pending = ("python".to_owned(), ["kind-of-two".to_owned()].into());
        let expected = Expectation {
            pending: [pending].into(),
            ..expectation()
        };
        let with = |python: Json| {
            let all = [
                ("rust", results(json!({"one": 1, "two": 2}))),
                ("python", results(python)),
            ];
            compare(&expected, &all).unwrap()
        };
        let none = with(json!({"one": 1}));
        assert_eq!(
            conclude(&expected, &none).unwrap(),
            "2 vectors, 3 languages, 0 differences; not run yet: python 1"
        );
        assert_eq!(with(json!({"one": 1, "two": 2}))[0].what, What::Pending);
        assert_eq!(with(json!({"one": 1, "two": 3}))[0].what, What::Pending);
        assert_eq!(with(json!({}))[0].what, What::Missing);
    }
}
