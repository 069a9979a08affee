import { charactersOf } from "@acp/render";
import { withoutControls } from "@acp/render/text";

import { foldCharacter, isLong, unfold, withoutFolds } from "./folds.ts";

/** The text that the user edits. Every change makes a new one. */
export interface Editor {
  readonly text: string;
  /** The offset of the cursor in the text; never inside a character. */
  readonly cursor: number;
  /** The texts that are folded into markers. */
  readonly pasted: readonly string[];
  /** What Ctrl-Y brings back. */
  readonly killed: string;
  /** The last change was a kill, so that the next one is added to it. */
  readonly isKilling: boolean;
  /** The column that moves up and down aim for. */
  readonly goal: number | undefined;
  /** Earlier texts, for undo. */
  readonly before: readonly { readonly text: string; readonly cursor: number }[];
  /** The last change was typing: more of it is undone together. */
  readonly isTyping: boolean;
}

export const emptyEditor: Editor = {
  text: "",
  cursor: 0,
  pasted: [],
  killed: "",
  isKilling: false,
  goal: undefined,
  before: [],
  isTyping: false,
};

const undoLimit = 100;

/** Starts with this text, with the cursor at its end. What was killed stays. */
export function withText(editor: Editor, text: string, cursor = text.length): Editor {
  // The markers of one text mean nothing in another.
  return { ...emptyEditor, killed: unfold(editor.killed, editor.pasted), text, cursor };
}

/** The text with everything that was folded. */
export function fullText({ text, pasted }: Editor): string {
  return unfold(text, pasted);
}

export function insert(editor: Editor, text: string): Editor {
  return insertRaw(editor, clean(text), true);
}

/** Inserts pasted text; a long one is folded. */
export function paste(editor: Editor, text: string): Editor {
  const cleaned = clean(text.replaceAll(/\r\n?/gu, "\n"));
  if (!isLong(cleaned)) return insertRaw(editor, cleaned, false);
  const inserted = insertRaw(editor, foldCharacter(editor.pasted.length), false);
  return { ...inserted, pasted: [...editor.pasted, cleaned] };
}

/** Escape sequences and control characters would reach the terminal with the text. */
function clean(text: string): string {
  return withoutFolds(withoutControls(text).replaceAll("\r", "\n"));
}

function insertRaw(editor: Editor, text: string, isTyping: boolean): Editor {
  return text === "" ? editor : replace(editor, editor.cursor, editor.cursor, text, isTyping);
}

/** Replaces the text from one offset to another, and puts the cursor behind it. */
export function replace(editor: Editor, start: number, end: number, by: string, isTyping = false): Editor {
  const { text, cursor, before } = editor;
  // An accent joins the character before the cursor: the cursor must not stay between them.
  const changed = text.slice(0, start) + by + text.slice(end);
  const steps = isTyping && editor.isTyping ? before : [...before.slice(1 - undoLimit), { text, cursor }];
  const moved = boundaryFrom(changed, start + by.length);
  return { ...editor, text: changed, cursor: moved, before: steps, isTyping, isKilling: false, goal: undefined };
}

export function undo(editor: Editor): Editor {
  const step = editor.before.at(-1);
  if (step === undefined) return editor;
  return { ...editor, ...step, before: editor.before.slice(0, -1), isTyping: false, isKilling: false, goal: undefined };
}

/** Moves the cursor. `goal` stays only for moves up and down. */
export function moveTo(editor: Editor, cursor: number, goal?: number): Editor {
  return { ...editor, cursor, goal, isTyping: false, isKilling: false };
}

/** Deletes from one offset to another, and keeps it for Ctrl-Y. */
export function kill(editor: Editor, start: number, end: number): Editor {
  if (start === end) return editor;
  const cut = editor.text.slice(start, end);
  const isBackward = end === editor.cursor && start < editor.cursor;
  const more = isBackward ? cut + editor.killed : editor.killed + cut;
  return { ...replace(editor, start, end, ""), killed: editor.isKilling ? more : cut, isKilling: true };
}

/** The offset of the character before this one. */
export function previousOffset(text: string, offset: number): number {
  if (offset <= 0) return 0;
  const start = lineStart(text, offset);
  if (start === offset) return offset - 1;
  return offset - (charactersOf(text.slice(start, offset)).at(-1)?.length ?? 1);
}

/** The offset behind the character at this one. */
export function nextOffset(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (text[offset] === "\n") return offset + 1;
  const [first = ""] = charactersOf(text.slice(offset, lineEnd(text, offset)));
  return offset + first.length;
}

/** The nearest offset from this one on that is between two characters. */
function boundaryFrom(text: string, offset: number): number {
  let at = lineStart(text, offset);
  while (at < offset) at = nextOffset(text, at);
  return at;
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

const wordBefore = /[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u;
const wordAfter = /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u;
const spacedWordBefore = /\S*\s*$/u;

/** Where the word before this offset begins. With `spaced`, only space separates words. */
export function wordStart(text: string, offset: number, spaced = false): number {
  const start = offset - lengthOf(spaced ? spacedWordBefore : wordBefore, text.slice(0, offset));
  // A word may begin inside a character, with an accent of an emoji.
  return boundaryFrom(text, start) > start ? previousOffset(text, boundaryFrom(text, start)) : start;
}

export function wordEnd(text: string, offset: number): number {
  return boundaryFrom(text, offset + lengthOf(wordAfter, text.slice(offset)));
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}
