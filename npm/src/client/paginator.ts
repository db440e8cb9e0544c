/**
 * Pages of a paginated operation.
 *
 * @module
 */

import { callEngine, inSlots } from "../engine/call.js";
import { ARRAY, CALL, OBJECT } from "../engine/constants.js";
import { EnginePaginator, type EngineWalk } from "../engine/engine.js";
import { valueAt } from "../engine/host-imports.js";
import { serviceOf, textOf } from "../engine/json-text.js";
import { DefinitionError } from "../errors.js";
import { checkCall, checkInteger, checkNames, checkObject, checkSignal, invalidOption } from "../values/checks.js";
import { entriesOf, isPlain, itemsOf, kindOf } from "../values/data-model.js";
import { PaginationError } from "./errors.js";
import type { ModeledOptions } from "./operation.js";

/** A `paginated` trait, as it is written in a model. */
export interface PaginatedTrait {
  /** The input member that takes the token. */
  readonly inputToken: string;
  /** The path to the token in the output. */
  readonly outputToken: string;
  /** The path to the items in the output: a list or a map. */
  readonly items?: string | undefined;
  /** The input member that bounds the size of a page. */
  readonly pageSize?: string | undefined;
}

/** The options of a walk over pages. */
export interface PagesOptions {
  /** The token to start with: an earlier walk's `nextToken`. If it is absent or empty, the input's own token counts. */
  readonly startToken?: unknown;
  /**
   * The most items of a page, at least 1: a number, or a function that returns it for the number of each page (from 1); `undefined`
   * to leave the input as it is. It is converted if the member is a string in the model, as in Route 53; without a model, a
   * string is accepted as it is. Only if the trait names such a member.
   */
  readonly pageSize?: PageSize | ((page: number) => PageSize | undefined) | undefined;
  /**
   * The reaction to a page that has the token it was requested with (compared by value): a `PaginationError` by default; the end; or
   * the walk goes on, as for a "tail" that returns new items.
   */
  readonly repeatedToken?: "continue" | "error" | "stop" | undefined;
  /**
   * `true` to end the walk if a page's top-level `IsTruncated` is false, whatever token it has. The default if the output has such a
   * boolean (without a model, if a page has it).
   */
  readonly stopWhenNotTruncated?: boolean | undefined;
  /** Cancels the walk: it throws the signal's reason before the next page, and the call is handed the signal. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The size of a page: a number, or the string that the operation takes. */
export type PageSize = number | string;

/** The options of a walk over items. */
export interface ItemsOptions extends PagesOptions {
  /** The most items to give, at least 0; all without it. No page is asked for that they do not need. */
  readonly maxItems?: number | undefined;
}

/** The operation, as a walk calls it: with the input of a page. */
export type PageCall<Input, Output> = (input: Input, page: PageAttempt) => Output | PromiseLike<Output>;

/** The page that a call is made for. */
export interface PageAttempt {
  /** Its number, from 1. */
  readonly page: number;
  /** The caller's `abortSignal`. */
  readonly signal: AbortSignal | undefined;
}

const WALK_OPTIONS = ["startToken", "pageSize", "repeatedToken", "stopWhenNotTruncated", "abortSignal"] as const;

/**
 * A `paginated` trait: walks the pages of an operation, and the items in them. Nothing is sent before the first is asked
 * for, the input is never changed, and no page is copied.
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
  /** The input member that takes the token. */
  readonly inputToken: string;
  /** The input member that bounds the size of a page, if there is one. */
  readonly pageSize: string | undefined;
  /** The type of that member; `undefined` without a model. */
  readonly pageSizeType: "integer" | "string" | undefined;
  readonly #engine: EnginePaginator;
  readonly #hasItems: boolean;

  /**
   * A paginator from a `paginated` trait, an object or its JSON text.
   *
   * @throws DefinitionError for whatever the specification does not allow, with the path of the culprit.
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
   * The paginator of an operation of a Smithy model: the operation's trait over its service's, held against the operation's
   * input and output.
   *
   * @param model the model's JSON AST, parsed or as text.
   * @param operation the operation's shape id or its name.
   * @throws DefinitionError for what is no model or has no such operation, or several, for one that is not paginated, and
   * for paths that lead nowhere or to what is no token.
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
   * The pages, one after the other, as an async iterator.
   *
   * Clause: [Client behavior](https://smithy.io/2.0/spec/behavior-traits.html#client-behavior).
   *
   * @throws OptionsError at once, for options that do not hold, TypeError for a call that is no function. A page that the
   * walk cannot go on from is thrown out of the loop, as a PaginationError, after the page itself was given.
   */
  pages<Page extends Output = Output>(call: PageCall<Input, Page>, input?: Input, options: PagesOptions = {}): Pages<Input, Page> {
    checkNames(options, WALK_OPTIONS);
    return this.#pages(call, input, options);
  }

