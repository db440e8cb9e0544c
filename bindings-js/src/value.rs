//! JavaScript values as the engine reads them: descriptions of what is in the host's slots.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

use smithy_waiters::Value;
use smithy_waiters::value::{Kind, Name, ReadError, WalkedItem};

use crate::constants;
use crate::host_imports;
use crate::room::Visit;

/// The names of a waiter or an expression, interned by the host for as long as this lives.
#[derive(Debug)]
pub(crate) struct Table {
    number: u32,
    /// The texts that the host describes by their numbers; empty if it describes them as values.
    constants: Box<[Box<str>]>,
}

impl Table {
    /// For values that are handed back to the host.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Rc<Self> {
        let number = host_imports::open_table();
        names.for_each(|name| host_imports::add_name(number, name));
        let constants = Box::default();
        Rc::new(Self { number, constants })
    }

    /// For values that are only compared with the names.
    pub(crate) fn of_constants<'a>(names: impl Iterator<Item = &'a str>) -> Rc<Self> {
        let constants: Box<[Box<str>]> = names.map(Into::into).collect();
        let number = host_imports::open_table();
        let mut names = constants.iter();
        names
            .by_ref()
            .for_each(|name| host_imports::add_name(number, name));
        host_imports::compare_with_names(number);
        Rc::new(Self { number, constants })
    }

    /// The value in a slot that the host has filled.
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

/// A value in a slot, or a constant. It is valid until the host releases the slots of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle<'t> {
    /// The number of a constant, for that kind.
    slot: u32,
    /// The host's number for the kind; unknown for a value that the host handed in.
    kind: Option<i32>,
    table: Option<&'t Table>,
}

/// The number of items that one crossing reads: few at first, because a waiter often needs few.
const FIRST_ITEMS: usize = 16;
const MORE_ITEMS: usize = 128;

