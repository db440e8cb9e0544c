//! Reads models in Smithy IDL, versions 1.0 and 2.0.
//!
//! The lexer uses `logos` and the grammar `winnow`. After a syntax error, reading continues at the next statement.
//!
//! Clause: [IDL](https://smithy.io/2.0/spec/idl.html).

pub(crate) mod lex;
pub(crate) mod literal;
mod members;
mod operation;
mod parse;
mod shapes;
mod text;
mod value;

use bumpalo::Bump;
use rustc_hash::FxHashSet;
use winnow::stream::{Stream as _, TokenSlice};

use crate::event::Event;
use crate::event::ids::MODEL;
use crate::event::ids::SYNTAX;
use crate::read::definitions::{Application, Definitions};
use crate::read::idl_version::IdlVersion;
use crate::read::limits::MAX_SYNTAX_ERRORS;
use crate::read::scope::Scope;
use crate::shapes::{Entry, Kind, Reference, Trait, id};
use crate::source::{At, File};
use lex::{Token, TokenKind};
use parse::{Context, Input, Mismatch, ParseResult, is_next, peek, take, take_keyword, token};

/// The definitions of a text, and the meaning of its relative names.
#[derive(Debug)]
pub(crate) struct IdlText<'a> {
    pub(crate) definitions: Definitions<'a>,
    pub(crate) scope: Scope<'a>,
}

pub(crate) fn read<'a>(file: &'a File, arena: &'a Bump) -> IdlText<'a> {
    let mut definitions = Definitions::default();
    let tokens = lex::lex(file, &mut definitions.events);
    let mut reader = Reader {
        input: Input {
            input: TokenSlice::new(&tokens),
            state: Context::new(arena),
        },
        definitions,
        scope: Scope::default(),
        part: Part::Control,
        controls: FxHashSet::default(),
    };
    while peek(&reader.input).is_some() {
        let end = file.at(file.text().len());
        let indent = peek(&reader.input).and_then(|token| token.indent);
        let statement = reader.statement();
        let is_read = statement.is_ok();
        // A complete statement counts, even if another one follows on its line.
        let ended = statement.and_then(|()| parse::statement_end(&reader.input));
        if let Err(mismatch) = ended {
            reader.definitions.events.push(mismatch.event(end));
        }
        if !is_read {
            reader.skip_statement(indent.unwrap_or_default());
        }
    }
    let (mut definitions, scope) = (reader.definitions, reader.scope);
    bound(&mut definitions.events, file);
    IdlText { definitions, scope }
}

/// Keeps the first errors of a text. The others have the same causes, and a text that is no model has very many.
fn bound(events: &mut Vec<Event>, file: &File) {
    if events.len() > MAX_SYNTAX_ERRORS {
        events.truncate(MAX_SYNTAX_ERRORS);
        let message = "further errors of this text are not listed".to_owned();
        events.push(Event::error(SYNTAX, message).at(file.at(0)));
    }
}

struct Reader<'t, 'a> {
    input: Input<'t, 'a>,
    definitions: Definitions<'a>,
    scope: Scope<'a>,
    /// The part of the text that the reader has reached.
    part: Part,
    controls: FxHashSet<&'a str>,
}

/// The parts of a text in their required order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Control,
    Metadata,
    Namespace,
    Use,
    Shapes,
}

impl Part {
    /// Returns the description of a statement in this part.
    const fn description(self) -> &'static str {
        match self {
            Self::Control => "a control statement",
            Self::Metadata => "`metadata`",
            Self::Namespace => "`namespace`",
            Self::Use => "`use`",
            Self::Shapes => "a shape",
        }
    }
}

