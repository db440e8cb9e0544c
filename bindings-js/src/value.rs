//! JavaScript values, which the engine reads through the host's slots.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

use smithy_waiters::internal::{ItemAt, Name};
use smithy_waiters::value::{Kind, ReadError, Value};

use crate::constants;
use crate::host_imports;
use crate::stack::Visit;

/// The names in a waiter or an expression, which the host has interned. Dropping the table removes them from the host.
#[derive(Debug)]
pub(crate) struct Table {
    number: u32,
    /// The number of names.
    names: usize,
    /// The texts that the host describes by their numbers; empty if it describes all texts by slots.
    constants: Box<[Box<str>]>,
}

impl Table {
    /// Creates a table for values that are returned to the host, which are always described by slots.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Rc<Self> {
        let number = host_imports::open_table();
        let names = names
            .inspect(|name| host_imports::add_name(number, name))
            .count();
        let constants = Box::default();
        Rc::new(Self {
            number,
            names,
            constants,
        })
    }

    /// Creates a table for values that are only compared with the names, which are constants.
    pub(crate) fn with_constants<'a>(names: impl Iterator<Item = &'a str>) -> Rc<Self> {
        let constants: Box<[Box<str>]> = names.map(Into::into).collect();
        let number = host_imports::open_table();
        for name in &constants {
            host_imports::add_name(number, name);
        }
        host_imports::compare_with_names(number);
        Rc::new(Self {
            number,
            names: constants.len(),
            constants,
        })
    }

    pub(crate) const fn value(&self, slot: u32) -> Handle<'_> {
        Handle {
            slot,
            kind: None,
            table: Some(self),
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        host_imports::close_table(self.number);
    }
}

/// A value in a slot, or a constant. It is valid until the host frees the slots of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle<'t> {
    /// The number of the slot, or of the constant.
    slot: u32,
    /// The host's number for the kind; `None` for an argument of the host that was not read yet.
    kind: Option<i32>,
    table: Option<&'t Table>,
}

/// The numbers of items that the first call and each further call of the host read. A waiter often needs only a few
/// items.
const FIRST_ITEMS: usize = 16;
const MORE_ITEMS: usize = 128;

