/**
 * The functions of a fleet's caller.
 *
 * @module
 */

/**
 * The function that makes the call for a list of identifiers. It returns a promise of the response, or an async iterator of the
 * responses of all pages.
 */
export type FleetCall<Response = unknown> = (
  ids: string[],
  attempt: FleetAttempt,
) => AsyncIterable<Response> | PromiseLike<Response> | Response;

/**
 * The type of one resource: the item at the path `Items` of a response, which has member names and `[]`. It is `unknown` if the type of
 * the response, or that of the path, does not tell.
 */
export type ItemOf<Response, Items extends string> = Items extends `${infer First}.${infer Rest}`
  ? ItemOf<AtStep<Response, First>, Rest>
  : AtStep<Response, Items>;

/** The value of one step of a path, a member name that `[]` may follow. */
type AtStep<Value, Step extends string> = Step extends `${infer Name}[]` ? EntryOf<AtName<Value, Name>> : AtName<Value, Step>;
type AtName<Value, Name extends string> = Value extends { readonly [Key in Name]?: infer Member } ? NonNullable<Member> : unknown;
type EntryOf<List> = List extends readonly (infer Entry)[] ? NonNullable<Entry> : unknown;

/** The second argument of a fleet's call. */
export interface FleetAttempt {
  /** A signal that is aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The counts of the resources of `Fleet#waitEach` and `Fleet#resumeEach`. */
export interface FleetProgress {
  /** The number of resources that are waited for. */
  readonly waiting: number;
  /** The number of waits that succeeded. */
  readonly succeeded: number;
  /** The number of waits that ended without success. */
  readonly failed: number;
}

/** The options for the whole of several waits. */
export interface WholeOptions {
  /**
   * The number of successes that is enough, from 1 to the number of identifiers. The other waits then end, and the whole fails as soon
   * as so many cannot succeed any more. By default all must succeed.
   */
  readonly quorum?: number | undefined;
  /**
   * `true` if the first failure ends all waits.
   *
   * @default false
   */
  readonly failFast?: boolean | undefined;
  /**
   * A function that is called when waits have ended, after `onState` and its promise. The waits go on while its own promise is pending,
   * and it is called again after that, with the newest counts. If it throws or its promise rejects, all waits end, and the error is
   * thrown unchanged.
   */
  readonly onProgress?: ((progress: FleetProgress) => unknown) | undefined;
  /**
   * A function that is called with the state as JSON text, at the start and after each call that leaves waits open. The waits go on
   * while its promise is pending, and it is called again after that, with the newest state. The last promise is awaited, at most until the deadline or the
   * caller's cancellation. If it throws or its promise rejects, all waits end, and the error is thrown unchanged. Another process
   * continues from the newest state by `Fleet#resumeEach`.
   */
  readonly onState?: ((state: string) => unknown) | undefined;
}
