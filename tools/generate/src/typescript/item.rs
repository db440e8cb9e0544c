//! The declarations at the top level of a module.

use super::tree::{Statement, Ts, Type};

/// A declaration at the top level of a module.
#[derive(Debug)]
pub(super) enum Item {
    /// `export async function name(parameters): returns { body }`. `export` and `async` are optional.
    Function(Function),
    /// `import { names } from "module"`. A name may begin with `type`.
    Import(Vec<String>, String),
    /// `export interface Name { … }`
    Interface(Interface),
    /// `let name: type;`
    Let(String, Type),
    /// `const name = value;`
    Const(String, Ts),
    /// Fixed source text.
    Raw(&'static str),
    /// `export type name = "a" | "b"`
    Union(String, Vec<String>),
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) docs: Vec<String>,
    pub(super) is_exported: bool,
    pub(super) is_async: bool,
    pub(super) name: String,
    pub(super) parameters: Vec<(String, Type)>,
    pub(super) returns: Type,
    pub(super) body: Vec<Statement>,
}

#[derive(Debug)]
pub(super) struct Interface {
    pub(super) docs: Vec<String>,
    /// The name with its type parameters: `Name<T>`.
    pub(super) name: String,
    pub(super) extends: Option<Type>,
    /// The members: documentation, name, `true` if optional, type.
    pub(super) members: Vec<(Vec<String>, String, bool, Type)>,
}
