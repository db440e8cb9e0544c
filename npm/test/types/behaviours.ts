/** Uses retries, pagination and other behaviours in TypeScript. This file is compiled but does not run. */

import {
  classify,
  type FailureInfo,
  NoRetries,
  Operation,
  type PaginatedTrait,
  Paginator,
  RequestCompression,
  retry,
  type RetryCallOptions,
  RetryError,
  type RetryProgress,
  RetryQuota,
  RetryRefusal,
  type RetryStrategy,
  type RetryToken,
  StandardRetryStrategy,
  Waiter,
} from "smithy-waiters";

interface Token extends RetryToken {
  readonly used: boolean;
}

class OnceMore implements RetryStrategy<Token> {
  acquireInitialToken(): Token {
    return { delay: 0, used: false };
  }

  refreshRetryToken(token: Token, failure: FailureInfo): Token {
    if (token.used || failure.retry?.safety === "no") throw new RetryRefusal("once more is enough", "max_retries");
    return { delay: 1, used: true };
  }

  recordSuccess(_token: Token): void {}
}

const strategies = [new OnceMore(), new NoRetries(), new StandardRetryStrategy({ quota: new RetryQuota(), preset: "aws" })];
const options: RetryCallOptions<number> = {
  strategy: strategies[0]!,
  idempotent: true,
  onFailure: ({ attempt, delay, end }: RetryProgress<number>) => void [attempt, delay?.toFixed(), end?.length],
};

export async function request(waiter: Waiter): Promise<number> {
  const plain: number = await retry(async ({ signal }) => (signal.aborted ? 1 : 2), { strategy: strategies[1]!, maxTime: 5 });
  const judged: number | undefined = await retry(() => plain, { ...options, policy: waiter });
  const described: { readonly Status: string } | undefined = await retry(() => ({ Status: "UP" }), { policy: waiter });
  await Promise.resolve(described?.Status);
  // @ts-expect-error waits take no retry strategy
  await waiter.wait(() => plain, { maxWaitTime: 5, retryStrategy: strategies[2]! });
  return judged ?? (classify(new RetryError("", { code: "failed", attempts: 1, response: 1, error: 1, cause: undefined })).retry?.retryAfter ?? 0);
}

interface ScanInput {
  TableName: string;
  Limit?: number;
}

interface ScanOutput {
  Items?: readonly { Id: string }[];
}

const trait = { inputToken: "A", outputToken: "B" } satisfies PaginatedTrait;
const scan = new Paginator<ScanInput, ScanOutput>(trait);

export async function pages(): Promise<string | undefined> {
  const walk = scan.pages(async ({ TableName }) => ({ Items: [{ Id: TableName }] }), { TableName: "t" }, { pageSize: (page) => (page === 1 ? 5 : "5") });
  for await (const { Items } of walk) return Items?.[0]?.Id;
  for await (const item of scan.items<{ Id: string }>(() => ({}), { TableName: "t" }, { maxItems: 5 })) return item.Id;
  // Pages have the type of the call's result, and the type is not `any`.
  for await (const { Marker } of new Paginator(trait).pages(() => ({ Marker: "m" }))) return Marker;
  for await (const item of scan.items(() => ({}))) {
    const unknown: unknown = item;
    // @ts-expect-error the type of the items is unknown
    const text: string = item;
    return typeof unknown === "string" ? unknown : text;
  }
  return String(walk.nextToken);
}

export async function body(operation: Operation): Promise<number> {
  const { body } = await new RequestCompression(["gzip"]).compress("x", { contentEncoding: "br" });
  const input: { Id: string } = operation.withToken({ Id: "a" }, { source: () => "token" });
  return operation.isIdempotent(input) && typeof body === "string" ? body.length : 0;
}
