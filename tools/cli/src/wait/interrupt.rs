//! Signals that end a wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use anyhow::Result;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use smithy_waiters::driver::CancelToken;

/// The signal that ended the wait, if there was one, and a token that all calls and pauses observe.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    pub(super) token: CancelToken,
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Starts to receive signals.
    pub(super) fn install() -> Result<Self> {
        let interrupt = Self::default();
        // Without a terminal the wait continues, and only its display ends.
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let received = interrupt.clone();
        thread::spawn(move || {
            for signal in signals.forever().filter(|signal| *signal != SIGHUP) {
                received.signal.store(signal, Ordering::SeqCst);
                received.token.cancel();
            }
        });
        Ok(interrupt)
    }

    /// Returns the exit code of an interrupted process, as shells do.
    pub(super) fn exit_code(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::SeqCst);
        let signal = u8::try_from(signal).ok().filter(|signal| *signal > 0)?;
        Some(signal.saturating_add(128))
    }
}
