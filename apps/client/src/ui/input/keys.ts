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

/** A key without modifiers. */
export function plainKey(name: string): Key {
  return { name, text: "", ctrl: false, alt: false, shift: false };
}

/**
 * The keys of characters that arrive together. A line break among them is a part of the text: several lines were pasted into a
 * terminal that does not mark pasted text. A break at the end is the Enter key.
 */
export function textKeys(input: string): Key[] {
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
