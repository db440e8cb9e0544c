//! Mistakes that make the command line unreadable for clap, or that it explains wrongly.

use anyhow::{Result, anyhow, bail, ensure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use smithy_waiters_model::similar_names;

/// Returns the mistake behind an error of clap, or `None` if its message is good.
pub(crate) fn mistake(
    error: &clap::Error,
    wait: &Command,
    words: impl IntoIterator<Item = String>,
) -> Option<anyhow::Error> {
    let is_help = error.kind() == ErrorKind::DisplayHelp;
    if let Err(mistake) = check_words(wait, words, is_help) {
        return Some(mistake);
    }
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => {
            Some(unknown(wait, option))
        }
        _ => None,
    }
}

/// Beginnings of words that are meant as URLs.
const ADDRESSES: [&str; 4] = ["http:", "https:", "localhost", "tcp:"];

/// Rejects a word that is not a URL.
pub(super) fn check_target(word: &str) -> Result<()> {
    if word.contains("://") || word.contains("{}") {
        return Ok(());
    }
    let port = word.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    if port.is_some_and(|port| port.is_ok()) {
        bail!("`{word}` is not a URL: write `tcp://{word}` or `http://{word}`");
    }
    ensure!(
        !ADDRESSES.iter().any(|start| word.starts_with(start)),
        "`{word}` must begin with `tcp://`, `http://` or `https://`"
    );
    bail!(
        "`{word}` is not a URL: write `--` before a command, as in `smithy-waiters wait -- {word} …`"
    );
}

/// Checks the words that are neither options nor their values, up to the first one that clap cannot read either.
fn check_words(
    wait: &Command,
    words: impl IntoIterator<Item = String>,
    is_help: bool,
) -> Result<()> {
    let mut words = words.into_iter().peekable();
    let mut url = None;
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if !is_option(&word) {
            check_target(&word)?;
            url = Some(word);
            continue;
        }
        match option(wait, &word) {
            None => break,
            Some((option, _)) if is_help_option(option) => break,
            Some((_, values)) => {
                for _ in 0..values {
                    words.next_if(|word| !is_option(word));
                }
            }
        }
    }
    // The exit code of the help is 0, as if the wait had succeeded.
    let url = url.filter(|_| is_help).unwrap_or_default();
    ensure!(
        url.is_empty(),
        "`--help` cannot be combined with `{url}`: write `smithy-waiters wait --help`, or `--` before a command with such an option"
    );
    Ok(())
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

fn is_help_option(option: &Arg) -> bool {
    let action = option.get_action();
    matches!(
        action,
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong
    )
}

/// Returns the option of a word, and the number of the words after it that are its values.
fn option<'c>(wait: &'c Command, word: &str) -> Option<(&'c Arg, usize)> {
    let (name, has_value) = match word.strip_prefix("--") {
        Some(name) => name
            .split_once('=')
            .map_or((name, false), |(name, _)| (name, true)),
        // `-t5m` has its value.
        None => (word, word.chars().count() > 2),
    };
    let short = name.strip_prefix('-').and_then(|name| name.chars().next());
    let option = wait.get_arguments().find(|option| match short {
        Some(_) => option.get_short() == short,
        None => longs(option).any(|long| long == name),
    })?;
    let values = match option.get_num_args() {
        _ if has_value || !option.get_action().takes_values() => 0,
        range => range.map_or(1, |range| range.min_values()),
    };
    Some((option, values))
}

/// Returns the long names of an option.
fn longs(option: &Arg) -> impl Iterator<Item = &str> {
    let aliases = option.get_visible_aliases().unwrap_or_default();
    option.get_long().into_iter().chain(aliases)
}

/// Returns the error of an unknown option. clap would propose the option as an argument of a command, too.
fn unknown(wait: &Command, option: &str) -> anyhow::Error {
    let names: Vec<&str> = wait.get_arguments().flat_map(longs).collect();
    let similar = similar_names(option.trim_start_matches('-'), names);
    let similar: Vec<String> = similar.iter().map(|name| format!("`--{name}`")).collect();
    let remedy = match similar.is_empty() {
        true => "`smithy-waiters wait --help` lists all options".to_owned(),
        false => format!("did you mean {}?", similar.join(" or ")),
    };
    anyhow!("`smithy-waiters wait` has no option `{option}`: {remedy}")
}
