/** A page that a walk cannot go on from; what was read so far stays read. */
export class PaginationError extends Error {
  override name = "PaginationError";
  /** Why, for programs: a token that came twice in a row, one that is neither a text nor a map, a page that cannot be read. */
  readonly code: "invalid_token" | "repeated_token" | "unreadable_page";
  /** The token that came twice. */
  readonly token: unknown;

  /** Made by the package. */
  constructor(refusal: { readonly code: PaginationError["code"]; readonly message: string }, token?: unknown) {
    super(refusal.message);
    this.code = refusal.code;
    this.token = token;
  }
}