impl Handle<'_> {
    /// A value of which no name is read.
    #[cfg(feature = "behaviours")]
    pub(crate) const fn of(slot: u32) -> Self {
        Self {
            slot,
            kind: None,
            table: None,
        }
    }

    pub(crate) const fn slot(self) -> u32 {
        self.slot
    }

    /// Whether it is a null, which has no slot.
    pub(crate) fn is_null(self) -> bool {
        self.kind == Some(constants::NULL)
    }

    fn table_number(self) -> u32 {
        self.table.map_or(u32::MAX, |table| table.number)
    }

    /// The value that the host describes.
    fn described(self, description: i32) -> Result<Self, ReadError> {
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

    /// The value with its kind.
    fn known(self) -> Result<(Self, i32), ReadError> {
        match self.kind {
            Some(kind) => Ok((self, kind)),
            None => {
                let known =
                    self.described(host_imports::describe(self.slot, self.table_number()))?;
                Ok((known, known.kind.unwrap_or(constants::NULL)))
            }
        }
    }

    /// Up to three members of members.
    fn walk_some(self, names: &[Name]) -> Result<Self, ReadError> {
        let [first, second, third] = numbers(names);
        let table = self.table_number();
        self.described(host_imports::walk(self.slot, table, first, second, third))
    }

    /// The text of a constant.
    fn constant(&self) -> &str {
        let constants = self.table.map_or(&[][..], |table| &table.constants);
        constants.get(self.slot as usize).map_or("", |text| text)
    }

    /// The value, unless it is null: a member or an item that is not set.
    fn set(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }

    /// An item that is an array itself, as any other array.
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

    /// Has the host describe the items from an index on, each at the end of a path of up to three names; returns their number.
    fn read_items(
        self,
        names: &[Name],
        keep_arrays: bool,
        from: usize,
        out: &mut [i32],
    ) -> Result<usize, ReadError> {
        let Ok(from) = u32::try_from(from) else {
            return Ok(0);
        };
        let [first, second, third] = numbers(names);
        let table = self.table_number();
        let count = host_imports::walk_items(
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
            self.described(count)?;
        }
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

/// The numbers of up to three names. They are fewer than 2^31: they come from a definition that fits into the wasm's memory.
fn numbers(names: &[Name]) -> [i32; 3] {
    [0, 1, 2].map(|place| {
        let name = names.get(place).map(Name::index);
        let number = name.map(|number| i32::try_from(number).unwrap_or(host_imports::END));
        number.unwrap_or(host_imports::END)
    })
}

impl Value for Handle<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        let (known, kind) = self.known()?;
        Ok(match kind {
            constants::FALSE => Kind::Boolean(false),
            constants::TRUE => Kind::Boolean(true),
            constants::NUMBER => Kind::Number(host_imports::number(known.slot)),
            constants::STRING | constants::ODD_STRING | constants::CONSTANT => Kind::String,
            constants::ARRAY => Kind::Array,
            constants::OBJECT => Kind::Object,
            _ => Kind::Null,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        // The engine knows the work of it before it reads it.
        self.text_start(usize::MAX)
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        let most = code_points as f64;
        let (known, kind) = self.known()?;
        let slot = match kind {
            // Only a value that the host handed in has a kind that was not known before, and it is no constant of this handle.
            constants::CONSTANT if self.kind.is_some() => return Ok(self.constant().into()),
            constants::CONSTANT => return Ok(known.constant().to_owned().into()),
            constants::ODD_STRING => {
                self.described(host_imports::plain_text(known.slot, most))?
                    .slot
            }
            _ => known.slot,
        };
        Ok(Cow::Owned(host_imports::text(slot, most)))
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        let (known, kind) = self.known()?;
        if kind == constants::CONSTANT {
            return Ok(known.constant().len());
        }
        let length = host_imports::text_length(known.slot);
        if length < 0.0 {
            self.described(length as i32)?;
        }
        Ok(length as usize)
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        let (known, kind) = self.known()?;
        match (kind, self.table) {
            (constants::CONSTANT, _) => Ok(known.slot as usize == expected.index()),
            // The host describes every constant as one.
            (constants::STRING, Some(table)) if !table.constants.is_empty() => Ok(false),
            _ => {
                let enough = expected.as_str().chars().count().saturating_add(1);
                Ok(self.text_start(enough)? == expected.as_str())
            }
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        let length = host_imports::length(self.slot);
        if length < 0.0 {
            self.described(length as i32)?;
        }
        Ok(length as usize)
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        let mut out = [constants::NULL];
        match self.read_items(&[], false, index, &mut out)? {
            0 => Ok(None),
            _ => Ok(Some(self.described(out[0])?)),
        }
    }

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        self.walk(std::slice::from_ref(name))
    }

    fn walk(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = *self;
        for names in path.chunks(3) {
            // Only objects have members; a null has not even a slot.
            if value.kind.is_some_and(|kind| kind != constants::OBJECT) {
                return Ok(None);
            }
            value = value.walk_some(names)?;
        }
        Ok(Self::set(value))
    }

    fn walk_items(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<WalkedItem<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let _visit = Visit::begin()?;
        let (names, rest) = path.split_at_checked(3).unwrap_or((path, &[]));
        let (mut from, mut room) = (0, FIRST_ITEMS);
        let mut out = [constants::NULL; MORE_ITEMS];
        loop {
            let out = out.get_mut(..room).unwrap_or_default();
            let count = self.read_items(names, keep_arrays, from, out)?;
            for description in out.iter().take(count) {
                let item = self.described(*description);
                let item = item.and_then(|item| match (item.kind, rest) {
                    (Some(constants::ARRAY_ITEM), _) => Ok(WalkedItem::Array(item.array())),
                    (_, []) => Ok(WalkedItem::Value(Self::set(item))),
                    (_, rest) => item.walk(rest).map(WalkedItem::Value),
                });
                if visit(item).is_break() {
                    return Ok(());
                }
            }
            if count < room {
                return Ok(());
            }
            (from, room) = (from.saturating_add(count), MORE_ITEMS);
        }
    }

    fn exact(&self) -> Result<Option<String>, ReadError> {
        // What the host's own code throws is met again when the value itself is read.
        Ok(match self.kind {
            Some(constants::NULL | constants::CONSTANT) => None,
            _ => host_imports::exact(self.slot),
        })
    }

    fn remark(&self) -> Option<String> {
        match self.kind {
            Some(constants::NULL | constants::CONSTANT) => None,
            _ => host_imports::remark(self.slot),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        let mut result = Ok(());
        self.walk_items(&[], false, &mut |item| match item {
            Ok(WalkedItem::Array(item) | WalkedItem::Value(Some(item))) => visit(item),
            Ok(WalkedItem::Value(None)) => visit(self.null()),
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
        let entries = self.described(host_imports::entries(self.slot))?;
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
