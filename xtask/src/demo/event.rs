//! The events that the programs of the demo report. All times are in milliseconds.

use serde::Deserialize;
use serde_json::Value;

/// An event, which is a line of a program's output.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event {
    /// The versions of a client.
    About {
        runtime: Option<String>,
        sdk: String,
    },
    /// The start of a call.
    Call { attempt: u64 },
    /// The end of a call.
    Attempt(Attempt),
    /// The service has executed a command.
    Done {},
    /// The end of the wait.
    End(End),
    /// The service accepts connections.
    Listening { port: u16 },
    /// A client is ready to start.
    Ready,
}

/// An attempt of a wait.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) attempt: u64,
    pub(crate) started: u64,
    pub(crate) took: u64,
    /// The state of the table or the name of the error; `None` if the call timed out.
    pub(crate) seen: Option<String>,
    /// The state of the verdict; `None` if the call timed out.
    pub(crate) state: Option<String>,
    pub(crate) acceptor: Option<usize>,
    pub(crate) delay: Option<u64>,
    #[serde(default, rename = "nextIsLast")]
    pub(crate) next_is_last: bool,
    pub(crate) remaining: u64,
    /// The response for the replay. Only one client reports it.
    #[serde(default)]
    pub(crate) answer: Option<Value>,
}

/// The end of a wait.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct End {
    /// `success`, or the code of the failure.
    pub(crate) code: String,
    pub(crate) acceptor: Option<usize>,
    pub(crate) acceptor_text: Option<String>,
    pub(crate) attempts: u64,
    pub(crate) elapsed: u64,
    pub(crate) explanation: Option<String>,
}

impl End {
    /// Describes the part of the end that must be equal in all languages.
    pub(crate) fn verdict(&self) -> String {
        match self.acceptor {
            Some(acceptor) => format!("{} by acceptor {acceptor}", self.code),
            None => self.code.clone(),
        }
    }
}
