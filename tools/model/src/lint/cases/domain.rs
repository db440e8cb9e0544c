//! The distinguished values of variables, and their combinations.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::typed::{Comparison, Numbers};

/// The maximum number of strings for an array. Each one doubles the number of cases, so ten would exceed the limit of
/// cases.
const MAX_TEXTS: usize = 9;

/// A distinguished value, or a class of all others.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Boolean(bool),
    /// An array: the distinguished strings in it, and whether it contains any other element.
    Elements {
        texts: Vec<Rc<str>>,
        other: bool,
    },
    /// No value, because the evaluation failed.
    Failed,
    /// Any other falsy value.
    Falsy,
    Null,
    Number(f64),
    Text(Rc<str>),
    /// Any other truthy value.
    Truthy,
}

/// The kind of a variable.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Any,
    Array { empty: bool },
    Boolean(Option<bool>),
    Null,
    Number(Numbers),
    Object,
    Text { empty: bool },
}

/// A value in a path that can have any value of its kind.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    pub(super) fails: bool,
    /// The literals that the value is compared with.
    pub(super) texts: BTreeSet<Rc<str>>,
    pub(super) numbers: Vec<f64>,
    /// The unions that contain the value, by key, with the member that leads to it.
    pub(super) unions: Vec<(String, String)>,
}

/// Variables by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(BTreeMap<String, Variable>);

/// The variables of several conditions.
#[derive(Debug, Default)]
pub(super) struct Domains(Variables);

/// The values of each variable.
#[derive(Debug)]
pub(super) struct Cases<'d> {
    values: BTreeMap<&'d str, Vec<Value>>,
    /// For each union, the variables in it with the member that leads to them.
    unions: Vec<Vec<(&'d str, &'d str)>>,
}

/// A combination of values.
#[derive(Debug)]
pub(super) struct Case<'d>(BTreeMap<&'d str, &'d Value>);

impl Value {
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Boolean(value) => *value,
            Self::Elements { texts, other } => *other || !texts.is_empty(),
            Self::Failed | Self::Falsy | Self::Null => false,
            Self::Number(_) | Self::Truthy => true,
            Self::Text(text) => !text.is_empty(),
        }
    }

    /// Returns the result of a comparison with a literal.
    pub(super) fn compare(&self, comparison: Comparison, literal: &Self) -> Self {
        if *self == Self::Failed {
            return Self::Failed;
        }
        match (comparison, self, literal) {
            (Comparison::Equal, _, _) => Self::Boolean(self == literal),
            (Comparison::NotEqual, _, _) => Self::Boolean(self != literal),
            (_, Self::Number(left), Self::Number(right)) => Self::Boolean(match comparison {
                Comparison::Less => left < right,
                Comparison::LessOrEqual => left <= right,
                Comparison::Greater => left > right,
                _ => left >= right,
            }),
            _ => Self::Null,
        }
    }
}

impl Variables {
    pub(super) fn add(&mut self, key: &str, variable: Variable) {
        self.0.entry(key.to_owned()).or_insert(variable);
    }

    pub(super) fn add_text(&mut self, key: &str, text: &str) {
        if let Some(variable) = self.0.get_mut(key) {
            variable.texts.insert(text.into());
        }
    }

    pub(super) fn add_number(&mut self, key: &str, number: f64) {
        if let Some(variable) = self.0.get_mut(key) {
            variable.numbers.push(number);
        }
    }

    /// Returns the number of variables, and of strings for them, that two conditions share.
    pub(super) fn count_shared(&self, other: &Self) -> usize {
        let shared = self.0.iter().filter_map(|(key, variable)| {
            let other = other.0.get(key)?;
            let texts = variable.texts.intersection(&other.texts).count();
            Some(texts.saturating_add(1))
        });
        shared.sum()
    }

    fn join(&mut self, other: &Self) {
        for (key, variable) in &other.0 {
            let known = self
                .0
                .entry(key.clone())
                .or_insert_with(|| variable.clone());
            known.texts.extend(variable.texts.iter().cloned());
            known.numbers.extend(&variable.numbers);
        }
    }
}

