/**
 * Pagination.
 *
 * @module
 */

import { ARRAY, CALL, OBJECT } from "../constants.js";
import { EnginePaginator, type EngineWalk } from "../engine/engine.js";
import { valueAt } from "../engine/host-imports.js";
import { PaginationError } from "../errors/client.js";
import { DefinitionError } from "../errors/waiter.js";
import { checkCall, checkObject, checkSignal, countOf } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { optionsOf } from "../input/engine-options.js";
import { serviceOf, textOf } from "../input/json-text.js";
import type { ModeledOptions } from "../operation/operation.js";
import { entriesOf, isPlain, itemsOf, kindOf } from "../values/data-model.js";

/** A `paginated` trait, as in a model. */
export interface PaginatedTrait {
  /** The name of the input member for the token. */
  readonly inputToken: string;
  /** The path to the token in the output. */
  readonly outputToken: string;
  /** The path to the items in the output, which are a list or a map. */
  readonly items?: string | undefined;
  /** The name of the input member for the maximum size of a page. */
  readonly pageSize?: string | undefined;
}

/** The options of `Paginator#pages`. */
export interface PagesOptions {
  /**
   * The token of the first page, such as the `nextToken` of an earlier walk. If it is absent or empty, the token in the input is
   * used.
   */
  readonly startToken?: unknown;
  /**
   * The maximum number of items of a page, at least 1, or a function that returns it for each page number (from 1). If it is
   * `undefined`, the page size in the input is used. A number is converted if the member is a string in the model, as in Route 53;
   * without a model, a string is accepted, too. Requires a trait with `pageSize`. See docs/rules.md#page-size-type.
   */
  readonly pageSize?: PageSize | ((page: number) => PageSize | undefined) | undefined;
  /**
   * The reaction to a page that returns the token with which it was requested. Tokens are compared by value. `"error"` throws a
   * `PaginationError`, `"stop"` ends the walk, and `"continue"` requests another page, for an operation that returns new items with
   * an unchanged token. See docs/rules.md#repeated-tokens.
   *
   * @default "error"
   */
  readonly repeatedToken?: "continue" | "error" | "stop" | undefined;
  /**
   * `true` to end the walk after a page whose top-level member `IsTruncated` is false, even if the page has a token. The default is
   * `true` if the output has such a boolean member in the model, or, without a model, in the page. See
   * docs/rules.md#truncated-pages.
   */
  readonly stopWhenNotTruncated?: boolean | undefined;
  /**
   * A signal that cancels the walk: the walk throws the signal's reason before the next page. The call receives the signal, too.
   */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The size of a page: a number, or a string if the operation requires one. */
export type PageSize = number | string;

/** The options of `Paginator#items`. */
export interface ItemsOptions extends PagesOptions {
  /**
   * The maximum number of items to return, at least 0. The walk does not request more pages than it needs. Unlimited by default.
   */
  readonly maxItems?: number | undefined;
}

/** The function that calls the operation. It receives the input of a page, and returns the page or a promise of it. */
export type PageCall<Input, Output> = (input: Input, page: PageAttempt) => Output | PromiseLike<Output>;

/** The page that a call belongs to. */
export interface PageAttempt {
  /** The number of the page, from 1. */
  readonly page: number;
  /** The caller's `abortSignal`. */
  readonly signal: AbortSignal | undefined;
}

const WALK_OPTIONS = ["startToken", "pageSize", "abortSignal"];

/**
 * A paginator, made from a `paginated` trait. It iterates over the pages of an operation, or over their items. The first request is
 * sent when the first page is requested. The input is never modified, and pages are not copied.
 *
 * Clause: [Pagination](https://smithy.io/2.0/spec/behavior-traits.html#pagination).
 *
 * @example
 * ```js
 * const scan = new Paginator({ inputToken: "ExclusiveStartKey", outputToken: "LastEvaluatedKey", items: "Items", pageSize: "Limit" });
 * for await (const item of scan.items((input) => client.send(new ScanCommand(input)), { TableName: "orders" })) console.log(item);
 * ```
 */
export class Paginator<Input extends object = Record<string, unknown>, Output = unknown> {
  /** The name of the input member for the token. */
  readonly inputToken: string;
  /** The name of the input member for the maximum size of a page, if there is one. */
  readonly pageSize: string | undefined;
  /** The type of that member; `undefined` without a model. See docs/rules.md#page-size-type. */
  readonly pageSizeType: "integer" | "string" | undefined;
  readonly #engine: EnginePaginator;
  readonly #hasItems: boolean;

  /**
   * Creates a paginator from a `paginated` trait.
   *
   * @param trait the trait, as an object or as JSON text.
   * @throws DefinitionError if the specification does not allow the trait; its `path` is the path of the invalid member.
   */
  constructor(trait: PaginatedTrait | string) {
    const source: unknown = trait;
    this.#engine = source instanceof EnginePaginator ? source : callEngine(() => new EnginePaginator(textOf("definition", trait)));
    const { inputToken, pageSize, pageSizeType, hasItems } = this.#engine.describe() as Description;
    this.#hasItems = hasItems;
    this.inputToken = inputToken;
    this.pageSize = pageSize;
    this.pageSizeType = pageSizeType;
  }

