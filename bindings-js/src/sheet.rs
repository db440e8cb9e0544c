//! What acceptors do with a response, as the kernel learns it: `npm/src/sheet.ts` has the same numbers.

use smithy_waiters::value::{
    Comparison, Instruction, PathStep, PathTest, ResponseTest, Wanted, When,
};

use crate::kernel;
use crate::value::number;

/// Has the kernel know an acceptor by heart: what it needs to know first, then the acceptor.
pub(crate) fn learn(table: u32, test: &ResponseTest<'_>) {
    let when = match &test.when {
        When::Always => 0,
        When::Error => 1,
        When::Failure => 2,
        When::Path(test) => {
            path(table, test);
            3
        }
        When::Plan(instructions, expected) => {
            instructions.iter().for_each(|one| instruction(table, *one));
            if *expected { 5 } else { 4 }
        }
        _ => 6,
    };
    kernel::add_acceptor(table, test.state as u32, when);
}

fn path(table: u32, test: &PathTest) {
    let wanted = match test.wanted() {
        Wanted::Any => 0,
        Wanted::Every => 1,
        _ => 2,
    };
    kernel::add_test(table, wanted, number(test.expected()));
    for step in test.steps() {
        match step {
            PathStep::Member(name) => kernel::add_step(table, 2, number(name).cast_signed()),
            PathStep::Flatten => kernel::add_step(table, 0, kernel::END),
            PathStep::Items => kernel::add_step(table, 1, kernel::END),
            _ => kernel::add_step(table, 3, kernel::END),
        }
    }
}

fn instruction(table: u32, instruction: Instruction<'_>) {
    let (code, operand) = match instruction {
        Instruction::Number(number) => return kernel::add_number(table, number),
        Instruction::String(text) => return kernel::add_text(table, text),
        Instruction::And => (0, 0),
        Instruction::Boolean(value) => (1, u32::from(value)),
        Instruction::Compare(comparison) => (2, compared(comparison)),
        Instruction::Condition => (3, 0),
        Instruction::Contains => (4, 0),
        Instruction::Current => (5, 0),
        Instruction::Flatten => (6, 0),
        Instruction::Length => (7, 0),
        Instruction::List(count) => (8, u32::try_from(count).unwrap_or(u32::MAX)),
        Instruction::Member(name) => (9, number(name)),
        Instruction::Not => (10, 0),
        Instruction::Null => (11, 0),
        Instruction::Or => (12, 0),
        Instruction::Pipe => (13, 0),
        Instruction::Project => (14, 0),
        Instruction::Values => (15, 0),
        _ => (UNKNOWN, 0),
    };
    kernel::add_instruction(table, code, operand);
}

/// What the kernel cannot know: its plan then asks the engine.
const UNKNOWN: u32 = 16;

const fn compared(comparison: Comparison) -> u32 {
    match comparison {
        Comparison::Equal => 0,
        Comparison::Greater => 1,
        Comparison::GreaterOrEqual => 2,
        Comparison::Less => 3,
        Comparison::LessOrEqual => 4,
        Comparison::NotEqual => 5,
    }
}
