//! Hosts of the component, and the encoding of the values that are passed to them.
//!
//! Values are JSON. `{"record": {…}}`, `{"variant": [name, payload]}`, `{"resource": number}` and `{"u64": number}` represent the types that
//! JSON does not have, and null is an option without a value.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value as Json, json};

/// A host that runs the component.
pub(crate) trait Host {
    /// Calls a function of an interface. The inner `Result` contains the error of a WIT `result`.
    fn call(&mut self, interface: &str, function: &str, arguments: &[Json]) -> Result<Result<Json, Json>>;

    /// Drops a resource.
    fn drop_resource(&mut self, resource: &Json) -> Result<()>;
}

/// A host in a separate process, which reads a call from each line of its standard input.
pub(crate) struct ProcessHost {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl ProcessHost {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {command:?}"))?;
        let input = process.stdin.take().context("no standard input")?;
        let output = process.stdout.take().context("no standard output")?;
        let output = BufReader::new(output);
        Ok(Self {
            process,
            input,
            output,
        })
    }

    fn send(&mut self, request: &Json) -> Result<Json> {
        writeln!(self.input, "{request}")?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the host ended at {request}: {}", self.process.wait()?);
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Host for ProcessHost {
    fn call(&mut self, interface: &str, function: &str, arguments: &[Json]) -> Result<Result<Json, Json>> {
        let request = json!({"interface": interface, "function": function, "arguments": arguments});
        let mut answer = self.send(&request)?;
        if let Some(trap) = answer.get("trap") {
            bail!("{interface}/{function} trapped: {trap}");
        }
        Ok(match answer.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(answer["ok"].take()),
        })
    }

    fn drop_resource(&mut self, resource: &Json) -> Result<()> {
        self.send(&json!({"drop": resource})).map(drop)
    }
}

impl Drop for ProcessHost {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
