//! Reads JSON as node values with positions. Strings without escape sequences are borrowed from the text.

use bumpalo::Bump;
use hifijson::num::LexWrite as _;
use hifijson::str::{Lex as _, LexAlloc as _};
use hifijson::token::Lex as _;
use hifijson::{Expect, SliceLexer};
use rustc_hash::FxHashMap;

use crate::duplicates::has_duplicates;
use crate::event::ids::DUPLICATE_KEY;
use crate::event::ids::SYNTAX;
use crate::event::{Event, Severity};
use crate::read::limits::MAX_NESTING;
use crate::shapes::{Entry, Node, Value};
use crate::source::{At, File};

/// The objects that can contain a key twice, because merging combines the values of equal keys.
const MERGED_OBJECTS: [&str; 3] = ["metadata", "shapes", "traits"];

/// The maximum depth of these objects. A deeper object belongs to the value of a trait.
const MERGED_DEPTH: usize = 6;

/// Reads a text that is one JSON value.
///
/// Reading ends at the first syntax error. A duplicate key is reported, and its last value is used. With
/// `raw_documentation`, documentation strings keep their escape sequences.
pub(crate) fn read<'a>(
    file: &'a File,
    arena: &'a Bump,
    events: &mut Vec<Event>,
    raw_documentation: bool,
) -> Result<Node<'a>, Box<Event>> {
    let mut reader = Reader {
        file,
        arena,
        lexer: SliceLexer::new(file.without_bom().as_bytes()),
        nodes: Vec::new(),
        entries: Vec::new(),
        depth: 0,
        raw_documentation,
        key: "",
        events: Vec::new(),
    };
    let whole = reader.whole();
    events.append(&mut reader.events);
    whole.map_err(|problem| Box::new(reader.event(&problem)))
}

struct Reader<'a> {
    file: &'a File,
    arena: &'a Bump,
    lexer: SliceLexer<'a>,
    /// The elements of all open arrays. Open arrays share one stack, and open objects another.
    nodes: Vec<Node<'a>>,
    entries: Vec<Entry<'a>>,
    depth: usize,
    /// `true` if documentation strings keep their escape sequences.
    raw_documentation: bool,
    /// The key of the current value.
    key: &'a str,
    events: Vec<Event>,
}

type JsonResult<T> = Result<T, hifijson::Error>;

