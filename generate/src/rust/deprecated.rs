//! What the model calls deprecated: marked where people call it, as the SDKs mark it, and let be where generated code itself
//! reads what an SDK has marked.

use proc_macro2::TokenStream;
use quote::quote;
use smithy_waiters_model::{Member, Model, Shape};

use super::access;
use crate::ir::{Deprecation, Expression, Operation, element};

/// The mark on what people call.
pub(super) fn mark(said: Deprecation<'_>) -> TokenStream {
    let note = said.message.unwrap_or("the model says so");
    quote!(#[deprecated(note = #note)])
}

/// The compiler is not to tell of what a model has deprecated: generated code does what the model says.
pub(super) fn allow(is_deprecated: bool) -> TokenStream {
    if is_deprecated {
        quote!(#[allow(deprecated, reason = "the model names it")])
    } else {
        TokenStream::new()
    }
}

/// Whether code that calls an operation names what is deprecated.
pub(super) fn in_call(operation: &Operation<'_>) -> bool {
    operation.deprecated.is_some() || in_sides(operation)
}

/// Whether the input or the output of an operation is deprecated.
pub(super) fn in_sides(operation: &Operation<'_>) -> bool {
    let mut sides = operation.input.into_iter().chain(operation.output);
    sides.any(|side| Deprecation::of(side).is_some())
}

/// Whether code that sets or reads a member names what is deprecated: the member, or what it holds.
pub(super) fn in_member(model: &Model<'_>, member: &Member<'_>) -> bool {
    let target = || model.shape(member.target);
    Deprecation::of_member(member).is_some() || target().is_some_and(|shape| in_type(model, shape))
}

fn in_type(model: &Model<'_>, shape: &Shape<'_>) -> bool {
    let is_deprecated = Deprecation::of(shape).is_some();
    is_deprecated || element(shape).is_some_and(|member| in_member(model, member))
}

/// Whether a path reads a member that is deprecated.
pub(super) fn in_path(expression: &Expression<'_>) -> bool {
    let read = access::read(expression);
    let is_read = read.is_some_and(|(_, member)| Deprecation::of_member(member).is_some());
    is_read || expression.children().into_iter().any(in_path)
}
