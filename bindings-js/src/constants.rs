//! The constants that Rust and JavaScript share. The build also writes them to a module of the npm package
//! (`xtask/src/packages/wasm/constants.rs`).

constants! {
    /// The description of a value is `slot << KIND_BITS | kind`. A negative description is the complement of the slot
    /// with an error message.
    KIND_BITS: u32 = 4;
    /// Null, which needs no slot.
    NULL: i32 = 0;
    FALSE: i32 = 1;
    TRUE: i32 = 2;
    NUMBER: i32 = 3;
    STRING: i32 = 4;
    ARRAY: i32 = 5;
    OBJECT: i32 = 6;
    /// A text in the table of names. The description contains its number instead of a slot.
    CONSTANT: i32 = 7;
    /// A text that is not a primitive string or that has a lone surrogate.
    ODD_STRING: i32 = 8;
    /// An item that is an array itself, in a walk with `keep_arrays`.
    ARRAY_ITEM: i32 = 9;

    /// The result of a walk during which the memory of the wasm moved. The host has stored the descriptions instead of
    /// writing them.
    MOVED: i32 = -2147483648;

    /// The steps of all state machines.
    CALL: u32 = 0;
    SLEEP: u32 = 1;
    DONE: u32 = 2;
    /// The steps of a request's strategy.
    ACQUIRE: u32 = 3;
    REFRESH: u32 = 4;
    RECORD: u32 = 5;
    RELEASE: u32 = 6;

    /// A verdict is `(acceptor + 1) << STATE_BITS | state`, or only the state without an acceptor.
    STATE_BITS: u32 = 2;
    SUCCESS: u32 = 0;
    FAILURE: u32 = 1;
    RETRY: u32 = 2;

    /// The source of an error's name.
    BY_CODE: u32 = 0;
    BY_CLASS: u32 = 1;
    /// The name of a class with the option `serviceErrorsOnly`: the name is displayed but not matched.
    BY_CLASS_FOR_DISPLAY: u32 = 2;
    /// Several names in one text, with [`NAME_SEPARATOR`] between them.
    BY_CODES: u32 = 3;
    UNNAMED: u32 = 4;
    /// A character code.
    NAME_SEPARATOR: u8 = 0;

    /// The traits of an error in its model: the fault and two flags.
    FAULT_BITS: u32 = 2;
    CLIENT: u32 = 1;
    SERVER: u32 = 2;
    OTHER: u32 = 3;
    RETRYABLE: u32 = 4;
    THROTTLING: u32 = 8;
    /// The flags of the transport error.
    CONNECTION: u32 = 16;
    TIMED_OUT: u32 = 32;
    HOST_NOT_FOUND: u32 = 64;
    PERMANENT: u32 = 128;

    /// The limits of values in reports and stored inputs, and the texts beyond them.
    DEEPEST: usize = 32;
    MOST_VALUES: usize = 100_000;
    CIRCULAR: &str = "<circular>";
    TOO_DEEP: &str = "<too deep>";
    TOO_LARGE: &str = "<too large>";

    /// The sizes of bodies that are streams.
    STREAMING: f64 = -1.0;
    STREAMING_OF_KNOWN_LENGTH: f64 = -2.0;
}