impl<'a> Reader<'a> {
    fn whole(&mut self) -> JsonResult<Node<'a>> {
        let value = self.value()?;
        match self.lexer.ws_peek() {
            None => Ok(value),
            Some(_) => Err(Expect::Eof.into()),
        }
    }

    fn value(&mut self) -> JsonResult<Node<'a>> {
        let next = self.lexer.ws_peek().ok_or(Expect::Value)?;
        let at = self.position();
        let value = match next {
            b'"' if self.is_raw() => Value::String(self.raw_string()?),
            b'"' => Value::String(self.string()?),
            b'{' => self.nest(Self::object)?,
            b'[' => self.nest(Self::array)?,
            b'0'..=b'9' | b'-' => Value::Number(self.number()?),
            b'a'..=b'z' => self.keyword()?,
            _ => return Err(Expect::Value.into()),
        };
        Ok(Node { at, value })
    }

    fn nest(&mut self, read: fn(&mut Self) -> JsonResult<Value<'a>>) -> JsonResult<Value<'a>> {
        if self.depth == MAX_NESTING {
            return Err(hifijson::Error::Depth);
        }
        self.depth = self.depth.saturating_add(1);
        self.lexer.discarded();
        let value = read(self);
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn array(&mut self) -> JsonResult<Value<'a>> {
        let mark = self.nodes.len();
        let mut more = self.has_first(b']')?;
        while more {
            self.key = "";
            let element = self.value()?;
            self.nodes.push(element);
            more = self.has_next(b']')?;
        }
        let elements = self.nodes.get(mark..).unwrap_or_default();
        let elements = self.arena.alloc_slice_copy(elements);
        self.nodes.truncate(mark);
        Ok(Value::Array(elements))
    }

    fn object(&mut self) -> JsonResult<Value<'a>> {
        let mark = self.entries.len();
        let is_merged = self.depth < MERGED_DEPTH && MERGED_OBJECTS.contains(&self.key);
        let mut more = self.has_first(b'}')?;
        while more {
            let entry = self.entry()?;
            self.entries.push(entry);
            more = self.has_next(b'}')?;
        }
        if !is_merged {
            self.remove_duplicates(mark);
        }
        let entries = self.entries.get(mark..).unwrap_or_default();
        let entries = self.arena.alloc_slice_copy(entries);
        self.entries.truncate(mark);
        Ok(Value::Object(entries))
    }

    /// Removes duplicate keys from `mark` on. A key keeps its first place and its last value.
    fn remove_duplicates(&mut self, mark: usize) {
        let entries = self.entries.get(mark..).unwrap_or_default();
        if !has_duplicates(entries.iter().map(|entry| entry.key)) {
            return;
        }
        let mut places = FxHashMap::default();
        let mut unique: Vec<Entry<'a>> = Vec::new();
        for entry in entries {
            let place = *places.entry(entry.key).or_insert(unique.len());
            let Some(known) = unique.get_mut(place) else {
                unique.push(*entry);
                continue;
            };
            *known = *entry;
            let message = format!("duplicate key `{}`: the last value is used", entry.key);
            let event = Event::new(Severity::Warning, DUPLICATE_KEY, message);
            self.events.push(event.at(entry.key_at));
        }
        self.entries.truncate(mark);
        self.entries.append(&mut unique);
    }

    fn entry(&mut self) -> JsonResult<Entry<'a>> {
        if self.lexer.ws_peek() != Some(b'"') {
            return Err(Expect::String.into());
        }
        let key_at = self.position();
        let key = self.string()?;
        self.key = key;
        self.lexer
            .expect(SliceLexer::ws_peek, b':')
            .ok_or(Expect::Colon)?;
        let value = self.value()?;
        Ok(Entry { key, key_at, value })
    }

    /// Returns `true` if an array or object has a first item.
    fn has_first(&mut self, end: u8) -> JsonResult<bool> {
        let next = self.lexer.ws_peek().ok_or(Expect::ValueOrEnd)?;
        if next == end {
            self.lexer.discarded();
        }
        Ok(next != end)
    }

    /// Returns `true` if another item follows.
    fn has_next(&mut self, end: u8) -> JsonResult<bool> {
        let next = self.lexer.ws_peek().ok_or(Expect::CommaOrEnd)?;
        if next != end && next != b',' {
            return Err(Expect::CommaOrEnd.into());
        }
        self.lexer.discarded();
        Ok(next == b',')
    }

    fn string(&mut self) -> JsonResult<&'a str> {
        let text = self.lexer.discarded().str_string()?;
        Ok(match text {
            std::borrow::Cow::Borrowed(text) => text,
            std::borrow::Cow::Owned(text) => self.arena.alloc_str(&text),
        })
    }

    /// Returns `true` if the next value is documentation that is not decoded.
    fn is_raw(&self) -> bool {
        self.key == "smithy.api#documentation" && self.raw_documentation
    }

    /// Returns a string without decoding its escape sequences.
    fn raw_string(&mut self) -> JsonResult<&'a str> {
        let rest = self.lexer.discarded().as_slice().len();
        self.lexer.str_ignore()?;
        let read = rest.saturating_sub(self.lexer.as_slice().len());
        let text = self.file.text();
        let start = text.len().saturating_sub(rest);
        let end = start.saturating_add(read.saturating_sub(1));
        Ok(text.get(start..end).unwrap_or_default())
    }

    fn number(&mut self) -> JsonResult<&'a str> {
        let (text, _) = self.lexer.num_string().validated()?;
        Ok(text)
    }

    fn keyword(&mut self) -> JsonResult<Value<'a>> {
        let keyword = self.lexer.null_or_bool().ok_or(Expect::Value)?;
        Ok(keyword.map_or(Value::Null, Value::Boolean))
    }

    fn position(&self) -> At {
        let rest = self.lexer.as_slice().len();
        self.file.at(self.file.text().len().saturating_sub(rest))
    }

    fn event(&self, problem: &hifijson::Error) -> Event {
        let message = match problem {
            hifijson::Error::Depth => {
                format!("values are nested deeper than {MAX_NESTING} levels")
            }
            hifijson::Error::Token(expected) => format!("expected {expected}"),
            problem => problem.to_string(),
        };
        Event::error(SYNTAX, format!("invalid JSON: {message}")).at(self.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn problem(text: &str) -> (String, u32, u32) {
        let mut sources = Sources::default();
        assert!(sources.add("a.json", text));
        let event = read(&sources.files()[0], sources.arena(), &mut Vec::new(), false).unwrap_err();
        let position = sources.position(event.at).unwrap();
        (event.message, position.line, position.column)
    }

    #[test]
    fn values_have_positions() {
        let mut sources = Sources::default();
        assert!(sources.add("a.json", "{\n  \"a\\n\": [1, true],\n\"b\": null}"));
        let node = read(&sources.files()[0], sources.arena(), &mut Vec::new(), false).unwrap();
        let entries = node.entries();
        assert_eq!(entries[0].key, "a\n");
        let elements = entries[0].value.elements();
        let column = |at| sources.position(at).map(|p| (p.line, p.column));
        assert_eq!(column(entries[0].key_at), Some((2, 3)));
        assert_eq!(column(elements[1].at), Some((2, 14)));
        assert_eq!(column(entries[1].value.at), Some((3, 6)));
        assert_eq!(elements[0].as_f64(), Some(1.0));
    }

    #[test]
    fn raw_documentation_keeps_escape_sequences() {
        let text = r#"{"a": "\u00e9", "smithy.api#documentation": "b\"\u00e9", "c": "\n"}"#;
        for (raw, expected) in [(false, "b\"\u{e9}"), (true, "b\\\"\\u00e9")] {
            let mut sources = Sources::default();
            assert!(sources.add("a.json", text));
            let node = read(&sources.files()[0], sources.arena(), &mut Vec::new(), raw).unwrap();
            let member = |name| node.member(name).unwrap().as_str().unwrap();
            assert_eq!(member("a"), "\u{e9}");
            assert_eq!(member("smithy.api#documentation"), expected);
            assert_eq!(member("c"), "\n");
        }
    }

    #[test]
    fn an_error_has_a_position() {
        assert_eq!(problem("{\n \"a\" 1}").1, 2);
        assert_eq!(
            problem("[1 2]"),
            (
                "invalid JSON: expected comma or end of sequence".to_owned(),
                1,
                4
            )
        );
        assert_eq!(problem("{} x").2, 4);
        assert_eq!(problem("").1, 1);
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let message = problem(&"[".repeat(100_000)).0;
        assert!(message.contains("nested deeper"), "{message}");
    }
}
