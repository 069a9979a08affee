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

type Edit = (editor: Editor) => Editor;
/** A place in a text, seen from the cursor. */
type Place = (text: string, cursor: number) => number;

const to = (place: Place): Edit => between(place, (editor, _start, _end, at) => moveTo(editor, at));
const removeTo = (place: Place): Edit =>
  between(place, (editor, start, end) => (start === end ? editor : replace(editor, start, end, "")));
const killTo = (place: Place): Edit => between(place, kill);
const breakLine: Edit = (editor) => insert(editor, "\n");
const beginning: Place = () => 0;
const end: Place = (text) => text.length;

const alone = table({
  left: to(previousOffset),
  right: to(nextOffset),
  home: to(lineStart),
  end: to(lineEnd),
  backspace: removeTo(previousOffset),
  delete: removeTo(nextOffset),
});
const withControl = table({
  a: to(lineStart),
  e: to(lineEnd),
  b: to(previousOffset),
  f: to(nextOffset),
  left: to(wordStart),
  right: to(wordEnd),
  home: to(beginning),
  end: to(end),
  h: removeTo(previousOffset),
  d: removeTo(nextOffset),
  // At the end of a line it joins the next one.
  k: killTo((text, cursor) => (lineEnd(text, cursor) === cursor ? nextOffset : lineEnd)(text, cursor)),
  u: killTo((text, cursor) => (lineStart(text, cursor) === cursor ? previousOffset : lineStart)(text, cursor)),
  w: killTo((text, cursor) => wordStart(text, cursor, true)),
  backspace: killTo(wordStart),
  delete: killTo(wordEnd),
  y: (editor) => (editor.killed === "" ? editor : replace(editor, editor.cursor, editor.cursor, editor.killed)),
  _: undo,
  j: breakLine,
  enter: breakLine,
});
const withAlt = table({
  b: to(wordStart),
  left: to(wordStart),
  f: to(wordEnd),
  right: to(wordEnd),
  d: killTo(wordEnd),
  delete: killTo(wordEnd),
  backspace: killTo(wordStart),
  "<": to(beginning),
  ">": to(end),
  enter: breakLine,
});

/** What a key does in the editor; `undefined` if it means nothing there. */
export function editByKey(editor: Editor, key: Key): Editor | undefined {
  if (key.name === "text") return insert(editor, key.text);
  return (key.ctrl ? withControl : key.alt ? withAlt : alone).get(key.name)?.(editor);
}

function table(edits: Readonly<Record<string, Edit>>): ReadonlyMap<string, Edit> {
  return new Map(Object.entries(edits));
}

function between(place: Place, edit: (editor: Editor, start: number, end: number, at: number) => Editor): Edit {
  return (editor) => {
    const { text, cursor } = editor;
    const at = place(text, cursor);
    return edit(editor, Math.min(at, cursor), Math.max(at, cursor), at);
  };
}