  /**
   * Creates the paginator of an operation in a Smithy model. The members of the service's trait apply unless the operation's trait
   * overrides them. The trait is validated against the operation's input and output.
   *
   * @param model the model's JSON AST, as an object or as text.
   * @param operation the shape ID or the name of the operation.
   * @param options the service.
   * @throws DefinitionError if the model is invalid, if it has no such operation or several, if the operation is not paginated, or
   * if a path of the trait does not lead to a member of the required type. OptionsError if an option is unknown.
   */
  static fromModel<Input extends object = Record<string, unknown>, Output = unknown>(
    model: object | string,
    operation: string,
    options: ModeledOptions = {},
  ): Paginator<Input, Output> {
    const service = serviceOf(options);
    const text = textOf("model", model);
    const engine = callEngine(() => EnginePaginator.fromModel(text, String(operation), service));
    return new Paginator(engine as unknown as PaginatedTrait);
  }

  /**
   * Returns an async iterator over the pages.
   *
   * Clause: [Client behavior](https://smithy.io/2.0/spec/behavior-traits.html#client-behavior).
   *
   * @param call the function that calls the operation. It receives the input of each page.
   * @param input the input of the operation, to which the token of each page is added; empty by default.
   * @param options the options of the walk.
   * @throws OptionsError if an option is invalid, TypeError if the call is not a function. The iterator throws a PaginationError if
   * the walk cannot continue after a page; the page itself is returned before. Errors of the call are thrown unchanged.
   */
  pages<Page extends Output = Output>(call: PageCall<Input, Page>, input?: Input, options: PagesOptions = {}): Pages<Input, Page> {
    return this.#pages(call, input, options, optionsOf("paging", options, WALK_OPTIONS));
  }

  /**
   * Returns an async iterator over the items of all pages. The items of a map are `[key, value]` pairs.
   *
   * Clause: [Client behavior](https://smithy.io/2.0/spec/behavior-traits.html#client-behavior).
   *
   * @param call the function that calls the operation. It receives the input of each page.
   * @param input the input of the operation, to which the token of each page is added; empty by default.
   * @param options the options of the walk.
   * @throws OptionsError if an option is invalid, TypeError if the call is not a function, DefinitionError if the trait does not
   * have `items`. The iterator throws a PaginationError if the walk cannot continue after a page.
   */
  items<Item = unknown>(call: PageCall<Input, Output>, input?: Input, options: ItemsOptions = {}): AsyncGenerator<Item, void, void> {
    const paging = optionsOf("paging", options, [...WALK_OPTIONS, "maxItems"]);
    const limit = countOf("maxItems", options.maxItems) ?? Number.POSITIVE_INFINITY;
    if (!this.#hasItems) throw new DefinitionError(NO_ITEMS);
    return this.#itemsOf<Item>(this.#pages(call, input, options, paging), limit);
  }

  async *#itemsOf<Item>(pages: AsyncIterable<Output>, most: number): AsyncGenerator<Item, void, void> {
    let left = most;
    // Before the first call, which would be made for nothing.
    if (left <= 0) return;
    for await (const page of pages) {
      const items = inSlots((slot) => {
        const place = this.#engine.items(slot);
        return place === 0 ? undefined : valueAt(place - 1);
      }, page);
      for (const item of itemsOrEntries(items)) {
        yield item as Item;
        // Without reading on: the next page would be requested for items that nobody reads.
        if (--left <= 0) return;
      }
    }
  }

  #pages<Page>(call: PageCall<Input, Page>, input: Input | undefined, options: PagesOptions, paging: object): Pages<Input, Page> {
    checkCall(call);
    if (input !== undefined && input !== null) checkObject(input, "the input");
    const { startToken, pageSize, abortSignal } = options;
    const sizeIn = (size: unknown): PageSize | undefined => inSlots((slot) => this.#engine.size(slot) as PageSize | undefined, size);
    // With 1 in place of a function, this checks that the trait has a page size.
    const fixedSize = sizeIn(typeof pageSize === "function" ? 1 : pageSize);
    const sizeOf = (page: number): PageSize | undefined => (typeof pageSize === "function" ? sizeIn(pageSize(page)) : fixedSize);
    checkSignal(abortSignal);
    const engine = inSlots((slot) => this.#engine.walk(slot), paging);
    const { inputToken, pageSize: sizeMember } = this;
    return new Pages(engine, { call, input, startToken, signal: abortSignal ?? undefined, inputToken, sizeMember, sizeOf });
  }
}

interface WalkPlan<Input, Output> {
  readonly call: PageCall<Input, Output>;
  readonly input: Input | undefined;
  readonly startToken: unknown;
  readonly signal: AbortSignal | undefined;
  readonly inputToken: string;
  readonly sizeMember: string | undefined;
  readonly sizeOf: (page: number) => PageSize | undefined;
}

/** An async iterator over the pages of an operation, which `Paginator#pages` returns. Breaking out of the loop ends the walk. */
export class Pages<Input extends object = Record<string, unknown>, Output = unknown> implements AsyncIterableIterator<Output, void, void> {
  readonly #engine: EngineWalk;
  readonly #plan: WalkPlan<Input, Output>;
  readonly #run: AsyncGenerator<Output, void, void>;
  #nextToken: unknown;

