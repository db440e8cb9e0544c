//! `smithy-waiters conformance show`: shows a case to a reader.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;

use super::ids;
use super::play::Suites;
use crate::outcome::Outcome;
use crate::output;

/// The width of the names.
const WIDTH: usize = 11;

/// Shows a case: its waiter, the answer of the service, the expectation, and the reasons for it.
#[derive(clap::Args, Debug)]
pub(crate) struct ShowOptions {
    /// The id of the case
    id: String,
    #[command(flatten)]
    suites: Suites,
}

/// Runs the verb `conformance show`.
pub(crate) fn run(options: &ShowOptions) -> Result<Outcome> {
    let kit = options.suites.read()?;
    let Some((id, file)) = kit.ids().find(|(id, _)| *id == options.id) else {
        let similar = ids::did_you_mean(&options.id, kit.ids().map(|(id, _)| id));
        bail!("there is no case `{}`{similar}", options.id);
    };
    let suite: Json = serde_json::from_str(&fs::read_to_string(file)?)?;
    let cases = at(&suite, "cases").as_array();
    let case = cases.and_then(|cases| cases.iter().find(|case| at(case, "id") == id));
    let case = case.with_context(|| format!("`{}` lacks the case", file.display()))?;
    output::print(&render(&suite, case, file))?;
    Ok(Outcome::Clean)
}

fn render(suite: &Json, case: &Json, file: &Path) -> String {
    let mut page = Page(format!("{}\n\n", text(at(case, "id"))));
    page.add("file", &file.display().to_string());
    page.add("about", &text(at(case, "about")));
    if let Some(name) = at(case, "waiter").as_str() {
        page.waiter(
            at(suite, "service"),
            name,
            at(at(suite, "waiters"), name),
            case,
        );
        page.answer(at(case, "answer"));
    }
    page.add("options", &text(at(case, "options")));
    page.list("script", at(case, "script"));
    page.add("expected", &text(at(case, "expect")));
    page.list("or", at(case, "also"));
    page.add("reason", &text(at(case, "reason")));
    page.add("basis", &text(at(case, "basis")));
    page.add("clause", &text(at(case, "clause")));
    page.0
}

/// Returns a member, or null.
fn at<'j>(value: &'j Json, name: &str) -> &'j Json {
    value.get(name).unwrap_or(&Json::Null)
}

/// Returns a string without its quotes, other values as JSON, and nothing for null.
fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

struct Page(String);

impl Page {
    /// Adds a name and its text, which is indented, if the text is not empty.
    fn add(&mut self, name: &str, text: &str) {
        for (number, line) in text.lines().enumerate() {
            let name = if number == 0 { name } else { "" };
            let line = format!("{name:WIDTH$} {line}");
            self.0.push_str(line.trim_end());
            self.0.push('\n');
        }
    }

    fn list(&mut self, name: &str, values: &Json) {
        let lines = values.as_array().into_iter().flatten().map(Json::to_string);
        self.add(name, &lines.collect::<Vec<_>>().join("\n"));
    }

    fn waiter(&mut self, service: &Json, name: &str, waiter: &Json, case: &Json) {
        let protocol = at(service, "protocol").as_str().unwrap_or("no protocol");
        let service = text(at(service, "shape"));
        self.add("service", &format!("{service}, {protocol}"));
        let operation = text(at(waiter, "operation"));
        self.add("waiter", &format!("{name}, operation {operation}"));
        let acceptors = at(at(waiter, "definition"), "acceptors").as_array();
        for (number, acceptor) in acceptors.into_iter().flatten().enumerate() {
            self.add(&format!("acceptor {number}"), &acceptor.to_string());
        }
        let params = case.get("params").unwrap_or(at(waiter, "params"));
        self.add("params", &text(params));
    }

    fn answer(&mut self, answer: &Json) {
        match answer.get("error") {
            Some(error) => self.add("error", &text(error)),
            // A null is an output, too.
            None => self.add("output", &at(answer, "output").to_string()),
        }
        let Some(http) = answer.get("http") else {
            return self.add("http", "none: the answer has no form in the protocol");
        };
        let headers = at(http, "headers").as_object().into_iter().flatten();
        let headers = headers.map(|(name, value)| format!("{name}: {}", text(value)));
        let status = text(at(http, "status"));
        let lines: Vec<String> = [status].into_iter().chain(headers).collect();
        self.add("http", &lines.join("\n"));
        self.add("body", &text(at(http, "body")));
        self.add("body base64", &text(at(http, "bodyBase64")));
    }
}
