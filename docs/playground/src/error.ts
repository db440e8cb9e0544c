/** The error of the page's fields. */

import type { ErrorFields } from "./state.js";

interface ServiceError {
  readonly name: string;
  readonly message: string;
  readonly fault: "client" | "server";
  readonly status: number | undefined;
}

/** Returns `true` if a text is empty or an HTTP status. */
export function isStatus(text: string): boolean {
  return /^\s*(?:[1-5]\d\d)?\s*$/.test(text);
}

/** Returns the members of the error as the AWS SDK for JavaScript names them. */
export function errorOf({ code, status, message }: ErrorFields): ServiceError {
  const number = Number(status) || undefined;
  return { name: code, message, fault: number !== undefined && number >= 500 ? "server" : "client", status: number };
}
