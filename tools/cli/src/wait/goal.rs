//! Reads `--until`, `--fail` and `--pending`.

use anyhow::{Result, bail, ensure};
use smithy_waiters::{CompiledExpression, ExpressionError};

/// A goal of `--until` or a failure of `--fail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// `PATH=VALUE,…`: the path has one of the values.
    Equals { path: String, values: Vec<String> },
    /// `PATH`: the value is there and neither false, null nor empty.
    Present(String),
    /// A boolean expression.
    Condition(String),
}

/// The text of `--fail`: a goal, or values of the path of `--until`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Goal(Goal),
    Values(Vec<String>),
}

impl Goal {
    /// Reads the text of `--until`.
    pub(super) fn read(text: &str) -> Result<Self> {
        ensure!(
            !text.trim().is_empty(),
            "it has no value: is a variable empty?"
        );
        let scan = Scan::of(text)?;
        let goal = match scan.split {
            Some((path, value)) => {
                ensure!(
                    scan.comparison.is_none(),
                    "column {}: `=` after a condition: use either `PATH=VALUE` or a condition",
                    column(text, path.len())
                );
                let path = path.trim().to_owned();
                check_form(&path, value)?;
                ensure!(!path.is_empty(), "column 1: the path before `=` is missing");
                let values = values(value);
                values
                    .iter()
                    .try_for_each(|value| check_quotes(&path, value))?;
                Self::Equals { path, values }
            }
            None if scan.comparison.is_some() => Self::Condition(text.trim().to_owned()),
            None => {
                let path = text.trim();
                ensure!(
                    !matches!(path, "create" | "delete"),
                    "`{path}` is kubectl's form: write `--until-exists` or `--until-deleted`"
                );
                Self::Present(path.to_owned())
            }
        };
        let is_colon = |error: &ExpressionError| {
            matches!(goal, Self::Present(_)) && error.to_string().ends_with("found `:`")
        };
        match CompiledExpression::new(goal.expression()) {
            Err(error) if is_colon(&error) => {
                let (path, value) = text.split_once(':').unwrap_or((text, ""));
                bail!("write `{}={}`", path.trim(), value.trim())
            }
            result => result.map(|_| goal).map_err(Into::into),
        }
    }

    /// Returns the path or the condition.
    pub(super) fn expression(&self) -> &str {
        match self {
            Self::Equals { path: text, .. } | Self::Present(text) | Self::Condition(text) => text,
        }
    }

    /// Returns the path whose value is compared, if it is not a condition.
    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::Equals { path, .. } | Self::Present(path) => Some(path),
            Self::Condition(_) => None,
        }
    }
}

impl Failure {
    /// Reads the text of `--fail`.
    pub(super) fn read(text: &str) -> Result<Self> {
        let scan = Scan::of(text)?;
        if scan.split.is_none() && scan.comparison.is_none() && !scan.is_call {
            // As a value it would never match.
            ensure!(
                !text.contains('['),
                "a path alone is not a failure: write `PATH=VALUE`, or a condition such as length({text}) > `0`"
            );
            return Ok(Self::Values(values(text)));
        }
        Ok(Self::Goal(Goal::read(text)?))
    }
}

/// Splits a list of values at its commas. `\,` is a comma in a value. Spaces around a value do not count.
pub(super) fn values(text: &str) -> Vec<String> {
    let (mut values, mut value) = (Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ',' => values.push(std::mem::take(&mut value)),
            '\\' => value.push(letters.next_if_eq(&',').unwrap_or('\\')),
            other => value.push(other),
        }
    }
    values.push(value);
    values.iter().map(|value| value.trim().to_owned()).collect()
}

/// Rejects forms of other tools, which would be a path and a value that never match.
fn check_form(path: &str, value: &str) -> Result<()> {
    match path {
        "condition" => {
            let name = value.split('=').next().unwrap_or(value);
            bail!(
                "`condition=…` is kubectl's form: write `status.conditions[?type=='{name}'].status=True`, or `\"condition\"=…` for a member with that name"
            );
        }
        "jsonpath" => bail!(
            "`jsonpath=…` is kubectl's form: write a path of JMESPath and a value, as in `status.phase=Running`"
        ),
        _ => {}
    }
    ensure!(
        !value.starts_with('~'),
        "`=~` is no operator: use `--until-text` for a pattern, or `contains({}, '…')`",
        path
    );
    ensure!(
        !value.contains("&&") && !value.contains("||"),
        "`&&` and `||` do not join goals with `=`: give each its own option, or write comparisons such as `{path} == '…'`"
    );
    Ok(())
}

