//! The options that say which success counts.

use anyhow::{Context as _, Result, bail};
use serde_json::{Number, Value as Json};
use smithy_waiters::{Left, LeftElse, Same, WaitOptions};

use super::goal::Goal;
use super::options::Options;

impl Options {
    /// Adds the conditions to the options of a wait. `replace` inserts the name of `--for-each`.
    pub(super) fn add_conditions(
        &self,
        mut options: WaitOptions,
        replace: impl Fn(&str) -> String,
    ) -> Result<WaitOptions> {
        if let Some(text) = &self.same {
            let text = replace(text);
            let same = if self.preset.is_some() && !text.contains('=') {
                single(vec![text]).map(|value| Same::of(value).text())
            } else {
                same(&text, !self.until.is_empty())
            };
            options = options.same(same.context("`--same` is invalid")?);
        }
        if let Some(text) = &self.left {
            options = options.left(left(&replace(text)).context("`--left` is invalid")?);
        }
        if let Some(time) = self.left_within {
            options = options.left_within(time);
        }
        if let Some(left_else) = self.left_else {
            options = options.left_else(left_else);
        }
        for text in &self.at_least {
            let (path, number) = at_least(&replace(text)).context("`--at-least` is invalid")?;
            options = options.at_least(path, number);
        }
        if let Some(successes) = self.successes {
            options = options.successes(successes);
        }
        if let Some(time) = self.stable_for {
            options = options.stable_for(time);
        }
        Ok(options)
    }
}

/// Reads `--left-else`.
pub(super) fn left_else(text: &str) -> Result<LeftElse> {
    match text {
        "accept" => Ok(LeftElse::Accept),
        "fail" => Ok(LeftElse::Fail),
        _ => bail!("must be `accept` or `fail`"),
    }
}

/// Reads `--same`. Only a wait for a deletion, which has no goal, needs no value.
fn same(text: &str, has_goal: bool) -> Result<Same> {
    match Goal::read(text)? {
        Goal::Present(_) if has_goal => {
            bail!("write `--same '{text}=VALUE'`, with the value that the change returned")
        }
        Goal::Equals { path, values } => Ok(Same::new(path).is(single(values)?).text()),
        Goal::Present(path) => Ok(Same::new(path)),
        Goal::Condition(_) => bail!("it has the form `PATH=VALUE`, not a condition"),
    }
}

fn left(text: &str) -> Result<Left> {
    match Goal::read(text) {
        Ok(Goal::Equals { path, values }) => Ok(Left::new(single(values)?).path(path).text()),
        Ok(Goal::Condition(_)) => bail!("it has the form `VALUE` or `PATH=VALUE`, not a condition"),
        // A value need not be a path.
        Ok(Goal::Present(_)) | Err(_) => Ok(Left::new(text).text()),
    }
}

fn at_least(text: &str) -> Result<(String, Number)> {
    let Goal::Equals { path, values } = Goal::read(text)? else {
        bail!("it has the form `PATH=NUMBER`");
    };
    match single(values)?.parse() {
        Ok(Json::Number(number)) => Ok((path, number)),
        _ => bail!("it has the form `PATH=NUMBER`"),
    }
}

fn single(values: Vec<String>) -> Result<String> {
    match <[String; 1]>::try_from(values) {
        Ok([value]) if value.is_empty() => bail!("it has no value: is a variable empty?"),
        Ok([value]) => Ok(value),
        Err(_) => bail!("it has one value (`\\,` is a comma in it)"),
    }
}
