//! Services as botocore describes them: `service-2.json`, and beside it `waiters-2.json` and `paginators-1.json`.
//!
//! Together they make one Smithy model. Everything keeps its place in these files, so that events point there.

mod node_builder;
mod paginators;
mod place;
mod reader;
mod service;
mod shapes;
mod uses;
mod values;
mod waiters;

use super::definitions::Definitions;
use crate::event::Severity;
use crate::source::{File, Sources};
use reader::{INVALID, Reader};

/// The three files that are read of a service.
const SERVICE: &str = "service-2.json";
const WAITERS: &str = "waiters-2.json";
const PAGINATORS: &str = "paginators-1.json";

/// Returns `true` for a name of one of the three files.
pub(crate) fn is_part(name: &str) -> bool {
    folder(name).is_some()
}

/// The folder of one of the three files, with the separator at its end, and the file's own name.
fn folder(name: &str) -> Option<(&str, &str)> {
    let start = name
        .rfind(['/', '\\'])
        .map_or(0, |end| end.saturating_add(1));
    let (folder, file) = name.split_at_checked(start)?;
    [SERVICE, WAITERS, PAGINATORS]
        .contains(&file)
        .then_some((folder, file))
}

/// Reads one of the three files: nothing for a file of another name. The service's file brings the other two along.
pub(crate) fn read<'a>(file: &'a File, sources: &'a Sources) -> Option<Definitions<'a>> {
    let (folder, name) = folder(file.name())?;
    let beside = |name: &str| {
        let files = sources.files().iter();
        let mut files = files.filter(move |other| other.name().strip_prefix(folder) == Some(name));
        files.next()
    };
    let mut reader = Reader::new(sources);
    if name == SERVICE {
        if let Some(service) = reader.parse(file) {
            let waiters = beside(WAITERS).and_then(|file| reader.parse(file));
            let paginators = beside(PAGINATORS).and_then(|file| reader.parse(file));
            reader.service(&service, waiters, paginators);
        }
    } else if beside(SERVICE).is_none() {
        let message = format!("`{name}` needs the `{SERVICE}` of its folder");
        reader.problem(INVALID, Severity::Error, file.at(0), message);
    }
    Some(reader.definitions)
}