/// Rejects a value in quotes, which the shell would have removed if they were for it.
fn check_quotes(path: &str, value: &str) -> Result<()> {
    for quote in ['\'', '"', '`'] {
        let inner = value
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner {
            bail!("a value after `=` has no quotes: write `{path}={inner}`");
        }
    }
    Ok(())
}

/// The parts of a text outside quotes.
struct Scan<'t> {
    /// The texts before and after the first `=` outside quotes and brackets.
    split: Option<(&'t str, &'t str)>,
    /// The first comparison outside filters.
    comparison: Option<usize>,
    is_call: bool,
}

/// An open bracket.
struct Bracket {
    letter: char,
    at: usize,
    is_filter: bool,
    /// The start of the operand around the bracket.
    operand: usize,
}

impl<'t> Scan<'t> {
    fn of(text: &'t str) -> Result<Self> {
        let mut scan = Self {
            split: None,
            comparison: None,
            is_call: false,
        };
        let mut open: Vec<Bracket> = Vec::new();
        let mut operand = 0;
        let mut rest = text.char_indices();
        while let Some((at, letter)) = rest.next() {
            let after = rest.as_str();
            let next = after.chars().next();
            let is_filter = open.iter().any(|bracket| bracket.is_filter);
            match letter {
                '\'' | '"' | '`' => skip_quoted(&mut rest, text, at, letter)?,
                '(' | '[' | '{' => {
                    scan.is_call |= letter == '(';
                    let is_filter = letter == '[' && next == Some('?');
                    open.push(Bracket {
                        letter,
                        at,
                        is_filter,
                        operand,
                    });
                    operand = at.saturating_add(1);
                }
                ')' | ']' | '}' => operand = open.pop().map_or(operand, |bracket| bracket.operand),
                '&' | '|' => {
                    if next == Some('&') && !is_filter {
                        scan.comparison = scan.comparison.or(Some(at));
                    }
                    operand = at.saturating_add(1);
                }
                '=' | '!' if next == Some('=') => {
                    rest.next();
                    if !is_filter {
                        scan.comparison = scan.comparison.or(Some(at));
                        check_name((text, operand, at), &letter, rest.as_str())?;
                    }
                }
                '!' => {
                    check_not(text, at, after)?;
                    operand = at.saturating_add(1);
                }
                '<' | '>' => {
                    if next == Some('=') {
                        rest.next();
                    }
                    if !is_filter {
                        scan.comparison = scan.comparison.or(Some(at));
                    }
                }
                '=' if open.is_empty() => {
                    scan.split = text.get(..at).map(|before| (before, after));
                    return Ok(scan);
                }
                '=' => bail!(
                    "column {}: `=` inside brackets: comparisons are written `==`",
                    column(text, at)
                ),
                _ => {}
            }
        }
        match open.last() {
            Some(Bracket { letter, at, .. }) => {
                bail!("column {}: `{letter}` is not closed", column(text, *at))
            }
            None => Ok(scan),
        }
    }
}

fn skip_quoted(
    rest: &mut std::str::CharIndices<'_>,
    text: &str,
    at: usize,
    quote: char,
) -> Result<()> {
    while let Some((_, letter)) = rest.next() {
        match letter {
            '\\' => _ = rest.next(),
            letter if letter == quote => return Ok(()),
            _ => {}
        }
    }
    bail!(
        "column {}: the quote {quote} is not closed",
        column(text, at)
    )
}

/// Rejects `!a.b`, which JMESPath reads as `(!a).b`, a member of a boolean.
fn check_not(text: &str, at: usize, after: &str) -> Result<()> {
    let path = after.trim_start();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    if !path.trim_start_matches(is_name).starts_with('.') {
        return Ok(());
    }
    let end = path.find(|letter| !is_name(letter) && letter != '.');
    let path = path.get(..end.unwrap_or(path.len())).unwrap_or(path);
    bail!(
        "column {}: `!` applies to the first name only: write !({path})",
        column(text, at)
    )
}

