//! A compiled expression as instructions for hosts, where it has nothing but what these can say.

use serde_json::Value as Json;

use super::functions::Function;
use super::node::{Node, Op};
use crate::value::Instruction;

/// The instructions for a node, in the order in which a stack takes them.
pub(super) fn instructions(node: &Node) -> Option<Vec<Instruction<'_>>> {
    let mut plan = Vec::new();
    add(node, &mut plan).map(|()| plan)
}

fn add<'n>(node: &'n Node, plan: &mut Vec<Instruction<'n>>) -> Option<()> {
    let instruction = match &node.op {
        Op::And(pair) => all(&**pair, Instruction::And, plan)?,
        Op::Call(Function::Contains, arguments) => all(arguments, Instruction::Contains, plan)?,
        Op::Call(Function::Length, arguments) => all(arguments, Instruction::Length, plan)?,
        Op::Chain(nodes) => {
            let (first, rest) = nodes.split_first()?;
            add(first, plan)?;
            for node in rest {
                add(node, plan)?;
                plan.push(Instruction::Pipe);
            }
            return Some(());
        }
        Op::Compare(comparison, pair) => all(&**pair, Instruction::Compare(*comparison), plan)?,
        Op::Condition(pair) => all(&**pair, Instruction::Condition, plan)?,
        Op::Current => Instruction::Current,
        Op::Flatten(node) => {
            add(node, plan)?;
            Instruction::Flatten
        }
        Op::List(nodes) => all(nodes, Instruction::List(nodes.len()), plan)?,
        Op::Literal(json) => literal(json)?,
        Op::Not(node) => {
            add(node, plan)?;
            Instruction::Not
        }
        Op::Or(pair) => all(&**pair, Instruction::Or, plan)?,
        Op::Path(names) => {
            plan.push(Instruction::Current);
            plan.extend(names.iter().map(Instruction::Member));
            return Some(());
        }
        Op::Project(pair) => all(&**pair, Instruction::Project, plan)?,
        Op::Values(node) => {
            add(node, plan)?;
            Instruction::Values
        }
        Op::Call(..) | Op::Expref(_) | Op::Hash(_) | Op::Index(_) | Op::Slice(_) => return None,
    };
    plan.push(instruction);
    Some(())
}

/// Adds the operands of an instruction.
fn all<'n>(
    nodes: &'n [Node],
    then: Instruction<'n>,
    plan: &mut Vec<Instruction<'n>>,
) -> Option<Instruction<'n>> {
    for node in nodes {
        add(node, plan)?;
    }
    Some(then)
}

fn literal(json: &Json) -> Option<Instruction<'_>> {
    match json {
        Json::Null => Some(Instruction::Null),
        Json::Bool(value) => Some(Instruction::Boolean(*value)),
        Json::Number(number) => number.as_f64().map(Instruction::Number),
        Json::String(text) => Some(Instruction::String(text)),
        Json::Array(_) | Json::Object(_) => None,
    }
}
