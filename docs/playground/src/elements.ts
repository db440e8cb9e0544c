/** Elements of the page. */

/** Returns the element with an id. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element \`${id}\``);
  return found as Type;
}

/** Creates an element with a class, attributes and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/** Limits the length of a field, and says so below it once its text is as long. */
export function limit(input: HTMLInputElement, length: number): void {
  input.maxLength = length;
  const note = element("span", { class: "field-problem limit", role: "status", hidden: "" }, `At most ${length.toLocaleString("en")} characters.`);
  (input.closest("label") ?? input).after(note);
  input.addEventListener("input", () => (note.hidden = input.value.length < length));
}

/** Presses one of several buttons. */
export function press(ids: Readonly<Record<string, string>>, pressed: string): void {
  for (const [value, id] of Object.entries(ids)) byId(id).setAttribute("aria-pressed", String(value === pressed));
}

/** Copies a text and shows it on the button for a moment. */
export async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const label = (button.dataset.label ??= button.textContent ?? "");
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = label), 1_500);
}
