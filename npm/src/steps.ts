/** The steps of the engine's machines; `bindings-js/src/step.rs` has the same numbers. */
export const CALL = 0;
export const SLEEP = 1;
export const DONE = 2;
