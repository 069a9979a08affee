import type { Line } from "@acp/render";

import { button, element } from "../dom.ts";

/** How many lines of one thing are shown at once. */
const page = 300;

/** A line of `@acp/render` as an element. Colours that a command has chosen are left out: they fit one theme only. */
function lineOf(line: Line): HTMLElement {
  const spans = line
    .filter(({ text }) => text !== "")
    .map(({ text, formats }) => {
      const known = formats.filter((format) => !format.includes(" "));
      return known.length === 0 ? text : element("span", { class: known.map((name) => `is-${name}`).join(" ") }, text);
    });
  return element("div", { class: "line" }, ...(spans.length === 0 ? [" "] : spans));
}

/** Lines, in parts if there are many. */
export function linesOf(lines: readonly Line[], kind = ""): HTMLElement {
  const made = element("div", { class: `lines ${kind}`.trim() });
  const add = (from: number): void => {
    made.append(...lines.slice(from, from + page).map(lineOf));
    const left = lines.length - from - page;
    if (left <= 0) return;
    const more = button(`${left.toLocaleString("en")} more lines`, () => {
      more.remove();
      add(from + page);
    });
    made.append(more);
  };
  add(0);
  return made;
}
