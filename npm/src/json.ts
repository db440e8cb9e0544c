/** What the engine tells as JSON text; what is null in it is absent here. */
export function told<T>(text: string): T {
  return JSON.parse(text, (_name, value: unknown) => value ?? undefined) as T;
}