impl<'a> Reader<'_, 'a> {
    fn statement(&mut self) -> ParseResult<()> {
        if is_next(&self.input, TokenKind::Dollar) {
            self.enter(Part::Control);
            take(TokenKind::Dollar, &mut self.input);
            return self.control();
        }
        let second = self.input.input.get(1).map(|token| token.kind);
        let is_named = matches!(second, Some(TokenKind::Id | TokenKind::String));
        for part in [Part::Metadata, Part::Namespace, Part::Use] {
            let keyword = part.description().trim_matches('`');
            if is_named && parse::is_keyword(&self.input, keyword) {
                self.enter(part);
                take_keyword(keyword, &mut self.input);
                return match part {
                    Part::Metadata => self.metadata(),
                    Part::Namespace => self.namespace(),
                    _ => self.use_shape(),
                };
            }
        }
        self.shape_or_apply()
    }

    /// Moves to a part of the text. A statement in the wrong order is reported and still read.
    fn enter(&mut self, part: Part) {
        let is_again = part == Part::Namespace && self.part == part;
        if part >= self.part && !is_again {
            self.part = part;
            return;
        }
        let message = if is_again {
            "only one `namespace` is allowed per file: move the following shapes to another file"
                .to_owned()
        } else {
            let (late, after) = (part.description(), self.part.description());
            format!("{late} must come before {after}")
        };
        let at = peek(&self.input).map_or(At::NONE, |token| token.at);
        let event = Event::error(SYNTAX, message).at(at);
        self.definitions.events.push(event);
    }

    fn control(&mut self) -> ParseResult<()> {
        let key = self.key()?;
        if !self.controls.insert(key.key) {
            let message = format!("duplicate control statement `${}`", key.key);
            return Err(Mismatch::new(key.key_at, message));
        }
        token(TokenKind::Colon, &mut self.input)?;
        let value = value::node(&mut self.input)?;
        let text = value.as_str();
        let version = text.and_then(IdlVersion::parse);
        match (key.key, text) {
            ("operationInputSuffix", Some(suffix)) => self.input.state.input_suffix = suffix,
            ("operationOutputSuffix", Some(suffix)) => self.input.state.output_suffix = suffix,
            ("version", Some(_)) if version.is_some() => {
                let version = version.unwrap_or_default();
                self.definitions.version = version;
                self.input.state.version = version;
            }
            ("version", _) => {
                let found = text.unwrap_or(value.kind());
                let message = format!("unsupported version `{found}`: expected `1.0` or `2.0`");
                let event = Event::error(MODEL, message).at(value.at);
                self.definitions.events.push(event);
            }
            // Unknown control statements are allowed: a later version of Smithy may define them.
            _ => {}
        }
        Ok(())
    }

    fn metadata(&mut self) -> ParseResult<()> {
        let key = self.key()?;
        token(TokenKind::Equal, &mut self.input)?;
        let value = value::node(&mut self.input)?;
        self.definitions.metadata.push(Entry { value, ..key });
        Ok(())
    }

    /// Parses a name with or without quotes, as the key of an entry without a value.
    fn key(&mut self) -> ParseResult<Entry<'a>> {
        let at = peek(&self.input).map_or(At::NONE, |token| token.at);
        let key = if is_next(&self.input, TokenKind::String) {
            value::string(&mut self.input)?
        } else {
            token(TokenKind::Id, &mut self.input)?.text
        };
        Ok(Entry {
            key,
            key_at: at,
            value: crate::shapes::Node::new(at, crate::shapes::Value::Null),
        })
    }

    fn namespace(&mut self) -> ParseResult<()> {
        let name = token(TokenKind::Id, &mut self.input)?;
        if name.text.contains(['#', '$']) {
            return Err(Mismatch::new(
                name.at,
                "expected a namespace, found a shape id",
            ));
        }
        self.input.state.namespace = name.text;
        self.scope.namespace = name.text;
        Ok(())
    }

    fn use_shape(&mut self) -> ParseResult<()> {
        let Token { text, at, .. } = *token(TokenKind::Id, &mut self.input)?;
        if !text.contains('#') || text.contains('$') {
            let message = format!("expected an absolute shape id, found `{text}`");
            return Err(Mismatch::new(at, message));
        }
        if let Some(known) = self.scope.uses.insert(id::name(text), text) {
            let message = format!(
                "the name `{}` is already imported as `{known}`",
                id::name(text)
            );
            return Err(Mismatch::new(at, message));
        }
        Ok(())
    }

    fn shape_or_apply(&mut self) -> ParseResult<()> {
        let traits = value::traits(&mut self.input)?;
        let Some(first) = peek(&self.input) else {
            return match traits
                .iter()
                .find(|applied| applied.id != "smithy.api#documentation")
            {
                Some(_) => Err(Mismatch::expected("a shape", &self.input)),
                None => Ok(()),
            };
        };
        if self.scope.namespace.is_empty() {
            let message = "expected `namespace` before the first shape";
            return Err(Mismatch::new(first.at, message));
        }
        self.part = Part::Shapes;
        if parse::is_keyword(&self.input, "apply") {
            return self.apply(&traits);
        }
        let shapes = shapes::shape(traits, &mut self.input)?;
        for shape in &shapes {
            if let Some(used) = self.scope.uses.get(id::name(shape.id)) {
                let name = id::name(shape.id);
                let message =
                    format!("the name `{name}` conflicts with the imported shape `{used}`");
                let event = Event::error(SYNTAX, message).at(shape.at).on(shape.id);
                self.definitions.events.push(event);
            }
        }
        self.definitions.shapes.extend(shapes);
        Ok(())
    }

    fn apply(&mut self, traits: &[Trait<'a>]) -> ParseResult<()> {
        let is_trait = |applied: &&Trait<'a>| applied.id != "smithy.api#documentation";
        if let Some(applied) = traits.iter().find(is_trait) {
            return Err(Mismatch::new(
                applied.at,
                "an `apply` statement cannot have traits",
            ));
        }
        take_keyword("apply", &mut self.input);
        let Reference { id, at } = members::reference(&mut self.input)?;
        let traits = if is_next(&self.input, TokenKind::LeftBrace) {
            let braces = (TokenKind::LeftBrace, TokenKind::RightBrace);
            let traits = parse::between(braces, &mut self.input, |input| {
                match take(TokenKind::Doc, input) {
                    Some(_) => Ok(None),
                    None => value::application(input).map(Some),
                }
            })?;
            traits.into_iter().flatten().collect()
        } else {
            vec![value::application(&mut self.input)?]
        };
        let target = Reference { id, at };
        let application = Application { target, traits };
        self.definitions.applications.push(application);
        Ok(())
    }

    /// Skips to the next token that looks like the start of a statement. `indent` is the indentation of the failed
    /// statement.
    fn skip_statement(&mut self, indent: usize) {
        self.input.state = self.input.state.at_top();
        // The failing token itself can be the first of a line.
        let mut skipped = self.input.next_token();
        while skipped.is_some() && !self.starts_statement(indent) {
            skipped = self.input.next_token();
        }
    }

    /// Returns `true` if the next token starts a statement: it is a keyword, or it is followed by a name and not
    /// indented more than the failed statement. The second rule covers misspelled keywords.
    fn starts_statement(&self, indent: usize) -> bool {
        let Some((token, at)) = peek(&self.input).and_then(|token| Some((token, token.indent?)))
        else {
            return false;
        };
        let second = self.input.input.get(1);
        let is_named =
            second.is_some_and(|second| second.kind == TokenKind::Id && second.indent.is_none());
        match token.kind {
            TokenKind::AtSign | TokenKind::Doc => at <= indent,
            TokenKind::Dollar => true,
            TokenKind::Id if is_named => {
                at <= indent || is_statement(token.text) || Kind::from_name(token.text).is_some()
            }
            TokenKind::Id => is_statement(token.text),
            _ => false,
        }
    }
}

fn is_statement(word: &str) -> bool {
    matches!(word, "apply" | "metadata" | "namespace" | "use")
}
