import { printable } from "../src/log/shown.ts";

type Child = Node | string | undefined;

/** Creates an element. Texts become text nodes: nothing of a recording is ever read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that does something. */
export function button(label: string, run: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", run);
  return made;
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
}

/** A foreign text on one line, with what would hide or reorder characters written out. */
export function line(text: string): string {
  return printable(text.replaceAll(/\s+/gu, " "));
}

/** A foreign text with its lines. */
export function lines(text: string): string {
  return text
    .split(/(\r?\n|\t)/u)
    .map((part, at) => (at % 2 === 0 ? printable(part) : part.replace("\r", "")))
    .join("");
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 100_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${Math.round(milliseconds / 60_000)} min`;
}