impl Handle<'_> {
    /// Returns the value in a slot, for readers that do not use a table of names.
    #[cfg(feature = "behaviours")]
    pub(crate) const fn from_slot(slot: u32) -> Self {
        Self {
            slot,
            kind: None,
            table: None,
        }
    }

    pub(crate) const fn slot(self) -> u32 {
        self.slot
    }

    /// Returns `true` for null, which does not have a slot.
    pub(crate) fn is_null(self) -> bool {
        self.kind == Some(constants::NULL)
    }

    fn table_number(self) -> u32 {
        self.table.map_or(u32::MAX, |table| table.number)
    }

    /// Returns the value that a description refers to, or the error that it contains.
    fn decode(self, description: i32) -> Result<Self, ReadError> {
        if description < 0 {
            let message = host_imports::text((!description).cast_unsigned(), f64::INFINITY);
            return Err(ReadError::new(message));
        }
        Ok(Self {
            slot: description.cast_unsigned() >> constants::KIND_BITS,
            kind: Some(description & ((1 << constants::KIND_BITS) - 1)),
            table: self.table,
        })
    }

    /// Returns the value and its kind, which the host determines if it is unknown.
    fn with_kind(self) -> Result<(Self, i32), ReadError> {
        match self.kind {
            Some(kind) => Ok((self, kind)),
            None => {
                let description = host_imports::describe(self.slot, self.table_number());
                let value = self.decode(description)?;
                Ok((value, value.kind.unwrap_or(constants::NULL)))
            }
        }
    }

    /// Returns the value at the end of a path of up to three names.
    fn member_at_some(self, names: &[Name]) -> Result<Self, ReadError> {
        let [first, second, third] = numbers(names);
        let table = self.table_number();
        self.decode(host_imports::member_at(
            self.slot, table, first, second, third,
        ))
    }

    /// Returns `true` if the host has interned the names. It has not interned those of the option `show` of one caller
    /// of a fleet.
    fn has(&self, names: &[Name]) -> bool {
        let known = self.table.map_or(0, |table| table.names);
        names.iter().all(|name| name.index() < known)
    }

    /// Returns the value at the end of a path whose names the host has not interned.
    fn member_by_text(self, names: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = self;
        for name in names {
            match value.member(name.as_str())? {
                Some(member) => value = member,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// Returns the text of a constant.
    fn constant(&self) -> &str {
        let constants = self.table.map_or(&[][..], |table| &table.constants);
        constants.get(self.slot as usize).map_or("", |text| text)
    }

    /// Returns the value unless it is null, which stands for an absent member.
    fn non_null(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }

    /// Returns the value with the kind `ARRAY` instead of `ARRAY_ITEM`.
    fn array(self) -> Self {
        Self {
            kind: Some(constants::ARRAY),
            ..self
        }
    }

    fn null(self) -> Self {
        Self {
            kind: Some(constants::NULL),
            ..self
        }
    }

    /// Reads the descriptions of items from an index on, each at the end of a path of up to three names. Returns their
    /// number.
    fn read_items(
        self,
        names: &[Name],
        keep_arrays: bool,
        from: usize,
        out: &mut [i32],
    ) -> Result<usize, ReadError> {
        // A JavaScript array has fewer items.
        let Ok(from) = u32::try_from(from) else {
            return Ok(0);
        };
        let [first, second, third] = numbers(names);
        let table = self.table_number();
        let count = host_imports::items_at(
            self.slot,
            table,
            first,
            second,
            third,
            keep_arrays,
            from,
            out,
        );
        if count == constants::MOVED {
            return Ok(host_imports::copy_descriptions(out) as usize);
        }
        if count < 0 {
            self.decode(count)?;
        }
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

/// Returns the numbers of up to three names. They are less than 2^31, because the definition with the names fits into
/// the wasm's memory.
fn numbers(names: &[Name]) -> [i32; 3] {
    [0, 1, 2].map(|place| {
        let name = names.get(place).map(Name::index);
        let number = name.map(|number| i32::try_from(number).unwrap_or(host_imports::END));
        number.unwrap_or(host_imports::END)
    })
}

impl Value for Handle<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        let (value, kind) = self.with_kind()?;
        Ok(match kind {
            constants::FALSE => Kind::Boolean(false),
            constants::TRUE => Kind::Boolean(true),
            constants::NUMBER => Kind::Number(host_imports::number(value.slot)),
            constants::STRING | constants::ODD_STRING | constants::CONSTANT => Kind::String,
            constants::ARRAY => Kind::Array,
            constants::OBJECT => Kind::Object,
            _ => Kind::Null,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        // The engine has checked the length against its limits before.
        self.text_start(usize::MAX)
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        let most = code_points as f64;
        let (value, kind) = self.with_kind()?;
        let slot = match kind {
            // The number of a constant is in `self` only if its kind was known; otherwise `self` has the slot of an
            // argument.
            constants::CONSTANT if self.kind.is_some() => return Ok(self.constant().into()),
            constants::CONSTANT => return Ok(value.constant().to_owned().into()),
            constants::ODD_STRING => {
                self.decode(host_imports::plain_text(value.slot, most))?
                    .slot
            }
            _ => value.slot,
        };
        Ok(Cow::Owned(host_imports::text(slot, most)))
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        let (value, kind) = self.with_kind()?;
        if kind == constants::CONSTANT {
            return Ok(value.constant().len());
        }
        let length = host_imports::text_length(value.slot);
        if length < 0.0 {
            self.decode(length as i32)?;
        }
        Ok(length as usize)
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        let (value, kind) = self.with_kind()?;
        match (kind, self.table) {
            (constants::CONSTANT, _) => Ok(value.slot as usize == expected.index()),
            // If the table has constants, the host describes every text that is equal to one by its number.
            (constants::STRING, Some(table)) if expected.index() < table.constants.len() => {
                Ok(false)
            }
            _ => {
                let enough = expected.as_str().chars().count().saturating_add(1);
                Ok(self.text_start(enough)? == expected.as_str())
            }
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        let length = host_imports::length(self.slot);
        if length < 0.0 {
            self.decode(length as i32)?;
        }
        Ok(length as usize)
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        let mut out = [constants::NULL];
        match self.read_items(&[], false, index, &mut out)? {
            0 => Ok(None),
            _ => Ok(Some(self.decode(out[0])?)),
        }
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        // Only objects have members.
        if self.kind.is_some_and(|kind| kind != constants::OBJECT) {
            return Ok(None);
        }
        let member = host_imports::member_named(self.slot, self.table_number(), name);
        // A member that is null counts as absent. Rule: docs/rules.md#null-and-types
        Ok(Self::non_null(self.decode(member)?))
    }

    fn member_at(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = *self;
        // One call into JavaScript reads up to three names, because a call is more expensive than a read.
        for names in path.chunks(3) {
            // Only objects have members.
            if value.kind.is_some_and(|kind| kind != constants::OBJECT) {
                return Ok(None);
            }
            value = match value.has(names) {
                true => value.member_at_some(names)?,
                false => match value.member_by_text(names)? {
                    Some(member) => member,
                    None => return Ok(None),
                },
            };
        }
        Ok(Self::non_null(value))
    }

    fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let _visit = Visit::begin()?;
        let (names, rest) = match self.has(path) {
            true => path.split_at_checked(3).unwrap_or((path, &[])),
            false => path.split_at(0),
        };
        let (mut from, mut capacity) = (0, FIRST_ITEMS);
        let mut out = [constants::NULL; MORE_ITEMS];
        loop {
            let out = out.get_mut(..capacity).unwrap_or_default();
            let count = self.read_items(names, keep_arrays, from, out)?;
            for description in out.iter().take(count) {
                let item = self.decode(*description);
                let item = item.and_then(|item| match (item.kind, rest) {
                    (Some(constants::ARRAY_ITEM), _) => Ok(ItemAt::Array(item.array())),
                    (_, []) => Ok(ItemAt::Value(Self::non_null(item))),
                    (_, rest) => item.member_at(rest).map(ItemAt::Value),
                });
                if visit(item).is_break() {
                    return Ok(());
                }
            }
            if count < capacity {
                return Ok(());
            }
            (from, capacity) = (from.saturating_add(count), MORE_ITEMS);
        }
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        // An error of the host is returned when the engine reads the value itself.
        Ok(match self.kind {
            Some(constants::NULL | constants::CONSTANT) => None,
            _ => host_imports::identity(self.slot),
        })
    }

    fn warning(&self) -> Option<String> {
        match self.kind {
            Some(constants::NULL | constants::CONSTANT) => None,
            _ => host_imports::warning(self.slot),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        let mut result = Ok(());
        self.items_at(&[], false, &mut |item| match item {
            Ok(ItemAt::Array(item) | ItemAt::Value(Some(item))) => visit(item),
            Ok(ItemAt::Value(None)) => visit(self.null()),
            Err(error) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        })?;
        result
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let _visit = Visit::begin()?;
        let entries = self.decode(host_imports::entries(self.slot))?;
        let (mut name, mut result) = (None, Ok(()));
        entries.items(&mut |entry| match name.take() {
            None => {
                name = Some(entry.text().map(Cow::into_owned));
                ControlFlow::Continue(())
            }
            Some(Ok(name)) => visit(&name, entry),
            Some(Err(error)) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        })?;
        result
    }
}
