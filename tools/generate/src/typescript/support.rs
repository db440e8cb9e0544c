//! The fixed parts of generated code. A module contains only those that it needs.

/// The functions that waits with a client of the AWS SDK call.
pub(super) const HELPERS: [&str; 3] = [ANY_SIGNAL, AS_RESULT, MARK];

const ANY_SIGNAL: &str = r"
/** Returns a signal that is aborted by a signal or by a controller. */
function anySignal(
  signal: AbortSignal | undefined,
  controller: AbortController | undefined,
): AbortSignal | undefined {
  if (!signal || !controller) return signal ?? controller?.signal;
  return AbortSignal.any([signal, controller.signal]);
}
";

const AS_RESULT: &str = r#"
/** Adds the members of the AWS SDK's `WaiterResult` to an outcome. */
function asResult<Of extends Outcome>(outcome: Of): WaiterResult<Of> {
  const final = outcome.result === "error" ? outcome.error : outcome.response;
  const members = { state: "SUCCESS", reason: final, final };
  return { ...outcome, ...members } as WaiterResult<Of>;
}
"#;

/// Stands for the class of the client in the types for a client of the AWS SDK.
pub(super) const CLIENT: &str = "ServiceClient";

/// The configuration and the result of waits with a client of the AWS SDK.
pub(super) const SDK_WAITS: &str = r#"
/**
 * The client and the options of a wait. `maxWaitTime` is the maximum total
 * time in seconds.
 */
export interface WaiterConfiguration<Output> extends Omit<
  WaitOptions<unknown, Output>,
  "input"
> {
  /** Sends the requests. */
  readonly client: ServiceClient;
  /**
   * Cancels the wait, as `abortSignal` does.
   *
   * @deprecated Use `abortSignal`.
   */
  readonly abortController?: AbortController | undefined;
}

/** An outcome with the members of the AWS SDK's `WaiterResult`. */
export type WaiterResult<Of extends Outcome> = Of & {
  /** Always `"SUCCESS"`, because a wait without success throws. */
  readonly state: "SUCCESS";
  /** The same value as `final`, untyped as in the AWS SDK. */
  readonly reason: any;
  /** The response or the error that ended the wait. */
  readonly final: Exclude<Of["response"] | Of["error"], undefined>;
};
"#;

/// The configuration of paginators with a client of the AWS SDK.
pub(super) const SDK_PAGES: &str = r"
/** The client and the options of the pagination. */
export interface PaginationConfiguration extends PagesOptions {
  /** Sends the requests. */
  readonly client: ServiceClient;
}
";

/// The configuration of waits with a function of the caller.
pub(super) const FUNCTION_WAITS: &str = r#"
/**
 * The request function and the options of a wait. `maxWaitTime` is the
 * maximum total time in seconds.
 */
export interface WaiterConfiguration<Input, Output> extends Omit<
  WaitOptions<unknown, Output>,
  "input"
> {
  /** Sends a request. `abortSignal` cancels it. */
  readonly call: (
    input: Input,
    options: { abortSignal: AbortSignal | undefined },
  ) => PromiseLike<Output>;
}
"#;

/// The configuration of paginators with a function of the caller.
pub(super) const FUNCTION_PAGES: &str = r"
/** The request function and the options of the pagination. */
export interface PaginationConfiguration<Input, Output> extends PagesOptions {
  /** Sends a request. `abortSignal` cancels it. */
  readonly call: (
    input: Input,
    options: { abortSignal: AbortSignal | undefined },
  ) => PromiseLike<Output>;
}
";

pub(super) const OPERATION: &str = r"
/**
 * Returns the behavior traits of an operation: idempotency, retryable errors,
 * the idempotency token and request compression.
 *
 * @param name The operation's name in the model.
 */
export function operation(name: OperationName): Operation {
  return Operation.fromModel(REQUESTS, name);
}
";

const MARK: &str = r#"
/** Adds the feature of waiters, `B`, to the user agent of a command. */
function mark<Marked extends { middlewareStack: any }>(
  command: Marked,
): Marked {
  const middleware = (next: any) => (args: any) => {
    const headers: Record<string, string> = args.request.headers ?? {};
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase().endsWith("user-agent")) {
        headers[name] = value.replace(/ m\/(?=\S)/, " m/B,");
      }
    }
    return next(args);
  };
  command.middlewareStack.add(middleware, { step: "build", priority: "low" });
  return command;
}
"#;