impl Variable {
    /// Returns the distinguished values, or `None` if there are too many.
    fn values(&self) -> Option<Vec<Value>> {
        let mut values = match &self.kind {
            Kind::Any => self.anything(),
            Kind::Array { empty } => subsets(&self.texts, *empty)?,
            Kind::Boolean(Some(value)) => vec![Value::Boolean(*value)],
            Kind::Boolean(None) => vec![Value::Boolean(true), Value::Boolean(false)],
            Kind::Null => Vec::new(),
            Kind::Number(numbers) => between(&self.numbers, numbers),
            Kind::Object => vec![Value::Truthy, Value::Falsy],
            Kind::Text { empty } => {
                let falsy = empty.then(|| Value::Text("".into()));
                let falsy = falsy.filter(|_| !self.texts.contains(""));
                self.texts().chain([Value::Truthy]).chain(falsy).collect()
            }
        };
        let null = self.nullable || matches!(self.kind, Kind::Null);
        values.extend(
            null.then_some(Value::Null)
                .filter(|null| !values.contains(null)),
        );
        values.extend(self.fails.then_some(Value::Failed));
        Some(values)
    }

    /// Returns an upper bound for the number of values. The subsets of an array are not created.
    fn count(&self) -> Option<usize> {
        if !matches!(self.kind, Kind::Array { .. }) {
            return Some(self.values()?.len());
        }
        let texts = Some(self.texts.len()).filter(|texts| *texts <= MAX_TEXTS)?;
        let sets = 2_usize.checked_shl(u32::try_from(texts).ok()?)?;
        let others = usize::from(self.nullable).saturating_add(usize::from(self.fails));
        sets.checked_add(others)
    }

    fn texts(&self) -> impl Iterator<Item = Value> {
        self.texts.iter().cloned().map(Value::Text)
    }

    fn anything(&self) -> Vec<Value> {
        let numbers = self.numbers.iter().copied().map(Value::Number);
        let others = [
            Value::Boolean(true),
            Value::Boolean(false),
            Value::Falsy,
            Value::Null,
            Value::Truthy,
        ];
        self.texts().chain(numbers).chain(others).collect()
    }
}

/// Returns all subsets of the strings, each with and without another element.
fn subsets(texts: &BTreeSet<Rc<str>>, empty: bool) -> Option<Vec<Value>> {
    if texts.len() > MAX_TEXTS {
        return None;
    }
    let mut sets: Vec<Vec<Rc<str>>> = vec![Vec::new()];
    for text in texts {
        let with: Vec<Vec<Rc<str>>> = sets
            .iter()
            .map(|set| set.iter().chain([text]).cloned().collect())
            .collect();
        sets.extend(with);
    }
    let both = sets.into_iter().flat_map(|texts| {
        let alone = Value::Elements {
            texts: texts.clone(),
            other: false,
        };
        let other = Value::Elements { texts, other: true };
        [alone, other]
    });
    let is_there = |value: &Value| empty || value.is_true();
    Some(both.filter(is_there).collect())
}

/// Returns the literals and one number in each gap between them, within the bounds.
fn between(named: &[f64], bounds: &Numbers) -> Vec<Value> {
    let mut named = named.to_vec();
    named.sort_by(f64::total_cmp);
    named.dedup();
    let below = named.first().map_or(0.0, |first| first - 1.0);
    let above = named.last().map(|last| last + 1.0);
    let gaps = named.windows(2).map(|pair| pair.iter().sum::<f64>() / 2.0);
    let all = std::iter::once(below).chain(gaps).chain(above);
    let mut numbers: Vec<f64> = all.chain(named.iter().copied()).collect();
    if bounds.are_integers() {
        let both = |number: &f64| [number.floor(), number.ceil()];
        numbers = numbers
            .iter()
            .flat_map(both)
            .chain(named.iter().copied())
            .collect();
    }
    numbers.extend(bounds.ends());
    // A service can add values to an enum, so values outside of it are possible.
    numbers.retain(|number| matches!(bounds, Numbers::Among(_)) || bounds.has(*number));
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers.into_iter().map(Value::Number).collect()
}

impl Domains {
    /// Adds the variables of a condition. Returns `false` without a change if there would be too many cases.
    pub(super) fn add(&mut self, others: &Variables, most: usize) -> bool {
        let mut variables = self.0.clone();
        variables.join(others);
        let mut counts = variables.0.values().map(Variable::count);
        let cases = counts.try_fold(1_usize, |cases, count| cases.checked_mul(count?));
        let fits = cases.is_some_and(|cases| cases <= most);
        if fits {
            self.0 = variables;
        }
        fits
    }

