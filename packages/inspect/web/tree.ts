import { button, element, lines } from "./dom.ts";

/** How many members or items are shown at once. */
const page = 200;
/** How much of a text is shown at once, in UTF-16 code units. */
const textPage = 4_000;

/** A value as a tree. Levels are made when they are opened: a message may have any number of them. */
export function treeOf(value: unknown, name = "", open = 5): HTMLElement {
  const label = name === "" ? [] : [element("span", { class: "key" }, lines(name)), ": "];
  if (typeof value !== "object" || value === null) return element("div", { class: "leaf" }, ...label, leafOf(value));
  const entries = Object.entries(value);
  const shape = Array.isArray(value) ? `[${entries.length}]` : entries.length === 0 ? "{}" : `{${entries.length}}`;
  const details = element("details", {}, element("summary", {}, ...label, element("span", { class: "shape" }, shape)));
  let isFilled = false;
  const fill = (): void => {
    if (isFilled) return;
    isFilled = true;
    addMembers(details, entries, open - 1);
  };
  details.addEventListener("toggle", () => {
    if (details.open) fill();
  });
  if (open > 0 && entries.length > 0) {
    fill();
    details.open = true;
  }
  return details;
}

function addMembers(parent: HTMLElement, entries: readonly (readonly [string, unknown])[], open: number): void {
  parent.append(...entries.slice(0, page).map(([key, member]) => treeOf(member, key, open)));
  const rest = entries.slice(page);
  if (rest.length === 0) return;
  const more = button(`${rest.length} more`, () => {
    more.remove();
    addMembers(parent, rest, 0);
  });
  parent.append(more);
}

function leafOf(value: unknown): Node {
  if (typeof value !== "string") return element("span", { class: "value" }, String(value));
  return longText(value, value.includes("\n") ? "value text block" : "value text");
}

/** A text, in parts if it is long. */
export function longText(text: string, kind: string): HTMLElement {
  const made = element("span", { class: kind });
  let shown = 0;
  const add = (units: number): void => {
    made.append(lines(text.slice(shown, shown + units)));
    shown += units;
    if (shown >= text.length) return;
    const more = button(`${(text.length - shown).toLocaleString("en")} more characters`, () => {
      more.remove();
      add(50 * textPage);
    });
    made.append(more);
  };
  add(textPage);
  return made;
}
