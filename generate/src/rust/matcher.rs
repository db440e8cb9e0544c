//! Matchers: a function for each path, and one for each waiter that names the first acceptor that matches.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{At, Shape};

use super::access::{self, Types};
use super::code::{self, Code};
use super::comment::code_span;
use super::deprecated;
use super::lower::{Lower, LowerResult, Unsupported, unsupported};
use super::member::Reader;
use super::names::NamedWaiter;
use super::value::{Container, Rep, Value};
use crate::error::{GenerateError, UnsupportedPath, together};
use crate::ir::{Comparator, Expression, Matcher, Op, PathMatcher, Service, Sides};

/// What the functions of a waiter are written with.
pub(super) struct Matchers<'s, 'm> {
    pub(super) service: &'s Service<'m>,
    pub(super) reader: Reader<'m>,
    pub(super) named: &'s NamedWaiter<'s, 'm>,
    /// The types of the operation's input and output.
    pub(super) input: TokenStream,
    pub(super) output: TokenStream,
}

impl<'m> Matchers<'_, 'm> {
    /// All functions.
    pub(super) fn functions(&self) -> Result<TokenStream, GenerateError> {
        let acceptors = self.named.waiter.acceptors.iter().enumerate();
        let paths = acceptors.filter_map(|(index, acceptor)| match &acceptor.matcher {
            Matcher::Path(path) => Some(self.path(index, path)),
            _ => None,
        });
        let rest = together(std::iter::once(self.messages()).chain(paths))?;
        let whole = self.whole();
        Ok(quote!(#whole #(#rest)*))
    }

    /// Whether a failure may have a message of the response.
    pub(super) fn has_messages(&self) -> bool {
        let mut acceptors = self.named.waiter.acceptors.iter();
        acceptors.any(|acceptor| acceptor.message.is_some())
    }

    /// A function that gives the message of a failure, where an acceptor has one.
    fn messages(&self) -> Result<TokenStream, GenerateError> {
        if !self.has_messages() {
            return Ok(TokenStream::new());
        }
        let acceptors = self.named.waiter.acceptors.iter().enumerate();
        let arms = acceptors.filter_map(|(index, acceptor)| {
            let message = acceptor.message.as_ref()?;
            let body = self.message(&message.expression);
            let body =
                body.map_err(|unsupported| self.refuse(message.path, message.at, unsupported));
            let literal = proc_macro2::Literal::usize_unsuffixed(index);
            Some(body.map(|body| quote!(#literal => #body,)))
        });
        let arms = together(arms)?;
        let (name, output) = (&self.named.names.message, &self.output);
        let document = format!(
            " What the response says of why `{}` failed, by the acceptor that matched.",
            self.named.waiter.name
        );
        let paths = self.named.waiter.acceptors.iter();
        let paths = paths.filter_map(|acceptor| Some(&acceptor.message.as_ref()?.expression));
        let allowed = self.allow_deprecated(paths);
        Ok(quote! {
            #[doc = #document]
            #allowed
            #[must_use]
            pub fn #name(output: &#output, acceptor: usize) -> Option<String> {
                let message = match acceptor {
                    #(#arms)*
                    _ => return None,
                };
                Some(message).filter(|message| !message.is_empty())
            }
        })
    }

    /// A text, or texts in a list (D9); of anything else there is none.
    fn message(&self, message: &Expression<'m>) -> LowerResult<TokenStream> {
        let lower = Lower::new(self.reader, self.root(Sides::Output));
        let value = lower.strict(message)?;
        Ok(match &value.rep {
            Rep::String => {
                let text = value.code.receiver();
                quote!(#text.to_owned())
            }
            Rep::List(_) | Rep::Items(..) | Rep::Row { .. } => {
                match strings(&lower, message, true)? {
                    Some(items) => {
                        let joined = items.code.then(&quote!(.collect::<Vec<_>>().join(", ")));
                        quote!(#joined)
                    }
                    None => quote!(return None),
                }
            }
            _ => quote!(return None),
        })
    }

    fn whole(&self) -> TokenStream {
        let (name, output) = (&self.named.names.matcher, &self.output);
        let arms = self.arms();
        let document = format!(
            " The first acceptor of `{}` that matches: a response, or what is known of an error.",
            self.named.waiter.name
        );
        let input = self.input_parameter();
        let allowed = self.allow_deprecated([]);
        quote! {
            #[doc = #document]
            #allowed
            #[must_use]
            pub fn #name(#input seen: Result<&#output, &engine::ErrorMetadata<'_>>) -> Option<usize> {
                match seen { #arms }
            }
        }
    }

    fn input_parameter(&self) -> TokenStream {
        let input = &self.input;
        if self.named.waiter.looks_at_input() {
            quote!(input: &#input,)
        } else {
            TokenStream::new()
        }
    }

    fn arms(&self) -> TokenStream {
        let mut arms = Vec::new();
        let (mut all_responses, mut all_errors) = (false, false);
        for (index, acceptor) in self.named.waiter.acceptors.iter().enumerate() {
            let literal = proc_macro2::Literal::usize_unsuffixed(index);
            match &acceptor.matcher {
                Matcher::Success(true) if !all_responses => {
                    all_responses = true;
                    arms.push(quote!(Ok(_) => Some(#literal),));
                }
                Matcher::Success(false) if !all_errors => {
                    all_errors = true;
                    arms.push(quote!(Err(_) => Some(#literal),));
                }
                Matcher::ErrorType(name) if !all_errors => {
                    let names = self.named.operation.error_names(name);
                    arms.push(quote!(Err(error) if #(error.is(#names))||* => Some(#literal),));
                }
                Matcher::Path(path) if !all_responses => {
                    let function = self.named.names.paths.get(index);
                    let input = match path.sides {
                        Sides::InputOutput => quote!(input,),
                        Sides::Output => TokenStream::new(),
                    };
                    arms.push(quote! {
                        Ok(output) if #function(#input output) == Some(true) => Some(#literal),
                    });
                }
                _ => {}
            }
        }
        if !(all_responses && all_errors) {
            arms.push(quote!(_ => None,));
        }
        quote!(#(#arms)*)
    }

    /// What is let be in a function of these paths: our own plain types have no marks.
    fn allow_deprecated<'e>(
        &self,
        paths: impl IntoIterator<Item = &'e Expression<'m>>,
    ) -> TokenStream
    where
        'm: 'e,
    {
        let is_named = deprecated::in_sides(self.named.operation)
            || paths.into_iter().any(deprecated::in_path);
        deprecated::allow(self.reader.types == Types::Sdk && is_named)
    }

    fn refuse(&self, path: &str, at: At, Unsupported(what): Unsupported) -> GenerateError {
        GenerateError::Unsupported(vec![UnsupportedPath {
            place: self.service.place(at),
            waiter: self.named.waiter.name.to_owned(),
            path: path.to_owned(),
            what: format!("Rust has nothing for {what}"),
        }])
    }

    fn path(&self, index: usize, path: &PathMatcher<'m>) -> Result<TokenStream, GenerateError> {
        let body = self.test(path);
        let body = body.map_err(|unsupported| self.refuse(path.path, path.at, unsupported))?;
        let name = self.named.names.paths.get(index);
        let (input, output) = (&self.input, &self.output);
        let parameter = |name: &str| {
            let is_read = code::names(&body, name);
            let name = access::ident(name);
            if is_read { quote!(#name) } else { quote!(_) }
        };
        let (input_name, output_name) = (parameter("input"), parameter("output"));
        let input = match path.sides {
            Sides::InputOutput => quote!(#input_name: &#input,),
            Sides::Output => TokenStream::new(),
        };
        let one_line = path.path.split_whitespace().collect::<Vec<_>>().join(" ");
        let document = format!(
            " {} {} {}.",
            code_span(&one_line),
            words(path.comparator),
            code_span(path.expected)
        );
        let allowed = self.allow_deprecated([&path.expression]);
        Ok(quote! {
            #[doc = #document]
            #allowed
            fn #name(#input #output_name: &#output) -> Option<bool> {
                #body
            }
        })
    }

    /// Whether the result of a path is what is expected; null is as good as an error here.
    fn test(&self, path: &PathMatcher<'m>) -> LowerResult<TokenStream> {
        if path.sides == Sides::InputOutput && self.is_streamed() {
            return unsupported("a look at an input that has a stream");
        }
        let lower = Lower::new(self.reader, self.root(path.sides));
        let (expression, expected) = (&path.expression, path.expected);
        let literal = Code::atom(quote!(#expected));
        Ok(match path.comparator {
            Comparator::BooleanEquals => {
                let value = lower.of_kind(expression, &Rep::Bool)?;
                boolean(&value, expected == "true")
            }
            Comparator::StringEquals => {
                let value = match &expression.op {
                    Op::And(_) | Op::Or(_) => lower.of_kind(expression, &Rep::String)?.strict(),
                    _ => lower.strict(expression)?,
                };
                if !matches!(value.rep, Rep::String) {
                    return Ok(quote!(Some(false)));
                }
                let test = value.code.compare(&quote!(==), &literal);
                quote!(Some(#test))
            }
            Comparator::AnyStringEquals | Comparator::AllStringEquals => {
                let is_any = path.comparator == Comparator::AnyStringEquals;
                let Some(items) = strings(&lower, expression, is_any)? else {
                    return Ok(quote!(Some(false)));
                };
                let items = items.code;
                if is_any {
                    let any = items.then(&quote!(.any(|item| item == #expected)));
                    return Ok(quote!(Some(#any)));
                }
                quote! {
                    let mut items = #items;
                    Some(items.next()? == #expected && items.all(|item| item == #expected))
                }
            }
        })
    }

    /// Whether the input is sent once, and nothing is left of it.
    fn is_streamed(&self) -> bool {
        self.reader.types == Types::Sdk && self.named.operation.streaming
    }

    fn root(&self, sides: Sides) -> Value<'m> {
        let side = |name: &Ident, shape: Option<&'m Shape<'m>>| match shape {
            Some(shape) => Value::new(Code::atom(quote!(#name)), Rep::Structure(shape)),
            None => Value::null(),
        };
        let output = side(&format_ident!("output"), self.named.operation.output);
        if sides == Sides::Output {
            return output;
        }
        let input = side(&format_ident!("input"), self.named.operation.input);
        let members = [("input".to_owned(), input), ("output".to_owned(), output)];
        let record = Rep::Record(Rc::new(BTreeMap::from(members)));
        Value::new(Code::atom(quote!(())), record)
    }
}

/// The strings of an array, without nulls or where one of them ends the matcher; nothing where it is none, or has none.
fn strings<'m>(
    lower: &Lower<'m>,
    expression: &Expression<'m>,
    are_nulls_dropped: bool,
) -> LowerResult<Option<Value<'m>>> {
    let value = lower.strict(expression)?;
    let items = match value.rep {
        _ if !are_nulls_dropped && value.rep.has_nulls() => {
            lower.items_without_nulls(expression)?
        }
        Rep::List(_) | Rep::Items(..) | Rep::Row { .. } => lower.iterator(value)?,
        _ => return Ok(None),
    };
    let is_of_strings = matches!(&items.rep, Rep::Items(item, Container::Iterator) if matches!(**item, Rep::String));
    Ok(is_of_strings.then_some(items))
}

fn boolean(value: &Value<'_>, expected: bool) -> TokenStream {
    let code = &value.code;
    match (&value.rep, value.optional, expected) {
        (Rep::Bool, true, true) => quote!(#code),
        (Rep::Bool, true, false) => {
            let receiver = code.receiver();
            quote!(#receiver.map(|value| !value))
        }
        (Rep::Bool, false, true) => quote!(Some(#code)),
        (Rep::Bool, false, false) => {
            let not = code.not();
            quote!(Some(#not))
        }
        _ => quote!(Some(false)),
    }
}

const fn words(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::AllStringEquals => "are all",
        Comparator::AnyStringEquals => "has",
        Comparator::BooleanEquals | Comparator::StringEquals => "is",
    }
}