    /// Returns all combinations.
    pub(super) fn cases(&self) -> Cases<'_> {
        let variables = self.0.0.iter();
        let values = variables.map(|(key, variable)| {
            let values = variable.values().unwrap_or_default();
            (key.as_str(), values)
        });
        Cases {
            values: values.collect(),
            unions: self.unions(),
        }
    }

    fn unions(&self) -> Vec<Vec<(&str, &str)>> {
        let mut unions: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for (key, variable) in &self.0.0 {
            for (union, member) in &variable.unions {
                unions.entry(union).or_default().push((key, member));
            }
        }
        unions.into_values().collect()
    }
}

impl Cases<'_> {
    /// Iterates over the possible combinations.
    pub(super) fn iter(&self) -> impl Iterator<Item = Case<'_>> {
        let counts = self.values.values().map(Vec::len);
        let count: usize = counts.product();
        let cases = (0..count).map(|number| Case::new(self, number));
        cases.filter(|case| {
            self.unions
                .iter()
                .all(|union| case.is_possible_union(union))
        })
    }
}

impl<'d> Case<'d> {
    fn new(cases: &'d Cases<'_>, number: usize) -> Self {
        let mut rest = number;
        let mut values = BTreeMap::new();
        for (key, of_variable) in &cases.values {
            let place = rest.checked_rem(of_variable.len()).unwrap_or_default();
            rest = rest.checked_div(of_variable.len()).unwrap_or_default();
            if let Some(value) = of_variable.get(place) {
                values.insert(*key, value);
            }
        }
        Self(values)
    }

    /// Returns `true` if at most one member of a union is set.
    fn is_possible_union(&self, union: &[(&str, &str)]) -> bool {
        let is_there = |key: &str| {
            let value = self.0.get(key);
            value.is_some_and(|value| !matches!(value, Value::Failed | Value::Null))
        };
        let mut there = union.iter().filter(|(key, _)| is_there(key));
        let first = there.next();
        first.is_none_or(|(_, first)| there.all(|(_, member)| member == first))
    }

