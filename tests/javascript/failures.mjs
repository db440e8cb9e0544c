/** Failed requests as clients throw them. */

const TRANSPORT = { connection: "UND_ERR_SOCKET", host_not_found: "ENOTFOUND", timeout: "UND_ERR_HEADERS_TIMEOUT" };

/** Creates the error for a `failure`, with the members of an error of the AWS SDK or undici. */
export function failureOf(failure) {
  const error = linkOf(failure);
  return failure.cause === undefined ? error : Object.assign(error, { cause: failureOf(failure.cause) });
}

function linkOf({ code, status, retryAfter, amzRetryAfter, transport, modeled, message }) {
  const error = new Error(message);
  if (transport === "permanent") return Object.assign(error, { name: "AbortError" });
  if (transport !== undefined) return Object.assign(error, { code: TRANSPORT[transport] });
  error.name = code ?? "Error";
  if (code !== undefined || modeled !== undefined) error.$fault = modeled?.fault;
  if (modeled?.retryable) error.$retryable = { throttling: modeled.throttling };
  if (status !== undefined) error.$metadata = { httpStatusCode: status };
  const headers = {};
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
  if (amzRetryAfter !== undefined) headers["x-amz-retry-after"] = amzRetryAfter;
  Object.defineProperty(error, "$response", { value: { statusCode: status, headers }, enumerable: false });
  return error;
}
