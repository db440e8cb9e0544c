//! `cargo xtask suggest-score`: measures the suggestions of waiters on the published waiters of AWS's services.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::data;
use crate::process;
use crate::project::{self, Project};
use crate::report;

/// Scores the suggestions of waiters.
///
/// Removes the waiters of each service in botocore, suggests waiters, and compares both. Writes the tables of
/// `tools/model/SUGGEST.md`. The services are split by the SHA-256 of their names, modulo 3: class 0 is only scored for a
/// release, and its misses are not named, so that rules cannot be written for them.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Prints 40 random likely proposals for services without waiters, instead of the score
    #[arg(long)]
    sample: bool,
    /// Scores class 0 too
    #[arg(long)]
    held_out: bool,
}

const PAGE: &str = "tools/model/SUGGEST.md";

/// The lines of the page around the tables.
const START: &str = "<!-- written by `cargo xtask suggest-score --held-out` -->";
const END: &str = "<!-- end -->";

const LEVELS: [f64; 5] = [0.8, 0.7, 0.6, 0.5, 0.3];

const SAMPLE: usize = 40;

/// The result for a service, a line of the example `suggest`.
#[derive(Deserialize)]
struct Service {
    service: String,
    published: Vec<Published>,
    proposals: Vec<Proposal>,
}

/// A published waiter.
#[derive(Deserialize)]
struct Published {
    waiter: String,
    kind: String,
    /// The confidence of the proposal with the same wanted state, and of the one with the same path or error as well.
    target: Option<f64>,
    confidence: Option<f64>,
    /// `true` if that proposal is likely.
    likely: bool,
    success: bool,
    failure: bool,
}

#[derive(Deserialize)]
struct Proposal {
    waiter: String,
    operation: String,
    goal: String,
    confidence: f64,
    likely: bool,
    path: Option<String>,
    values: Vec<(String, String)>,
    acceptors: serde_json::Value,
    questions: Vec<String>,
    /// `true` if the operation has published waiters, and if one of them matches.
    counted: bool,
    matched: bool,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let folder = data::all_services(project)?;
    let mut names = Vec::new();
    for path in project::list(&folder)? {
        let name = path.file_name().context("a service without a name")?;
        names.push(name.to_string_lossy().into_owned());
    }
    if !options.sample && !options.held_out {
        names.retain(|name| class(name) != 0);
    }
    let services = suggest(project, &folder, &names)?;
    if options.sample {
        return sample(&services);
    }
    let text = tables(&services)?;
    if !options.held_out {
        report::note(&text);
        return Ok(());
    }
    let page = project.path(PAGE);
    let old = project::read(&page)?;
    let (before, rest) = old
        .split_once(START)
        .context("the page has no start line")?;
    let (_, after) = rest.split_once(END).context("the page has no end line")?;
    project::write(&page, format!("{before}{START}\n\n{text}\n{END}{after}"))?;
    report::note(&format!("wrote the tables of {PAGE}"));
    Ok(())
}

fn suggest(project: &Project, folder: &Path, names: &[String]) -> Result<Vec<Service>> {
    let program = process::example(project, "smithy-waiters-model", "suggest")?;
    let mut arguments = vec![folder.as_os_str()];
    arguments.extend(names.iter().map(OsStr::new));
    let lines = process::read("suggest waiters", &cmd(program, arguments))?;
    let services = lines.lines().map(serde_json::from_str);
    Ok(services.collect::<Result<_, _>>()?)
}

/// Returns the class of a service: the SHA-256 of its name, modulo 3.
fn class(service: &str) -> u32 {
    // 256 is 1 modulo 3, so the digits in base 256 can be added.
    Sha256::digest(service.as_bytes())
        .iter()
        .map(|byte| u32::from(*byte))
        .sum::<u32>()
        % 3
}

fn tables(services: &[Service]) -> Result<String> {
    let mut out = String::new();
    for (title, is_held) in [("Class 0, held out", true), ("Classes 1 and 2", false)] {
        let part = services
            .iter()
            .filter(|service| (class(&service.service) == 0) == is_held);
        let part: Vec<&Service> = part.collect();
        let with_waiters = part.iter().filter(|service| !service.published.is_empty());
        let count = with_waiters.count();
        if count == 0 {
            continue;
        }
        let published: Vec<&Published> =
            part.iter().flat_map(|service| &service.published).collect();
        writeln!(
            out,
            "### {title}: {} waiters of {count} services\n",
            published.len()
        )?;
        by_kind(&mut out, &published)?;
        by_confidence(&mut out, &part, &published)?;
        if !is_held {
            misses(&mut out, &part)?;
        }
    }
    Ok(out)
}

