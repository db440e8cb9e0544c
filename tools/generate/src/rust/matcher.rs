//! The matchers of a waiter: a function for each path, and one that returns the index of the first matching acceptor.

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
use crate::error::{GenerateError, UnsupportedPath, collect_results};
use crate::ir::{Comparator, Expression, Matcher, Op, PathMatcher, Service, Sides};

/// A waiter with the data for its matchers.
pub(super) struct Matchers<'s, 'm> {
    pub(super) service: &'s Service<'m>,
    pub(super) reader: Reader<'m>,
    pub(super) named: &'s NamedWaiter<'s, 'm>,
    /// The types of the operation's input and output.
    pub(super) input: TokenStream,
    pub(super) output: TokenStream,
}

impl<'m> Matchers<'_, 'm> {
    /// Returns all functions.
    pub(super) fn functions(&self) -> Result<TokenStream, GenerateError> {
        let acceptors = self.named.waiter.acceptors.iter().enumerate();
        let paths = acceptors.filter_map(|(index, acceptor)| match &acceptor.matcher {
            Matcher::Path(path) => Some(self.path(index, path)),
            _ => None,
        });
        let rest = collect_results(std::iter::once(self.messages()).chain(paths))?;
        let matcher = self.matcher_function();
        Ok(quote!(#matcher #(#rest)*))
    }

    /// Returns `true` if an acceptor has a `message`.
    pub(super) fn has_messages(&self) -> bool {
        let mut acceptors = self.named.waiter.acceptors.iter();
        acceptors.any(|acceptor| acceptor.message.is_some())
    }

    /// Returns the function that reads failure messages, or no code without an acceptor that has a `message`.
    fn messages(&self) -> Result<TokenStream, GenerateError> {
        if !self.has_messages() {
            return Ok(TokenStream::new());
        }
        let acceptors = self.named.waiter.acceptors.iter().enumerate();
        let arms = acceptors.filter_map(|(index, acceptor)| {
            let message = acceptor.message.as_ref()?;
            let body = self.message(&message.expression);
            let body = body.map_err(|unsupported| {
                self.unsupported_path(message.path, message.at, unsupported)
            });
            let literal = proc_macro2::Literal::usize_unsuffixed(index);
            Some(body.map(|body| quote!(#literal => #body,)))
        });
        let arms = collect_results(arms)?;
        let (name, output) = (&self.named.names.message, &self.output);
        let document = format!(
            " Returns the response's message for a failure of `{}`. `acceptor` is the index of the acceptor.",
            self.named.waiter.name
        );
        let paths = self.named.waiter.acceptors.iter();
        let paths = paths.filter_map(|acceptor| Some(&acceptor.message.as_ref()?.expression));
        let allow = self.allow_deprecated(paths);
        Ok(quote! {
            #[doc = #document]
            #allow
            #[must_use]
            pub fn #name(output: &#output, acceptor: usize) -> Option<String> {
                let message = match acceptor {
                    #(#arms)*
                    _ => return None,
                };
                // An empty message gives the default one. Rule: docs/rules.md#failure-messages
                Some(message).filter(|message| !message.is_empty())
            }
        })
    }

    /// Translates the path of a message. The message is a string or a list of strings, which are joined. Rule:
    /// docs/rules.md#failure-messages
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

    fn matcher_function(&self) -> TokenStream {
        let (name, output) = (&self.named.names.matcher, &self.output);
        let arms = self.arms();
        let document = format!(
            " Returns the index of the first acceptor of `{}` that matches a response or an error.",
            self.named.waiter.name
        );
        let input = self.input_parameter();
        let allow = self.allow_deprecated([]);
        quote! {
            #[doc = #document]
            #allow
            #[must_use]
            pub fn #name(#input result: Result<&#output, &engine::ErrorMetadata<'_>>) -> Option<usize> {
                match result { #arms }
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
        // Arms after one that matches everything would be unreachable, which is a warning in the user's crate.
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

    /// Returns the attribute that a function with these paths needs. Plain types are never deprecated.
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

    fn unsupported_path(
        &self,
        path: &str,
        at: At,
        Unsupported(what): Unsupported,
    ) -> GenerateError {
        GenerateError::Unsupported(vec![UnsupportedPath {
            place: self.service.place(at),
            waiter: self.named.waiter.name.to_owned(),
            path: path.to_owned(),
            what: format!("Rust cannot express {what}"),
        }])
    }

    fn path(&self, index: usize, path: &PathMatcher<'m>) -> Result<TokenStream, GenerateError> {
        let body = self.test(path);
        let body =
            body.map_err(|unsupported| self.unsupported_path(path.path, path.at, unsupported))?;
        let name = self.named.names.paths.get(index);
        let (input, output) = (&self.input, &self.output);
        let parameter = |name: &str| {
            // An unused parameter would be a warning in the user's crate.
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
            verb(path.comparator),
            code_span(path.expected)
        );
        let allow = self.allow_deprecated([&path.expression]);
        Ok(quote! {
            #[doc = #document]
            #allow
            fn #name(#input #output_name: &#output) -> Option<bool> {
                #body
            }
        })
    }

    /// Returns the body of a function that tests the result of a path. It yields `None` for null and for failures.
    fn test(&self, path: &PathMatcher<'m>) -> LowerResult<TokenStream> {
        if path.sides == Sides::InputOutput && self.has_stream() {
            return unsupported("access to an input with a stream");
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
                // `next` returns `None` for an empty list, which does not match. Rule: docs/rules.md#null-and-types
                quote! {
                    let mut items = #items;
                    Some(items.next()? == #expected && items.all(|item| item == #expected))
                }
            }
        })
    }

    /// Returns `true` if the input is unavailable after the call, because its stream is sent only once.
    fn has_stream(&self) -> bool {
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

/// Returns the strings of an array, or `None` for another type. Nulls are dropped, or else end the matcher.
fn strings<'m>(
    lower: &Lower<'m>,
    expression: &Expression<'m>,
    drops_nulls: bool,
) -> LowerResult<Option<Value<'m>>> {
    let value = lower.strict(expression)?;
    let items = match value.rep {
        _ if !drops_nulls && value.rep.has_nulls() => lower.items_without_nulls(expression)?,
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

const fn verb(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::AllStringEquals => "are all",
        Comparator::AnyStringEquals => "contains",
        Comparator::BooleanEquals | Comparator::StringEquals => "is",
    }
}
