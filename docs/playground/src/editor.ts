/** The text editors of the page. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Range as MarkRange, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Parts, Problem, Range } from "./protocol.js";

const setParts = StateEffect.define<Parts>();

const MARKS = { selected: Decoration.mark({ class: "part-selected" }), read: Decoration.mark({ class: "part-read" }) };

const partsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setParts)) return marksOf(effect.value, transaction.newDoc.length);
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(parts: Parts, length: number): DecorationSet {
  const kinds = ["selected", "read"] as const;
  const inside = ({ from, to }: Range): boolean => from < to && to <= length;
  const marks = kinds.flatMap((kind) => parts[kind].filter(inside).map(({ from, to }): MarkRange<Decoration> => MARKS[kind].range(from, to)));
  return Decoration.set(marks, true);
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-name)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-value)" },
  { tag: tags.punctuation, color: "var(--muted)" },
]);

/** An editor of a JSON text. */
export class JsonEditor {
  readonly #view: EditorView;
  #isQuiet = false;

  constructor(parent: HTMLElement, label: string, text: string, onChange: () => void) {
    const changed = EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged && !this.#isQuiet) onChange();
    });
    // Tab leaves the editor, so that the keyboard is not caught in it.
    const keys = keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]);
    const extensions = [lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(), json(), syntaxHighlighting(colors), keys, partsField, changed];
    const attributes = EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0" });
    this.#view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: [...extensions, attributes, EditorView.lineWrapping] }) });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text without a call of `onChange`. */
  setText(text: string): void {
    if (text === this.text) return;
    this.#isQuiet = true;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    this.#isQuiet = false;
  }

  /** Marks problems, and returns the line and the column of each, from 1. */
  setProblems(problems: readonly Problem[]): { readonly line: number; readonly column: number }[] {
    const { doc } = this.#view.state;
    const within = (place: number): number => Math.min(place, doc.length);
    const diagnostics = problems.map(({ from, to, message }): Diagnostic => ({ from: within(from), to: within(Math.max(to, from)), severity: "error", message }));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    return diagnostics.map(({ from }) => {
      const line = doc.lineAt(from);
      return { line: line.number, column: from - line.from + 1 };
    });
  }

  /** Highlights parts, and with `scroll` shows the first of them. */
  setParts(parts: Parts, scroll = false): void {
    const [first] = [...parts.selected, ...parts.read].filter(({ to }) => to <= this.#view.state.doc.length);
    const show = scroll && first ? [EditorView.scrollIntoView(first.from, { y: "center" })] : [];
    this.#view.dispatch({ effects: [setParts.of(parts), ...show] });
  }

  /** Moves the cursor to a place and the focus to the editor. */
  goTo(place: number): void {
    const anchor = Math.min(place, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  measure(): void {
    this.#view.requestMeasure();
  }
}
