//! Access to members, list elements and map values of the client's types.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use smithy_waiters_model::{Model, Shape};

use super::access::{self, Scalar, Types};
use super::code::Code;
use super::value::{Container, Rep, Value, from_copy, from_reference};

/// Translates accesses to the client's values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) types: Types,
}

impl<'m> Reader<'m> {
    /// Accesses a member of a structure that is not null.
    pub(super) fn member(
        self,
        of: &Value<'m>,
        shape: &'m Shape<'m>,
        name: &str,
    ) -> Option<Value<'m>> {
        let member = shape.member(name)?;
        let target = self.model.shape(member.target)?;
        let rep = Rep::of(self.types, target)?;
        let field = access::member(name);
        let place = of.code.then(&quote!(.#field));
        let is_union = shape.kind == smithy_waiters_model::Kind::Union;
        if is_union && self.types == Types::Sdk {
            let variant = access::ident(&format!("as_{}", crate::names::snake(name)));
            let place = of.code.then(&quote!(.#variant().ok()));
            return Some(self.read_option_reference(&place, target, rep));
        }
        if self.types.is_optional(self.model, shape, member) {
            return Some(self.read_option(&place, target, rep));
        }
        let code = match rep {
            Rep::String => place.then(&quote!(.as_str())),
            Rep::Bool | Rep::Number => self.number(target, &place),
            _ => Code::from_reference(&place),
        };
        Some(Value::new(code, rep))
    }

    fn number(self, target: &Shape<'_>, place: &Code) -> Code {
        match self.types.scalar(target) {
            Scalar::Timestamp => place.then(&quote!(.as_secs_f64())),
            scalar => from_copy(scalar, place),
        }
    }

    /// Converts a field that is an `Option`.
    fn read_option(self, place: &Code, target: &'m Shape<'m>, rep: Rep<'m>) -> Value<'m> {
        let rest = match self.types.scalar(target) {
            _ if !rep.is_scalar() => quote!(.as_ref()),
            Scalar::String => quote!(.as_deref()),
            Scalar::Enum => quote!(.as_ref().map(|value| value.as_str())),
            Scalar::Timestamp => quote!(.as_ref().map(|time| time.as_secs_f64())),
            Scalar::Int | Scalar::Float => quote!(.map(f64::from)),
            Scalar::Long => quote!(.map(|number| number as f64)),
            _ => TokenStream::new(),
        };
        let value = Value::optional(place.then(&rest), rep);
        let strict = match self.types.scalar(target) {
            _ if !value.rep.is_scalar() => return value,
            Scalar::Enum => place.then(&quote!(.as_ref()?.as_str())),
            Scalar::Timestamp => place.then(&quote!(.as_ref()?.as_secs_f64())),
            scalar @ (Scalar::Int | Scalar::Float | Scalar::Long) => {
                from_copy(scalar, &place.then(&quote!(?)))
            }
            _ => return value,
        };
        value.with_strict(strict)
    }

    /// Converts an `Option` that contains a reference.
    fn read_option_reference(self, place: &Code, target: &'m Shape<'m>, rep: Rep<'m>) -> Value<'m> {
        if !rep.is_scalar() {
            return Value::optional(place.clone(), rep);
        }
        if matches!(self.types.scalar(target), Scalar::Bool | Scalar::Double) {
            return Value::optional(place.then(&quote!(.copied())), rep);
        }
        let value = from_reference(self.types.scalar(target), &Code::atom(quote!(value)));
        let code = place.then(&quote!(.map(|value| #value)));
        Value::optional(code, rep)
    }

    /// Returns an iterator over the elements of a list. Nulls are dropped.
    pub(super) fn elements(self, list: &Value<'m>, shape: &'m Shape<'m>) -> Option<Value<'m>> {
        self.iterate(list, shape, &quote!(.iter()))
    }

    /// Returns an iterator over the values of a map. Nulls are dropped.
    pub(super) fn values(self, map: &Value<'m>, shape: &'m Shape<'m>) -> Option<Value<'m>> {
        self.iterate(map, shape, &quote!(.values()))
    }

    fn iterate(
        self,
        of: &Value<'m>,
        shape: &'m Shape<'m>,
        start: &TokenStream,
    ) -> Option<Value<'m>> {
        let target = access::element(self.model, shape)?;
        let rep = Rep::of(self.types, target)?;
        let iterator = of.code.then(start);
        let iterator = if shape.has_trait("smithy.api#sparse") {
            iterator.then(&quote!(.flatten()))
        } else {
            iterator
        };
        let iterator = iterator.then(&self.conversion(target, &rep));
        let rep = Rep::Items(Rc::new(rep), Container::Iterator);
        Some(Value::new(iterator, rep))
    }

    /// Returns the adapter that converts an iterator of references to values.
    fn conversion(self, target: &Shape<'_>, rep: &Rep<'_>) -> TokenStream {
        if !rep.is_scalar() {
            return TokenStream::new();
        }
        match self.types.scalar(target) {
            Scalar::String => quote!(.map(String::as_str)),
            Scalar::Bool | Scalar::Double => quote!(.copied()),
            scalar => {
                let value = from_reference(scalar, &Code::atom(quote!(value)));
                quote!(.map(|value| #value))
            }
        }
    }

    /// Accesses the element of a list at an index, or the value of a map for a key.
    pub(super) fn element(
        self,
        of: &Value<'m>,
        shape: &'m Shape<'m>,
        rest: &TokenStream,
    ) -> Option<Value<'m>> {
        let target = access::element(self.model, shape)?;
        let rep = Rep::of(self.types, target)?;
        let place = of.code.then(rest);
        let place = if shape.has_trait("smithy.api#sparse") {
            place.then(&quote!(.and_then(Option::as_ref)))
        } else {
            place
        };
        Some(self.read_option_reference(&place, target, rep))
    }
}
