//! `--fix`: changes files where that takes no judgement.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use smithy_waiters_model::{Edit, Severity, Sources, lint, read};

use crate::files::Files;
use crate::output;

/// How often files are looked at again: one change can make another possible.
const ROUNDS: usize = 10;

/// Mends files until there is nothing left to mend.
pub(super) fn run(files: &Files) -> Result<()> {
    let mut count = 0_usize;
    for _ in 0..ROUNDS {
        let mut round = 0_usize;
        for sources in files.models()? {
            round = round.saturating_add(mend(&sources?)?);
        }
        count = count.saturating_add(round);
        if round == 0 {
            break;
        }
    }
    output::note(&format!("{} made", output::counted(count, "change")));
    Ok(())
}

fn mend(sources: &Sources) -> Result<usize> {
    let model = read(sources);
    let events = lint(&model);
    let wanted = events
        .iter()
        .filter(|event| event.severity != Severity::Suppressed);
    let mut edits: BTreeMap<&str, Vec<Edit<'_>>> = BTreeMap::new();
    for edit in wanted.filter_map(|event| sources.edit(event)) {
        edits.entry(edit.file).or_default().push(edit);
    }
    let mut count = 0_usize;
    for (file, edits) in edits {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read `{file}`"))?;
        let (text, made) = applied(text, edits);
        fs::write(file, text).with_context(|| format!("cannot write `{file}`"))?;
        count = count.saturating_add(made);
    }
    Ok(count)
}

/// A text with changes made from its end; of changes that overlap, one is made.
fn applied(mut text: String, mut edits: Vec<Edit<'_>>) -> (String, usize) {
    let place = |edit: &Edit<'_>| (Reverse(edit.range.start), edit.range.end);
    edits.sort_by(|one, two| (place(one), &one.replacement).cmp(&(place(two), &two.replacement)));
    // Several events can want the same change.
    edits.dedup();
    let mut before = text.len();
    let mut made = 0_usize;
    for edit in edits {
        if edit.range.end <= before {
            before = edit.range.start;
            text.replace_range(edit.range, &edit.replacement);
            made = made.saturating_add(1);
        }
    }
    (text, made)
}
