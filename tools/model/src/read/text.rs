//! Reads one text in any supported format.

use super::definitions::Definitions;
use super::scope::Scope;
use super::{ast, botocore, idl};
use crate::event::Event;
use crate::event::ids::SYNTAX;
use crate::source::{File, Sources};

/// The definitions of one text, and the meaning of its names if it is IDL.
pub(crate) struct Text<'a> {
    pub(crate) definitions: Definitions<'a>,
    pub(crate) scope: Option<Scope<'a>>,
}

impl<'a> Text<'a> {
    pub(crate) fn read(file: &'a File, sources: &'a Sources) -> Self {
        let mut text = Self::read_format(file, sources);
        if file.without_bom().len() < file.text().len() {
            let message = "unexpected byte order mark: save the file as UTF-8 without it";
            let event = Event::error(SYNTAX, message.to_owned()).at(file.at(0));
            text.definitions.events.push(event);
        }
        text
    }

    fn read_format(file: &'a File, sources: &'a Sources) -> Self {
        if file.is_idl() {
            let idl::IdlText { definitions, scope } = idl::read(file, sources.arena());
            let scope = Some(scope);
            return Self { definitions, scope };
        }
        if let Some(definitions) = botocore::read(file, sources) {
            return Self {
                definitions,
                scope: None,
            };
        }
        Self {
            definitions: ast::read(file, sources.arena(), sources.has_raw_documentation()),
            scope: None,
        }
    }
}
