//! What the programs of the demo say. All times are milliseconds.

use serde::Deserialize;
use serde_json::Value;

/// One line of a program's output.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event {
    /// What a client is made of.
    About {
        runtime: Option<String>,
        sdk: String,
    },
    /// A call that starts.
    Call { attempt: u64 },
    /// A call that has ended.
    Attempt(Attempt),
    /// The service has done what it was told.
    Done {},
    /// The wait is over.
    End(End),
    /// The service can be called.
    Listening { port: u16 },
    /// A client waits for the word to begin.
    Ready,
}

/// An attempt of a wait.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) attempt: u64,
    pub(crate) started: u64,
    pub(crate) took: u64,
    /// The table's state or the error's name; nothing where no answer came in time.
    pub(crate) seen: Option<String>,
    /// The verdict's state; nothing where there was nothing to look at.
    pub(crate) state: Option<String>,
    pub(crate) acceptor: Option<usize>,
    pub(crate) delay: Option<u64>,
    #[serde(default, rename = "nextIsLast")]
    pub(crate) next_is_last: bool,
    pub(crate) remaining: u64,
    /// What a replay needs of the answer, from the client that is recorded.
    #[serde(default)]
    pub(crate) answer: Option<Value>,
}

/// How a wait ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct End {
    /// `success`, or the failure's code.
    pub(crate) code: String,
    pub(crate) acceptor: Option<usize>,
    pub(crate) acceptor_text: Option<String>,
    pub(crate) attempts: u64,
    pub(crate) elapsed: u64,
    pub(crate) explanation: Option<String>,
}

impl End {
    /// What the three languages must agree on, in words.
    pub(crate) fn verdict(&self) -> String {
        match self.acceptor {
            Some(acceptor) => format!("{} by acceptor {acceptor}", self.code),
            None => self.code.clone(),
        }
    }
}