  /** @internal */
  constructor(engine: EngineWalk, plan: WalkPlan<Input, Output>) {
    this.#engine = engine;
    this.#plan = plan;
    const startToken = this.#take((token, input) => engine.begin(token, input), plan.startToken, plan.input);
    this.#run = this.#walk(startToken);
  }

  /**
   * The token of the next page, which can be the `startToken` of a later walk; `undefined` before the first page and after the last
   * one.
   */
  get nextToken(): unknown {
    return this.#nextToken;
  }

  /**
   * Requests the next page.
   *
   * @throws PaginationError if the walk cannot continue after the previous page: the promise rejects with it.
   */
  next(): Promise<IteratorResult<Output, void>> {
    return this.#run.next();
  }

  /** Ends the walk. */
  return(): Promise<IteratorResult<Output, void>> {
    return this.#run.return();
  }

  /** Returns the iterator itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#walk(startToken: unknown): AsyncGenerator<Output, void, void> {
    const { call, signal } = this.#plan;
    let token = startToken;
    try {
      do {
        // Before each call: no request is sent after the cancellation.
        signal?.throwIfAborted();
        const { page } = this.#engine;
        const output = await call(this.#inputFor(page, token), { page, signal });
        // Before the page is yielded, because the loop may modify it.
        const problem = this.#advance(output, token);
        yield output;
        // After the page: its items stay read. Rule: docs/rules.md#repeated-tokens
        if (problem !== undefined) throw problem;
        token = this.#nextToken;
      } while (token !== undefined);
    } finally {
      this.#engine.free();
    }
  }

  #inputFor(page: number, token: unknown): Input {
    const { input, inputToken, sizeMember, sizeOf } = this.#plan;
    const size = sizeOf(page);
    // The caller's input is never modified. Rule: docs/rules.md#page-tokens
    const request: Record<string, unknown> = { ...input };
    if (token !== undefined) request[inputToken] = token;
    if (sizeMember !== undefined && size !== undefined) request[sizeMember] = size;
    return request as Input;
  }

  /**
   * Stores the next token. Returns an error if the walk cannot continue, so that the page itself is returned before the error is
   * thrown.
   */
  #advance(page: Output, token: unknown): PaginationError | undefined {
    this.#nextToken = undefined;
    try {
      this.#nextToken = this.#take((slot) => this.#engine.handle(slot), page);
      return undefined;
    } catch (error) {
      if (!(error instanceof PaginationError)) throw error;
      const { input, inputToken } = this.#plan;
      return error.code === "repeated_token" ? new PaginationError(error, token ?? (input as Record<string, unknown> | undefined)?.[inputToken]) : error;
    }
  }

  /** Performs a step and returns a copy of its token, so that the caller can modify the page without changing the token. */
  #take(step: (first: number, second: number) => number, first: unknown, second?: unknown): unknown {
    return inSlots((one, other) => {
      const isCall = step(one, other) === CALL;
      const { token } = this.#engine;
      return isCall && token > 0 ? copyToken(valueAt(token - 1)) : undefined;
    }, first, second);
  }
}

/** The engine's description of a paginator. */
interface Description extends Pick<PaginatedTrait, "inputToken" | "pageSize"> {
  readonly pageSizeType?: "integer" | "string";
  readonly hasItems: boolean;
}

const NO_ITEMS = {
  code: "missing_member",
  path: "items",
  message: "`items` is missing: the trait has no path to the items",
} as const;

/** The depth to which a token is copied. The engine rejects deeper tokens. */
const DEEPEST = 128;

/** Copies the arrays and plain objects of a token; class instances are not copied. */
function copyToken(token: unknown, depth = 0): unknown {
  if (typeof token !== "object" || token === null || depth > DEEPEST) return token;
  if (Array.isArray(token)) return token.map((item) => copyToken(item, depth + 1));
  return isPlain(token) ? Object.fromEntries(Object.entries(token).map(([name, part]) => [name, copyToken(part, depth + 1)])) : token;
}

/** Yields the items of a list, or the `[key, value]` pairs of a map. */
function* itemsOrEntries(items: unknown): Generator<unknown, void> {
  const kind = kindOf(items);
  if (kind === ARRAY) yield* itemsOf(items);
  if (kind !== OBJECT) return;
  const entries = entriesOf(items as object);
  for (let index = 0; index < entries.length; index += 2) yield [entries[index], entries[index + 1]];
}
