//! Keys of expressions: expressions with equal keys have equal values.

use crate::typed::{Comparison, Expression, Op};

/// The maximum length of a key. The length of a key can double with each level of an expression.
const MAX_LENGTH: usize = 1024;

/// Returns the key of an expression that is evaluated on `current`, or `None` if the key is too long.
pub(super) fn key(expression: &Expression<'_>, current: &str) -> Option<String> {
    let text = match &expression.op {
        Op::And(sides) => infix("&&", &pair(sides, current)?),
        Op::Call(function, arguments) => call(function.name(), &keys(arguments, current)?),
        Op::Compare(comparison, sides) => compare(*comparison, pair(sides, current)?),
        Op::Current => current.to_owned(),
        Op::Each { of, when, each } => {
            let when = when
                .as_ref()
                .map_or_else(|| Some(String::new()), |when| key(when, "@"));
            projection(&key(of, current)?, &when?, &key(each, "@")?)
        }
        Op::Flatten(of) => key(of, current)? + "[]",
        Op::Index(of, index) => indexed(&key(of, current)?, *index),
        Op::List(elements) => list(current, &keys(elements, current)?),
        Op::Literal(value) => literal(value),
        Op::Member(of, name) => member(&key(of, current)?, name),
        Op::Not(of) => "!".to_owned() + &key(of, current)?,
        Op::Or(sides) => infix("||", &pair(sides, current)?),
        Op::Record(members) => record(current, members)?,
        Op::Reference(of) => "&".to_owned() + &key(of, "@")?,
        Op::Slice {
            of,
            start,
            stop,
            step,
        } => slice(&key(of, current)?, (*start, *stop, *step)),
        Op::Then(sides) => {
            let [left, right] = sides.as_ref();
            return key(right, &key(left, current)?);
        }
        Op::Values(of) => key(of, current)? + ".*",
    };
    (text.len() <= MAX_LENGTH).then_some(text)
}

// These are separate functions to keep the stack frame of the recursive function small.

fn infix(operator: &str, [left, right]: &[String; 2]) -> String {
    format!("({left} {operator} {right})")
}

fn compare(comparison: Comparison, mut sides: [String; 2]) -> String {
    if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
        sides.sort_unstable();
    }
    infix(&format!("{comparison:?}"), &sides)
}

fn call(name: &str, arguments: &str) -> String {
    format!("{name}({arguments})")
}

fn projection(of: &str, when: &str, each: &str) -> String {
    format!("({of} [{when}] {each})")
}

fn indexed(of: &str, index: i64) -> String {
    format!("{of}[{index}]")
}

fn list(current: &str, elements: &str) -> String {
    format!("{current}[{elements}]")
}

fn literal(value: &serde_json::Value) -> String {
    format!("`{value}`")
}

fn member(of: &str, name: &str) -> String {
    format!("{of}.{name:?}")
}

fn record(current: &str, members: &[(String, Expression<'_>)]) -> Option<String> {
    let members = members.iter().map(|(name, value)| {
        let value = key(value, current)?;
        Some(format!("{name:?}: {value}"))
    });
    let members: Vec<String> = members.collect::<Option<_>>()?;
    Some(format!("{current}{{{}}}", members.join(", ")))
}

fn slice(of: &str, (start, stop, step): (Option<i64>, Option<i64>, i64)) -> String {
    format!("{of}[{start:?}:{stop:?}:{step}]")
}

fn pair([left, right]: &[Expression<'_>; 2], current: &str) -> Option<[String; 2]> {
    Some([key(left, current)?, key(right, current)?])
}

fn keys(expressions: &[Expression<'_>], current: &str) -> Option<String> {
    let keys = expressions
        .iter()
        .map(|expression| key(expression, current));
    let keys: Vec<String> = keys.collect::<Option<_>>()?;
    Some(keys.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::{Form, analyze};
    use crate::{Sources, read};

    fn key_of(path: &str) -> Option<String> {
        let sources = Sources::default();
        let model = read(&sources);
        let analysis = analyze(&model, path, &Form::Any.into()).unwrap();
        key(&analysis.expression, "root")
    }

    #[test]
    fn a_key_states_an_expression_and_what_it_is_evaluated_on() {
        for (path, expected) in [
            ("@", "root"),
            ("a.\"b c\"", r#"root."a"."b c""#),
            ("a && !b || `1`", r#"((root."a" && !root."b") || `1`)"#),
            // Only sides of `==` and `!=` can be swapped.
            ("b == a", r#"(root."a" Equal root."b")"#),
            ("b != a", r#"(root."a" NotEqual root."b")"#),
            ("b < a", r#"(root."b" Less root."a")"#),
            ("a[-1].b", r#"root."a"[-1]."b""#),
            ("a[:2]", r#"(root."a"[None:Some(2):1] [] @)"#),
            ("a[].b", r#"(root."a"[] [] @."b")"#),
            ("a[?b].c", r#"(root."a" [@."b"] @."c")"#),
            ("a.*.b", r#"(root."a".* [] @."b")"#),
            ("a | [b, c]", r#"root."a"[root."a"."b", root."a"."c"]"#),
            ("{x: a, y: @}", r#"root{"x": root."a", "y": root}"#),
            ("max_by(a, &b.c)", r#"max_by(root."a", &@."b"."c")"#),
        ] {
            assert_eq!(key_of(path).as_deref(), Some(expected), "{path}");
        }
    }

    #[test]
    fn a_key_has_a_maximum_length() {
        let rest = r#"root."""#.len();
        let length_of = |more: usize| {
            let name = "a".repeat(MAX_LENGTH.saturating_add(more).saturating_sub(rest));
            key_of(&name).map(|key| key.len())
        };
        assert_eq!((length_of(0), length_of(1)), (Some(MAX_LENGTH), None));
    }
}