/// Rejects a comparison with a single name: the name of a member, which is almost never meant.
fn check_name(
    (text, operand, at): (&str, usize, usize),
    operator: &char,
    after: &str,
) -> Result<()> {
    let right = after.trim_start();
    let (name, rest) = match right
        .strip_prefix('"')
        .and_then(|right| right.split_once('"'))
    {
        Some(quoted) => quoted,
        None => {
            let end = right.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            right.split_at(end.unwrap_or(right.len()))
        }
    };
    let goes_on = rest.trim_start().starts_with(['.', '[', '(', ':']);
    if goes_on || name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Ok(());
    }
    let path = text.get(operand..at).unwrap_or_default().trim();
    let literal = match name {
        "true" | "false" | "null" => format!("`{name}`"),
        _ => format!("'{name}'"),
    };
    let column = column(text, at);
    // The short form is not a part of a longer condition.
    let short = match text.contains(['&', '|', '(', '!']) {
        true => String::new(),
        false => format!("{path}={name} or "),
    };
    if *operator == '!' {
        bail!(
            "column {column}: `!=` compares with a member `{name}` of the response: write {path} != {literal}, or {path} != ({name}) to compare two members"
        );
    }
    bail!(
        "column {column}: `==` compares with a member `{name}` of the response: write {short}{path} == {literal}, or {path} == ({name}) to compare two members"
    );
}

fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.chars().count().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::{Failure, Goal};

    fn equals(path: &str, values: &[&str]) -> Goal {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Goal::Equals {
            path: path.to_owned(),
            values,
        }
    }

    #[test]
    fn a_goal_splits_at_the_first_equals_sign() {
        for (text, path, values) in [
            ("status=UP", "status", &["UP"][..]),
            ("status = UP", "status", &["UP"]),
            ("status=", "status", &[""]),
            ("a.b=x, y,z", "a.b", &["x", "y", "z"]),
            (r"a=x\,y,z", "a", &["x,y", "z"]),
            ("a=b=c", "a", &["b=c"]),
            (
                "Tags[?Key=='k=v'].Value | [0]=x",
                "Tags[?Key=='k=v'].Value | [0]",
                &["x"],
            ),
            (
                r#"metadata.annotations."a=b"=c"#,
                r#"metadata.annotations."a=b""#,
                &["c"],
            ),
            (
                "status.conditions[?type=='Ready'].status=True",
                "status.conditions[?type=='Ready'].status",
                &["True"],
            ),
            ("length(Items)=3", "length(Items)", &["3"]),
            ("message=it's", "message", &["it's"]),
            (
                "a[?b > `1` && c <= `2`].d=x",
                "a[?b > `1` && c <= `2`].d",
                &["x"],
            ),
            (r#""a\"=b"=c"#, r#""a\"=b""#, &["c"]),
            (r"a=x\y\,", "a", &[r"x\y,"]),
            ("create=x", "create", &["x"]),
        ] {
            assert_eq!(Goal::read(text).unwrap(), equals(path, values), "{text}");
        }
    }

    #[test]
    fn other_texts_are_paths_or_conditions() {
        for text in [
            "contains(arn, 'a=b')",
            "status.ready",
            "a || b",
            "!(a.b)",
            "a[?b != 'x' && c]",
            "a[?b == c]",
        ] {
            assert_eq!(Goal::read(text).unwrap(), Goal::Present(text.to_owned()));
        }
        for text in [
            "length(Items) >= `3`",
            "status == 'completed' && conclusion != 'success'",
            "done == (total)",
            "a.b == c.d",
            "count < limit",
            "count <= `3`",
            "[a == 'b'] | [0]",
            "limit > count",
            "a && b",
            "a == \"b\".c",
            "a == b[0]",
            "a == length(b)",
            "a == `1`",
            "a != 'x=y'",
        ] {
            assert_eq!(Goal::read(text).unwrap(), Goal::Condition(text.to_owned()));
        }
    }

    #[test]
    fn mistakes_have_columns_and_remedies() {
        for (text, message) in [
            (
                "status==completed",
                "column 7: `==` compares with a member `completed` of the response: write status=completed or status == 'completed', or status == (completed) to compare two members",
            ),
            (
                r#"status=="completed""#,
                "column 7: `==` compares with a member `completed` of the response: write status=completed or status == 'completed', or status == (completed) to compare two members",
            ),
            (
                "status != done",
                "column 8: `!=` compares with a member `done` of the response: write status != 'done', or status != (done) to compare two members",
            ),
            (
                "a == 'x' && !(state == done)",
                "column 21: `==` compares with a member `done` of the response: write state == 'done', or state == (done) to compare two members",
            ),
            (
                "ready == true",
                "column 7: `==` compares with a member `true` of the response: write ready=true or ready == `true`, or ready == (true) to compare two members",
            ),
            (
                "a == 'b'=c",
                "column 9: `=` after a condition: use either `PATH=VALUE` or a condition",
            ),
            ("a == 'b", "column 6: the quote ' is not closed"),
            (r"a == 'b\'", "column 6: the quote ' is not closed"),
            ("f(a", "column 2: `(` is not closed"),
            (
                "steps[0].state == done",
                "column 16: `==` compares with a member `done` of the response: write steps[0].state=done or steps[0].state == 'done', or steps[0].state == (done) to compare two members",
            ),
            (
                "x || (a.b) == done",
                "column 12: `==` compares with a member `done` of the response: write (a.b) == 'done', or (a.b) == (done) to compare two members",
            ),
            (
                "!ready == done",
                "column 8: `==` compares with a member `done` of the response: write ready == 'done', or ready == (done) to compare two members",
            ),
            (
                "a[?b == 'x' && c == d] != \"done now\"",
                "column 24: `!=` compares with a member `done now` of the response: write a[?b == 'x' && c == d] != 'done now', or a[?b == 'x' && c == d] != (done now) to compare two members",
            ),
            (
                "größe == sehr_groß",
                "column 7: `==` compares with a member `sehr_groß` of the response: write größe=sehr_groß or größe == 'sehr_groß', or größe == (sehr_groß) to compare two members",
            ),
            (
                "condition=Ready=False",
                "`condition=…` is kubectl's form: write `status.conditions[?type=='Ready'].status=True`, or `\"condition\"=…` for a member with that name",
            ),
            (
                "jsonpath={.a}=b",
                "`jsonpath=…` is kubectl's form: write a path of JMESPath and a value, as in `status.phase=Running`",
            ),
            (
                "name=~a",
                "`=~` is no operator: use `--until-text` for a pattern, or `contains(name, '…')`",
            ),
            (
                "a=b&&c",
                "`&&` and `||` do not join goals with `=`: give each its own option, or write comparisons such as `a == '…'`",
            ),
            (
                "a=b || c=d",
                "`&&` and `||` do not join goals with `=`: give each its own option, or write comparisons such as `a == '…'`",
            ),
            ("a=x, \"b\"", "a value after `=` has no quotes: write `a=b`"),
            (
                "create",
                "`create` is kubectl's form: write `--until-exists` or `--until-deleted`",
            ),
            (
                "!a_1.b-c",
                "column 1: `!` applies to the first name only: write !(a_1.b)",
            ),
            (
                "tags[?key='k'].value",
                "column 10: `=` inside brackets: comparisons are written `==`",
            ),
            ("tags[?key=='k'", "column 5: `[` is not closed"),
            (
                "status='UP'",
                "a value after `=` has no quotes: write `status=UP`",
            ),
            ("=UP", "column 1: the path before `=` is missing"),
            (" ", "it has no value: is a variable empty?"),
            ("status: UP", "write `status=UP`"),
            (
                "ok && !status.done",
                "column 7: `!` applies to the first name only: write !(status.done)",
            ),
        ] {
            assert_eq!(Goal::read(text).unwrap_err().to_string(), message);
        }
        assert!(Goal::read("a..b=c").is_err());
        // Only a colon has this remedy.
        let error = Goal::read("a..b").unwrap_err().to_string();
        assert!(!error.starts_with("write"), "{error}");
    }

    #[test]
    fn a_failure_may_be_only_values() {
        let values = |values: &[&str]| {
            Failure::Values(values.iter().map(|value| (*value).to_owned()).collect())
        };
        assert_eq!(
            Failure::read("FAILED,Timed Out").unwrap(),
            values(&["FAILED", "Timed Out"])
        );
        assert_eq!(
            Failure::read("phase=Failed").unwrap(),
            Failure::Goal(equals("phase", &["Failed"]))
        );
        assert_eq!(
            Failure::read("a == 'b'").unwrap(),
            Failure::Goal(Goal::Condition("a == 'b'".to_owned()))
        );
        assert_eq!(
            Failure::read("contains(a, 'b')").unwrap(),
            Failure::Goal(Goal::Present("contains(a, 'b')".to_owned()))
        );
        for (text, message) in [
            (
                "a==b",
                "column 2: `==` compares with a member `b` of the response: write a=b or a == 'b', or a == (b) to compare two members",
            ),
            (
                "a[?b=='c']",
                "a path alone is not a failure: write `PATH=VALUE`, or a condition such as length(a[?b=='c']) > `0`",
            ),
        ] {
            assert_eq!(Failure::read(text).unwrap_err().to_string(), message);
        }
    }
}
