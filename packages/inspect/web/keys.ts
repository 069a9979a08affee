import { element } from "./dom.ts";

/** What a key does. */
export interface Key {
  readonly key: string;
  readonly help: string;
  readonly run: () => void;
}

/** Listens to keys. One that is typed into a field is text, except for Escape. */
export function listenToKeys(keys: readonly Key[]): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    // The dialog, and the page in front of traces, hear their own keys.
    if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open], #front:not([hidden])") !== null) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      if (key === "Escape") target.blur();
      return;
    }
    // These scroll there.
    if (key.startsWith("Arrow") && target instanceof Element && target.closest("#detail, #timeline") !== null) return;
    const known = keys.find((each) => each.key === key);
    if (known === undefined) return;
    event.preventDefault();
    known.run();
  });
}

const words: readonly (readonly [string, string])[] = [
  ["wrong, hint", "what breaks a rule; what is hardly meant"],
  ["method:, kind:, from:agent", "which message"],
  ["session:, turn:, tool:, id:", "what it belongs to"],
  ["slow, slow:>1s, open", "slower than 95 of 100 of its method; than a second; never answered"],
  ["differs, changed, left, right", "of two recordings: what is not the same; what only one of them has"],
  ["anything else", "text; in quotes if it looks like one of these"],
];

/** What the keys and the words of a filter do. */
export function helpOf(keys: readonly Key[]): HTMLElement {
  const rows = (all: readonly (readonly [string, string])[]): HTMLElement[] =>
    all.map(([name, help]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, help)));
  return element(
    "div",
    {},
    element("h2", {}, "Keys"),
    element("table", {}, ...rows(keys.filter(({ help }) => help !== "").map(({ key, help }) => [key, help]))),
    element("h2", {}, "Words of the filter"),
    element("table", {}, ...rows(words)),
  );
}
