import type { Key } from "../keys.ts";
import {
  type Editor,
  insert,
  kill,
  lineEnd,
  lineStart,
  moveTo,
  nextOffset,
  previousOffset,
  replace,
  undo,
  wordEnd,
  wordStart,
} from "./editor.ts";

/** What a key does in the editor; `undefined` if it means nothing there. */
export function editByKey(editor: Editor, key: Key): Editor | undefined {
  if (key.name === "text") return insert(editor, key.text);
  if (key.ctrl) return editByControl(editor, key.name);
  if (key.alt) return editByAlt(editor, key.name);
  const { text, cursor } = editor;
  switch (key.name) {
    case "left":
      return moveTo(editor, previousOffset(text, cursor));
    case "right":
      return moveTo(editor, nextOffset(text, cursor));
    case "home":
      return moveTo(editor, lineStart(text, cursor));
    case "end":
      return moveTo(editor, lineEnd(text, cursor));
    case "backspace":
      return remove(editor, previousOffset(text, cursor), cursor);
    case "delete":
      return remove(editor, cursor, nextOffset(text, cursor));
    default:
      return undefined;
  }
}

function editByControl(editor: Editor, name: string): Editor | undefined {
  const { text, cursor } = editor;
  switch (name) {
    case "a":
      return moveTo(editor, lineStart(text, cursor));
    case "e":
      return moveTo(editor, lineEnd(text, cursor));
    case "b":
      return moveTo(editor, previousOffset(text, cursor));
    case "f":
      return moveTo(editor, nextOffset(text, cursor));
    case "left":
      return moveTo(editor, wordStart(text, cursor));
    case "right":
      return moveTo(editor, wordEnd(text, cursor));
    case "home":
      return moveTo(editor, 0);
    case "end":
      return moveTo(editor, text.length);
    case "h":
      return remove(editor, previousOffset(text, cursor), cursor);
    case "d":
      return remove(editor, cursor, nextOffset(text, cursor));
    case "k": {
      const end = lineEnd(text, cursor);
      // At the end of a line it joins the next one.
      return kill(editor, cursor, end === cursor ? nextOffset(text, cursor) : end);
    }
    case "u": {
      const start = lineStart(text, cursor);
      return kill(editor, start === cursor ? previousOffset(text, cursor) : start, cursor);
    }
    case "w":
      return kill(editor, wordStart(text, cursor, true), cursor);
    case "backspace":
      return kill(editor, wordStart(text, cursor), cursor);
    case "delete":
      return kill(editor, cursor, wordEnd(text, cursor));
    case "y":
      return editor.killed === "" ? editor : replace(editor, cursor, cursor, editor.killed);
    case "_":
      return undo(editor);
    case "j":
    case "enter":
      return insert(editor, "\n");
    default:
      return undefined;
  }
}

function editByAlt(editor: Editor, name: string): Editor | undefined {
  const { text, cursor } = editor;
  switch (name) {
    case "b":
    case "left":
      return moveTo(editor, wordStart(text, cursor));
    case "f":
    case "right":
      return moveTo(editor, wordEnd(text, cursor));
    case "d":
    case "delete":
      return kill(editor, cursor, wordEnd(text, cursor));
    case "backspace":
      return kill(editor, wordStart(text, cursor), cursor);
    case "<":
      return moveTo(editor, 0);
    case ">":
      return moveTo(editor, text.length);
    case "enter":
      return insert(editor, "\n");
    default:
      return undefined;
  }
}

function remove(editor: Editor, start: number, end: number): Editor {
  return start === end ? editor : replace(editor, start, end, "");
}
