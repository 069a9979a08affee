import type { Key as InkKey } from "ink";

/** A key as the user pressed it, or text that was typed. */
export interface Key {
  /** `text`, a named key such as `enter` or `up`, or the character of a key with Ctrl or Alt. */
  readonly name: string;
  /** What was typed; empty for all keys but `text`. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** The part of Ink's description of a key that is used here. */
export type KeyFlags = Partial<InkKey>;

const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "delete"],
  ["tab", "tab"],
  ["return", "enter"],
] as const satisfies readonly (readonly [keyof InkKey, string])[];

/**
 * Translates what Ink reports. Characters that arrive together are reported together, a line break among them as part of the
 * text: several lines were pasted into a terminal that does not mark pasted text, and a break at the end is the Enter key.
 */
export function keysOf(input: string, flags: KeyFlags): Key[] {
  if (flags.eventType === "release" || flags.super === true || flags.hyper === true) return [];
  const modifiers = { ctrl: flags.ctrl === true, alt: flags.meta === true, shift: flags.shift === true };
  const name = named.find(([flag]) => flags[flag] === true)?.[1];
  // A lone Escape cannot be told from Alt, which Ink reports for two of them.
  if (name === "escape") return [{ name, text: "", ctrl: false, alt: false, shift: false }];
  if (name !== undefined) return [{ name, text: "", ...modifiers }];
  if (input === "") return [];
  if (modifiers.ctrl || modifiers.alt) return [{ name: input.toLowerCase(), text: "", ...modifiers }];
  return textKeys(input);
}

/** A key without modifiers. */
export function plainKey(name: string): Key {
  return { name, text: "", ctrl: false, alt: false, shift: false };
}

function textKeys(input: string): Key[] {
  if (/[\r\n][^\r\n]/u.test(input)) {
    const [, body = "", end = ""] = /^([^]*?)([\r\n]?)$/u.exec(input) ?? [];
    return [...textOf(body.replaceAll(/\r\n?/gu, "\n")), ...(end === "" ? [] : [plainKey("enter")])];
  }
  // oxlint-disable-next-line no-control-regex -- control characters are keys
  return (input.match(/[\u0000-\u001F\u007F]|[^\u0000-\u001F\u007F]+/gu) ?? []).flatMap((part) => {
    if (part === "\r") return [plainKey("enter")];
    if (part === "\t") return [plainKey("tab")];
    if (part === "\u007F" || part === "\b") return [plainKey("backspace")];
    const code = part.codePointAt(0) ?? 0;
    if (code >= 0x20) return textOf(part);
    const character = String.fromCodePoint(code <= 26 ? code + 96 : code + 64);
    return [{ ...plainKey(character), ctrl: true }];
  });
}

function textOf(text: string): Key[] {
  return text === "" ? [] : [{ ...plainKey("text"), text }];
}

/** A key with its modifiers as one name, such as `ctrl+s`. */
export function chordOf({ name, ctrl, alt, shift }: Key): string {
  if (name === "text") return name;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}
