//! Reads services in botocore's format: `service-2.json` with the optional `waiters-2.json` and `paginators-1.json`.
//!
//! The files of a service become one Smithy model. All positions are positions in these files, so events point there.

mod node_builder;
mod paginators;
mod place;
mod protocols;
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

/// The file names of a service.
const SERVICE: &str = "service-2.json";
const WAITERS: &str = "waiters-2.json";
const PAGINATORS: &str = "paginators-1.json";

/// Returns `true` for the name of one of the three files.
pub(crate) fn is_part(name: &str) -> bool {
    folder(name).is_some()
}

/// Splits the name of one of the three files into its folder, with the trailing separator, and its file name.
fn folder(name: &str) -> Option<(&str, &str)> {
    let start = name
        .rfind(['/', '\\'])
        .map_or(0, |end| end.saturating_add(1));
    let (folder, file) = name.split_at_checked(start)?;
    [SERVICE, WAITERS, PAGINATORS]
        .contains(&file)
        .then_some((folder, file))
}

/// Reads one of the three files, or returns `None` for any other file. Reading the service's file also reads the other
/// two.
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
        let message = format!("`{name}` requires a `{SERVICE}` in the same folder");
        reader.problem(INVALID, Severity::Error, file.at(0), message);
    }
    Some(reader.definitions)
}
