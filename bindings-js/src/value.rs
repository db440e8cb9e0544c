//! JavaScript values as the engine reads them: a slot number, and the names by which members are found.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

use smithy_waiters::value::{Kind, Name, PathTest, ReadError};
use smithy_waiters::{ReasonCode, Value};

use crate::kernel;

/// The names of a waiter or an expression, interned by the kernel for as long as this lives.
#[derive(Debug)]
pub(crate) struct Table(u32);

impl Table {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Rc<Self> {
        let table = kernel::open_table();
        names.for_each(|name| kernel::add_name(table, name));
        Rc::new(Self(table))
    }

    pub(crate) const fn number(&self) -> u32 {
        self.0
    }

    /// The value in a slot that the host has filled.
    pub(crate) const fn value(&self, slot: u32) -> Handle {
        Handle {
            slot,
            kind: None,
            table: self.0,
        }
    }
}

/// A name by its number. Names are fewer than 2^31: they come from a definition that fits into the memory of the wasm.
pub(crate) fn number(name: &Name) -> u32 {
    u32::try_from(name.index()).unwrap_or(u32::MAX)
}

impl Drop for Table {
    fn drop(&mut self) {
        kernel::close_table(self.0);
    }
}

/// A value in a slot. It is valid until the host releases the slots of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle {
    slot: u32,
    /// The kernel's code for the kind; unknown for what the host handed in, of which only members may be asked.
    kind: Option<i32>,
    table: u32,
}

impl Handle {
    /// A value of which no name is asked for.
    pub(crate) const fn of(slot: u32) -> Self {
        Self {
            slot,
            kind: None,
            table: u32::MAX,
        }
    }

    pub(crate) const fn slot(self) -> u32 {
        self.slot
    }

    /// The value that the kernel tells of, `None` for null.
    fn told(self, reference: i32) -> Result<Option<Self>, ReadError> {
        match reference {
            kernel::NULL => Ok(None),
            kernel::THREW => Err(ReadError::new(kernel::thrown())),
            _ => Ok(Some(Self {
                slot: reference.cast_unsigned() >> kernel::KIND_BITS,
                kind: Some(reference & ((1 << kernel::KIND_BITS) - 1)),
                table: self.table,
            })),
        }
    }

    /// Whether it is a null, which has no slot of its own.
    pub(crate) fn is_null(self) -> bool {
        self.kind == Some(kernel::NULL)
    }

    /// A null at hand.
    const fn null(self) -> Self {
        Self {
            kind: Some(kernel::NULL),
            ..self
        }
    }

    fn kind_code(self) -> Result<i32, ReadError> {
        match self.kind.unwrap_or_else(|| kernel::kind(self.slot)) {
            kernel::THREW => Err(ReadError::new(kernel::thrown())),
            kind => Ok(kind),
        }
    }

    /// Up to three members of members.
    fn step(self, names: &[Name]) -> Result<Option<Self>, ReadError> {
        // Only objects have members; a null at hand has not even a slot of its own.
        if self.kind.is_some_and(|kind| kind != kernel::OBJECT) {
            return Ok(None);
        }
        let name = |place: usize| {
            names
                .get(place)
                .map_or(kernel::END, |name| number(name).cast_signed())
        };
        self.told(kernel::walk(
            self.slot,
            self.table,
            name(0),
            name(1),
            name(2),
        ))
    }
}

impl Value for Handle {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(match self.kind_code()? {
            kernel::FALSE => Kind::Boolean(false),
            kernel::TRUE => Kind::Boolean(true),
            kernel::NUMBER => Kind::Number(kernel::number(self.slot)),
            kernel::STRING => Kind::String,
            kernel::ARRAY => Kind::Array,
            kernel::OBJECT => Kind::Object,
            _ => Kind::Null,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(Cow::Owned(kernel::text(self.slot)))
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        Ok(kernel::text_is(self.slot, self.table, number(expected)))
    }

    fn len(&self) -> Result<usize, ReadError> {
        let length = kernel::length(self.slot);
        usize::try_from(length).map_err(|_| ReadError::new(kernel::thrown()))
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        match u32::try_from(index) {
            Ok(index) => self.told(kernel::item(self.slot, index)),
            Err(_) => Ok(None),
        }
    }

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        self.walk(std::slice::from_ref(name))
    }

    fn walk(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = *self;
        for names in path.chunks(3) {
            match value.step(names)? {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    fn test(&self, test: &PathTest) -> Result<Option<ReasonCode>, ReadError> {
        let index = u32::try_from(test.index()).unwrap_or(u32::MAX);
        let code = kernel::test(self.slot, self.table, index);
        if code == kernel::TOO_MANY {
            return Ok(None);
        }
        let code = usize::try_from(code)
            .ok()
            .and_then(|code| ReasonCode::ALL.get(code));
        code.map(|code| Some(*code))
            .ok_or_else(|| ReadError::new(kernel::thrown()))
    }

    fn exact(&self) -> Result<Option<String>, ReadError> {
        // A null at hand has no slot. What the host's own code throws is met again where the value itself is read.
        Ok(if self.is_null() {
            None
        } else {
            kernel::exact(self.slot)
        })
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        for index in 0..self.len()? {
            let item = self.item(index)?.unwrap_or_else(|| self.null());
            if visit(item).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        // Names and values in turn.
        let Some(entries) = self.told(kernel::entries(self.slot))? else {
            return Ok(());
        };
        for index in (0..entries.len()?).step_by(2) {
            let name = entries.item(index)?.map(|name| kernel::text(name.slot));
            let value = entries.item(index.saturating_add(1))?;
            let value = value.unwrap_or_else(|| self.null());
            if visit(&name.unwrap_or_default(), value).is_break() {
                break;
            }
        }
        Ok(())
    }
}