    /// Returns the value of a variable.
    pub(super) fn value(&self, key: &str) -> Value {
        self.0
            .get(key)
            .map_or(Value::Failed, |value| (*value).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        match value {
            Value::Boolean(value) => value.to_string(),
            Value::Elements { texts, other } => {
                let other = other.then_some("..");
                format!(
                    "{:?}",
                    texts
                        .iter()
                        .map(|text| &**text)
                        .chain(other)
                        .collect::<Vec<_>>()
                )
                .replace('"', "")
            }
            Value::Number(number) => number.to_string(),
            Value::Text(text) => format!("'{text}'"),
            other => format!("{other:?}"),
        }
    }

    fn variable(kind: Kind, texts: &[&str], numbers: &[f64]) -> Variable {
        Variable {
            kind,
            nullable: false,
            fails: false,
            texts: texts.iter().map(|text| Rc::from(*text)).collect(),
            numbers: numbers.to_vec(),
            unions: Vec::new(),
        }
    }

    /// Returns a member of a union that is null or not.
    fn member(union: &str, name: &str) -> Variable {
        Variable {
            nullable: true,
            unions: vec![(union.to_owned(), name.to_owned())],
            ..variable(Kind::Boolean(Some(true)), &[], &[])
        }
    }

    fn values(variable: &Variable) -> String {
        let values = variable.values().unwrap();
        let count = variable.count().unwrap();
        let is_array = matches!(variable.kind, Kind::Array { empty: false });
        assert_eq!(
            count,
            values.len().saturating_add(is_array.into()),
            "{variable:?}"
        );
        values.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_variable_has_the_values_that_its_literals_distinguish() {
        let between = |min, max| Kind::Number(Numbers::Between(min, max));
        let integers = |min, max| Kind::Number(Numbers::Integers(min, max));
        let infinity = f64::INFINITY;
        for (kind, texts, numbers, expected) in [
            (
                Kind::Any,
                &["a"][..],
                &[1.0][..],
                "'a' 1 true false Falsy Null Truthy",
            ),
            (Kind::Array { empty: true }, &[], &[], "[] [..]"),
            (
                Kind::Array { empty: false },
                &["a", "b"],
                &[],
                "[..] [a] [a, ..] [b] [b, ..] [a, b] [a, b, ..]",
            ),
            (Kind::Boolean(None), &["a"], &[], "true false"),
            (Kind::Boolean(Some(false)), &[], &[], "false"),
            (Kind::Null, &["a"], &[], "Null"),
            (Kind::Object, &["a"], &[], "Truthy Falsy"),
            (Kind::Text { empty: true }, &["a"], &[], "'a' Truthy ''"),
            (Kind::Text { empty: true }, &[""], &[], "'' Truthy"),
            (
                Kind::Text { empty: false },
                &["a", "b"],
                &[],
                "'a' 'b' Truthy",
            ),
            (between(-infinity, infinity), &[], &[], "0"),
            (
                between(-infinity, infinity),
                &[],
                &[3.0, 1.0, 3.0],
                "0 1 2 3 4",
            ),
            (between(1.0, 3.5), &[], &[3.0, 2.0], "1 2 2.5 3 3.5"),
            (integers(-infinity, infinity), &[], &[1.0, 2.0], "0 1 2 3"),
            (integers(-infinity, infinity), &[], &[1.5], "0 1 2 3"),
            (integers(0.0, 2.0), &[], &[2.0, 5.0], "0 1 2"),
            (
                Kind::Number(Numbers::Among([1.0, 7.0].into())),
                &[],
                &[4.0],
                "1 3 4 5 7",
            ),
        ] {
            let mut variable = variable(kind, texts, numbers);
            assert_eq!(values(&variable), expected);
            variable.nullable = true;
            variable.fails = true;
            let null = if expected.contains("Null") {
                ""
            } else {
                " Null"
            };
            assert_eq!(values(&variable), format!("{expected}{null} Failed"));
        }
    }

    #[test]
    fn an_array_has_a_maximum_number_of_strings() {
        let texts = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let array = |texts| variable(Kind::Array { empty: true }, texts, &[]);
        assert_eq!(array(&texts[..9]).count(), Some(1024));
        assert_eq!(
            array(&texts[..9]).values().map(|values| values.len()),
            Some(1024)
        );
        assert_eq!(array(&texts).count(), None);
        assert_eq!(array(&texts).values(), None);
    }

    #[test]
    fn cases_combine_the_values_of_all_conditions_within_a_limit() {
        let of = |variables: &[(&str, Variable)]| {
            let variables = variables.iter().cloned();
            Variables(
                variables
                    .map(|(key, variable)| (key.to_owned(), variable))
                    .collect(),
            )
        };
        let text = |texts: &[&str]| variable(Kind::Text { empty: false }, texts, &[]);
        let mut domains = Domains::default();
        assert!(domains.add(
            &of(&[
                ("a", text(&["x"])),
                ("b", variable(Kind::Boolean(None), &[], &[]))
            ]),
            4
        ));
        assert!(!domains.add(&of(&[("a", text(&["y"]))]), 5));
        assert!(domains.add(&of(&[("a", text(&["x"]))]), 4));
        assert!(domains.add(
            &of(&[("c", variable(Kind::Number(Numbers::ANY), &[], &[]))]),
            4
        ));
        assert!(domains.add(&of(&[("c", variable(Kind::Null, &[], &[2.0]))]), 12));
        let cases = |domains: &Domains| -> Vec<String> {
            let cases = domains.cases();
            let shown = |case: Case<'_>| {
                case.0
                    .values()
                    .map(|value| shown(value))
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            cases.iter().map(shown).collect()
        };
        let expected = ["'x' true", "Truthy true", "'x' false", "Truthy false"];
        let expected =
            ["1", "2", "3"].map(|number| expected.map(|case| format!("{case} {number}")));
        assert_eq!(cases(&domains), expected.concat());
        // At most one member of a union is there.
        let mut domains = Domains::default();
        let union = [
            ("a", member("u", "a")),
            ("b", member("u", "b")),
            ("c", member("v", "c")),
            ("d", member("u", "b")),
        ];
        assert!(domains.add(&of(&union), 16));
        assert_eq!(
            cases(&domains),
            [
                "Null true true true",
                "Null Null true true",
                "Null true Null true",
                "Null Null Null true",
                "Null true true Null",
                "true Null true Null",
                "Null Null true Null",
                "Null true Null Null",
                "true Null Null Null",
                "Null Null Null Null",
            ]
        );
    }
}
