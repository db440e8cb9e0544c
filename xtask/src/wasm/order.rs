//! The functions of a wasm in an order that packs well: each behind those it shares most code with.
//!
//! What packs a file looks for what it has seen before, gzip no further back than 32 KiB. Linkers and optimisers put functions
//! anywhere; side by side with their like, the same functions are a percent smaller in the package.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "every number is of a function or a run of bytes that is counted here"
)]

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Context, Result, anyhow};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef,
};

/// How many bytes count as the same code.
const RUN: usize = 6;

/// What is in more functions than this tells nothing of two of them.
const COMMON: usize = 200;

/// How many bytes back a function's neighbours are looked at: which of them is best changes with every line of the engine.
const NEAR: [usize; 5] = [500, 1_000, 1_500, 2_000, 4_000];

/// The same module, with its functions in that order: the one that is smallest by what it is packed to.
///
/// # Errors
///
/// When the wasm cannot be read or packed.
pub(super) fn by_likeness(wasm: &[u8], packed: impl Fn(&[u8]) -> Result<usize>) -> Result<Vec<u8>> {
    let functions = Functions::read(wasm).context("the wasm cannot be read")?;
    let shared = Shared::of(&functions.bodies);
    let mut smallest: Option<(usize, Vec<u8>)> = None;
    for near in NEAR {
        let ordered = in_order(wasm, &functions, chain(&functions.bodies, &shared, near))?;
        let size = packed(&ordered)?;
        if smallest.as_ref().is_none_or(|(least, _)| size < *least) {
            smallest = Some((size, ordered));
        }
    }
    smallest.map(|(_, ordered)| ordered).context("no order")
}

fn in_order(wasm: &[u8], functions: &Functions<'_>, order: Vec<usize>) -> Result<Vec<u8>> {
    let mut renumber = Renumber::new(functions.imported, order);
    let mut module = Module::new();
    renumber
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|error| anyhow!("the functions of the wasm cannot be put in order: {error}"))?;
    Ok(module.finish())
}

/// The functions of a module, by their code.
#[derive(Default)]
struct Functions<'a> {
    /// How many numbers are taken by functions that the host gives.
    imported: u32,
    bodies: Vec<&'a [u8]>,
}

impl<'a> Functions<'a> {
    fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut functions = Self::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_));
                        functions.imported += u32::from(is_function);
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body.as_bytes()),
                _ => {}
            }
        }
        Ok(functions)
    }
}

/// The largest function first, then always the one that is most like the last ones.
fn chain(bodies: &[&[u8]], shared: &Shared, near: usize) -> Vec<usize> {
    let largest = (0..bodies.len()).rev().max_by_key(|&at| bodies[at].len());
    let mut order: Vec<usize> = largest.into_iter().collect();
    let mut left: Vec<usize> = (0..bodies.len()).filter(|at| !order.contains(at)).collect();
    while !left.is_empty() {
        let scores = shared.scores(bodies, &order, near);
        let likeness = |at: usize| scores[at] / (bodies[at].len() as f64).powf(0.9);
        let next = (0..left.len())
            .rev()
            .max_by(|&a, &b| likeness(left[a]).total_cmp(&likeness(left[b])))
            .unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

/// Which runs of bytes a function has, and which functions have a run.
struct Shared {
    runs: Vec<Vec<usize>>,
    functions: Vec<Vec<usize>>,
}

impl Shared {
    fn of(bodies: &[&[u8]]) -> Self {
        let mut known = HashMap::new();
        let mut functions: Vec<Vec<usize>> = Vec::new();
        let mut runs = vec![Vec::new(); bodies.len()];
        for (at, body) in bodies.iter().enumerate() {
            for run in body.windows(RUN) {
                let run = *known.entry(run).or_insert(functions.len());
                if run == functions.len() {
                    functions.push(Vec::new());
                }
                if functions[run].last() != Some(&at) {
                    functions[run].push(at);
                    runs[at].push(run);
                }
            }
        }
        Self { runs, functions }
    }

    /// How much each function has in common with the last ones; what few have counts more.
    fn scores(&self, bodies: &[&[u8]], order: &[usize], near: usize) -> Vec<f64> {
        let mut scores = vec![0.0; bodies.len()];
        let mut counted = vec![false; self.functions.len()];
        let mut back = 0;
        for &neighbour in order.iter().rev() {
            for &run in &self.runs[neighbour] {
                let functions = &self.functions[run];
                if std::mem::replace(&mut counted[run], true) || functions.len() > COMMON {
                    continue;
                }
                let weight = 1.0 / (functions.len() as f64).sqrt();
                functions.iter().for_each(|&at| scores[at] += weight);
            }
            back += bodies[neighbour].len();
            if back > near {
                break;
            }
        }
        scores
    }
}

/// Writes a module anew, its functions in another order.
struct Renumber {
    imported: u32,
    /// The old number of each new one, without those imported.
    order: Vec<usize>,
    /// The new number of each old one, likewise.
    numbers: Vec<u32>,
}

impl Renumber {
    fn new(imported: u32, order: Vec<usize>) -> Self {
        let mut numbers = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            numbers[old] = new;
        }
        Self {
            imported,
            order,
            numbers,
        }
    }
}

impl Reencode for Renumber {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let own = function.checked_sub(self.imported);
        let new = own.and_then(|own| self.numbers.get(own as usize));
        Ok(new.map_or(function, |new| self.imported + new))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &old in &self.order.clone() {
            functions.function(self.type_index(types[old])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        let bodies = section
            .into_iter()
            .collect::<Result<Vec<FunctionBody<'_>>, _>>()?;
        for &old in &self.order.clone() {
            self.parse_function_body(code, bodies[old].clone())?;
        }
        Ok(())
    }
}
