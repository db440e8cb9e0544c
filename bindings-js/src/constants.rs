//! The numbers that stand for something on both sides of the border to JavaScript: the build writes them into a module of the npm
//! package, too (`xtask/src/packages/wasm/constants.rs`).

constants! {
    /// A value in a slot is described by `slot << KIND_BITS | kind`; a negative number is the complement of the slot with the message
    /// of an error.
    KIND_BITS: u32 = 4;
    /// Null, which no slot holds.
    NULL: i32 = 0;
    FALSE: i32 = 1;
    TRUE: i32 = 2;
    NUMBER: i32 = 3;
    STRING: i32 = 4;
    ARRAY: i32 = 5;
    OBJECT: i32 = 6;
    /// A text that the table of names contains; its number stands for the slot.
    CONSTANT: i32 = 7;
    /// A text that is not a plain string, or that has a lone surrogate.
    ODD_STRING: i32 = 8;
    /// An item that is an array itself, if these are kept; its path was not walked.
    ARRAY_ITEM: i32 = 9;

    /// The memory of the wasm has grown while the host read items: it has not filled the slice that it was given.
    MOVED: i32 = -2147483648;

    /// The steps of every machine.
    CALL: u32 = 0;
    SLEEP: u32 = 1;
    DONE: u32 = 2;

    /// A verdict is `(acceptor + 1) << STATE_BITS | state`, without an acceptor only the state.
    STATE_BITS: u32 = 2;
    SUCCESS: u32 = 0;
    FAILURE: u32 = 1;
    RETRY: u32 = 2;

    /// The source of an error's name.
    BY_CODE: u32 = 0;
    BY_CLASS: u32 = 1;
    /// The name of a class that only service errors are matched by: it is displayed.
    BY_CLASS_FOR_DISPLAY: u32 = 2;
    /// Several names in one text, with [`NAME_SEPARATOR`] between them.
    BY_CODES: u32 = 3;
    UNNAMED: u32 = 4;
    /// The code of a character.
    NAME_SEPARATOR: u8 = 0;

    /// The traits of an error in its model: the fault, and two flags.
    FAULT_BITS: u32 = 2;
    CLIENT: u32 = 1;
    SERVER: u32 = 2;
    OTHER: u32 = 3;
    RETRYABLE: u32 = 4;
    THROTTLING: u32 = 8;
    /// Beside them, what the host adds: the end of the connection, and the idempotency of the request.
    CONNECTION: u32 = 16;
    TIMED_OUT: u32 = 32;
    HOST_NOT_FOUND: u32 = 64;
    IDEMPOTENT: u32 = 128;

    /// The classification of a failure: the safety, two flags, the fault, a note, and the milliseconds of `Retry-After`.
    SAFETY_BITS: u32 = 2;
    YES: u32 = 1;
    NO: u32 = 2;
    MAYBE: u32 = 3;
    THROTTLE: u32 = 4;
    TIMEOUT: u32 = 8;
    FAULT_SHIFT: u32 = 4;
    NOTE_SHIFT: u32 = 6;
    NOTE_BITS: u32 = 3;
    HAS_RETRY_AFTER: u32 = 512;
    RETRY_AFTER_SHIFT: u32 = 10;

    /// The texts of retries. The first four are notes of a classification: one of three about a header, and a flag.
    NO_CLOCK: u32 = 1;
    NO_MILLISECONDS: u32 = 2;
    NO_SECONDS_OR_DATE: u32 = 3;
    NOT_IDEMPOTENT: u32 = 4;
    FOREIGN_TOKEN: u32 = 5;
    USED_TOKEN: u32 = 6;
    NO_RETRIES: u32 = 7;

    /// Bodies whose size is not known.
    STREAMING: f64 = -1.0;
    STREAMING_OF_KNOWN_LENGTH: f64 = -2.0;
}