fn by_kind(out: &mut String, published: &[&Published]) -> Result<()> {
    let mut kinds: BTreeMap<&str, Vec<&Published>> = BTreeMap::new();
    for waiter in published {
        kinds.entry(&waiter.kind).or_default().push(waiter);
        kinds.entry("~all").or_default().push(waiter);
    }
    writeln!(
        out,
        "| kind | waiters | target | and path | likely | success equal | failure equal |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for (kind, waiters) in kinds {
        let percent = |is: &dyn Fn(&Published) -> bool| {
            let count = waiters.iter().filter(|waiter| is(waiter)).count();
            percent(count, waiters.len())
        };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            kind.trim_start_matches('~'),
            waiters.len(),
            percent(&|waiter| waiter.target.is_some()),
            percent(&|waiter| waiter.confidence.is_some()),
            percent(&|waiter| waiter.likely),
            percent(&|waiter| waiter.success),
            percent(&|waiter| waiter.failure),
        )?;
    }
    writeln!(out)?;
    Ok(())
}

fn by_confidence(out: &mut String, services: &[&Service], published: &[&Published]) -> Result<()> {
    writeln!(
        out,
        "| confidence | recall | precision | proposals for operations without waiters |"
    )?;
    writeln!(out, "|---|---|---|---|")?;
    let proposals = || services.iter().flat_map(|service| &service.proposals);
    for level in LEVELS {
        let found = published
            .iter()
            .filter(|waiter| is_at_least(waiter.confidence, level))
            .count();
        let above = || proposals().filter(move |proposal| proposal.confidence >= level);
        let counted = above().filter(|proposal| proposal.counted).count();
        let matched = above().filter(|proposal| proposal.matched).count();
        writeln!(
            out,
            "| ≥ {level} | {found}/{} {} | {matched}/{counted} {} | {} |",
            published.len(),
            percent(found, published.len()),
            percent(matched, counted),
            above().count().saturating_sub(counted),
        )?;
    }
    writeln!(out)?;
    Ok(())
}

/// Names the waiters that are not found, and the likely proposals that match no published waiter.
fn misses(out: &mut String, services: &[&Service]) -> Result<()> {
    writeln!(out, "Not found at any confidence:\n")?;
    lines(out, services, |service| {
        let lost = service
            .published
            .iter()
            .filter(|waiter| waiter.confidence.is_none());
        lost.map(|waiter| waiter.waiter.clone()).collect()
    })?;
    writeln!(out, "Found, but not likely:\n")?;
    lines(out, services, |service| {
        let found = service.published.iter();
        let found = found.filter(|waiter| !waiter.likely);
        let unlikely = found.filter_map(|waiter| Some((waiter, waiter.confidence?)));
        unlikely
            .map(|(waiter, confidence)| format!("{} {confidence:.2}", waiter.waiter))
            .collect()
    })?;
    writeln!(
        out,
        "Likely, on an operation with waiters, but not published:\n"
    )?;
    lines(out, services, |service| {
        let wrong = service.proposals.iter();
        let wrong =
            wrong.filter(|proposal| proposal.counted && !proposal.matched && proposal.likely);
        wrong.map(|proposal| proposal.waiter.clone()).collect()
    })
}

fn lines(
    out: &mut String,
    services: &[&Service],
    names: impl Fn(&Service) -> Vec<String>,
) -> Result<()> {
    for service in services {
        let names = names(service);
        if !names.is_empty() {
            writeln!(out, "- {}: {}", service.service, names.join(", "))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Prints random likely proposals for services without waiters, the same ones on every run.
fn sample(services: &[Service]) -> Result<()> {
    let without = services
        .iter()
        .filter(|service| service.published.is_empty());
    let proposals = without.flat_map(|service| {
        service
            .proposals
            .iter()
            .map(move |proposal| (service, proposal))
    });
    let likely = proposals.filter(|(_, proposal)| proposal.likely);
    let order = |(service, proposal): &(&Service, &Proposal)| {
        Sha256::digest(format!("{} {}", service.service, proposal.waiter).as_bytes()).to_vec()
    };
    let mut likely: Vec<(&Service, &Proposal)> = likely.collect();
    ensure!(
        likely.len() >= SAMPLE,
        "there are only {} proposals",
        likely.len()
    );
    let count = likely.len();
    likely.sort_by_cached_key(order);
    for (service, proposal) in likely.into_iter().take(SAMPLE) {
        let values: Vec<String> = proposal
            .values
            .iter()
            .map(|(value, class)| format!("{value} {class}"))
            .collect();
        report::note(&format!(
            "{} {} {} {} {:.2}\n  {}\n  {}\n  {}\n  {}",
            service.service,
            proposal.operation,
            proposal.waiter,
            proposal.goal,
            proposal.confidence,
            proposal.path.as_deref().unwrap_or("no path"),
            proposal.acceptors,
            values.join(", "),
            proposal.questions.join("; ")
        ));
    }
    report::note(&format!("{SAMPLE} of {count} likely proposals"));
    Ok(())
}

fn is_at_least(confidence: Option<f64>, level: f64) -> bool {
    confidence.is_some_and(|confidence| confidence >= level)
}

fn percent(part: usize, whole: usize) -> String {
    let percent = part
        .saturating_mul(100)
        .saturating_add(whole / 2)
        .checked_div(whole);
    percent.map_or_else(|| "–".to_owned(), |percent| format!("{percent} %"))
}
