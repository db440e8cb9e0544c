//! Items: the declarations at the top level of a module.

use super::tree::{Statement, Ts, Type};

/// What stands at the top level.
#[derive(Debug)]
pub(super) enum Item {
    /// `export async function name(parameters): returns { body }`, or without `export`, `async`
    Function(Function),
    /// `import { names } from "module"`; each name with `type` or without.
    Import(Vec<String>, String),
    /// `export interface Name { … }`
    Interface(Interface),
    /// `let name: type;`
    Let(String, Type),
    /// `const name = value;`
    Const(String, Ts),
    /// Code that is always the same.
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
    /// `Name<T>`
    pub(super) name: String,
    pub(super) extends: Option<Type>,
    /// Docs, name, whether it is optional, type.
    pub(super) members: Vec<(Vec<String>, String, bool, Type)>,
}