  /**
   * The items of all pages, one after the other, as an async iterator; those of a map as `[key, value]`.
   *
   * @throws as `pages` does; DefinitionError where the trait does not say where the items are.
   */
  items<Item = unknown>(call: PageCall<Input, Output>, input?: Input, options: ItemsOptions = {}): AsyncGenerator<Item, void, void> {
    checkNames(options, [...WALK_OPTIONS, "maxItems"]);
    const { maxItems, ...walk } = options;
    if (maxItems !== undefined && maxItems !== null) checkInteger("maxItems", maxItems, 0);
    if (!this.#hasItems) throw new DefinitionError(NO_ITEMS);
    return this.#itemsOf<Item>(this.#pages(call, input, walk), maxItems ?? Number.POSITIVE_INFINITY);
  }

  async *#itemsOf<Item>(pages: AsyncIterable<Output>, most: number): AsyncGenerator<Item, void, void> {
    let left = most;
    if (left <= 0) return;
    for await (const page of pages) {
      const items = inSlots((slot) => {
        const place = this.#engine.items(slot);
        return place === 0 ? undefined : valueAt(place - 1);
      }, page);
      for (const item of itemsOrEntries(items)) {
        yield item as Item;
        if (--left <= 0) return;
      }
    }
  }

  #pages<Page>(call: PageCall<Input, Page>, input: Input | undefined, options: PagesOptions): Pages<Input, Page> {
    checkCall(call);
    if (input !== undefined && input !== null) checkObject(input, "the input");
    const { startToken, repeatedToken, stopWhenNotTruncated, pageSize, abortSignal } = options;
    if (pageSize !== undefined && pageSize !== null && this.pageSize === undefined) {
      throw invalidOption("pageSize", "the definition names no input member for `pageSize`");
    }
    const sizeOf = (page: number): PageSize | undefined => this.#size(typeof pageSize === "function" ? pageSize(page) : pageSize);
    if (typeof pageSize !== "function") sizeOf(1);
    checkSignal(abortSignal);
    const engine = inSlots((slot) => this.#engine.walk(slot), { repeatedToken, stopWhenNotTruncated });
    const { inputToken, pageSize: sizeMember } = this;
    return new Pages(engine, { call, input, startToken, signal: abortSignal ?? undefined, inputToken, sizeMember, sizeOf });
  }

  /** Checks the size of a page, and converts it to what the operation takes. */
  #size(size: PageSize | undefined): PageSize | undefined {
    if (size === undefined || size === null) return undefined;
    if (typeof size === "string" && size !== "" && this.pageSizeType !== "integer") return size;
    checkInteger("pageSize", size, 1);
    return this.pageSizeType === "string" ? String(size) : size;
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

/** The pages of an operation, one after the other: a loop over the steps of a walk. Breaking out of the loop ends the walk. */
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

  /** The token of the next page, to start from another time; `undefined` at the end, and before the first page. */
  get nextToken(): unknown {
    return this.#nextToken;
  }

  next(): Promise<IteratorResult<Output, void>> {
    return this.#run.next();
  }

  return(): Promise<IteratorResult<Output, void>> {
    return this.#run.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#walk(startToken: unknown): AsyncGenerator<Output, void, void> {
    const { call, signal } = this.#plan;
    let token = startToken;
    try {
      do {
        signal?.throwIfAborted();
        const { page } = this.#engine;
        const output = await call(this.#inputFor(page, token), { page, signal });
        const problem = this.#goOn(output, token);
        yield output;
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
    const request: Record<string, unknown> = { ...input };
    if (token !== undefined) request[inputToken] = token;
    if (sizeMember !== undefined && size !== undefined) request[sizeMember] = size;
    return request as Input;
  }

  /** Finds the next token. Returns the problem of a page that the walk cannot go on from: the page itself is the caller's. */
  #goOn(page: Output, token: unknown): PaginationError | undefined {
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

  /** Takes a step and returns a copy of its token: whoever changes a page must not change the walk. */
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
  message: "`items`: the definition does not say where the items are",
} as const;

/** The depth to which a token is copied: the engine refuses a deeper one. */
const DEEPEST = 128;

/** Copies what is plain data of a token. */
function copyToken(token: unknown, depth = 0): unknown {
  if (typeof token !== "object" || token === null || depth > DEEPEST) return token;
  if (Array.isArray(token)) return token.map((item) => copyToken(item, depth + 1));
  return isPlain(token) ? Object.fromEntries(Object.entries(token).map(([name, part]) => [name, copyToken(part, depth + 1)])) : token;
}

/** The items of a list, the entries of a map. */
function* itemsOrEntries(items: unknown): Generator<unknown, void> {
  const kind = kindOf(items);
  if (kind === ARRAY) yield* itemsOf(items);
  if (kind !== OBJECT) return;
  const entries = entriesOf(items as object);
  for (let index = 0; index < entries.length; index += 2) yield [entries[index], entries[index + 1]];
}
