import type { View } from "../detail.ts";
import { duration, element, line, lines } from "../dom.ts";
import { placeButton } from "../list.ts";
import { parsed } from "../snippet.ts";
import type { Texts } from "../texts.ts";
import type { Trace } from "../trace.ts";
import { treeOf } from "../tree.ts";
import type { Comparison } from "./comparison.ts";

const words = {
  same: "The same in both recordings, apart from ids and times.",
  changed: "It says something else in the second recording.",
  left: "Only the first recording has it.",
  right: "Only the second recording has it.",
} as const;

/** What differs between two messages that belong together, and both of them. */
export function compareView(trace: Trace, texts: Texts, comparison: Comparison, go: (message: number) => void): View {
  return {
    name: "Compare",
    async show(message) {
      const listed = trace.listedOf(message);
      const row = comparison.row(listed);
      const made = element("div", {}, element("p", { class: "left-out" }, words[comparison.statusOf(listed)]));
      if (row === undefined) return made;
      if (row.ratio !== undefined) {
        const [left, right] = [row.left, row.right].map((at) => duration(trace.tookOf(at) ?? 0));
        const ratio = `${row.ratio.toFixed(row.ratio < 10 ? 1 : 0)} times as long`;
        made.append(element("p", { class: "left-out" }, `It took ${left}, and ${right} in the second: ${ratio}.`));
      }
      if (row.changes.length > 0) made.append(changesOf(row.changes));
      const sides = await Promise.all(
        [row.left, row.right].map(async (at, isRight) => {
          if (at < 0) return undefined;
          const name = `${isRight === 0 ? "First" : "Second"} recording, message ${numberIn(comparison, at)}`;
          return element(
            "section",
            {},
            element("h3", {}, placeButton(name, at, go)),
            treeOf(parsed(await texts.text(at))),
          );
        }),
      );
      made.append(element("div", { class: "sides" }, ...sides));
      return made;
    },
  };
}

/** The number of a message in its own recording, from 1. */
function numberIn({ from }: Comparison, message: number): number {
  return message < from ? message + 1 : message - from + 1;
}

function changesOf(changes: readonly (readonly [string, string | undefined, string | undefined])[]): HTMLElement {
  const cell = (kind: string, text: string | undefined): HTMLElement =>
    element("td", { class: kind }, text === undefined ? "not there" : lines(text));
  const rows = changes.map(([path, left, right]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, line(path || "all of it")),
      cell("gone", left),
      cell("new", right),
    ),
  );
  const head = ["Member", "First recording", "Second recording"].map((name) => element("th", { scope: "col" }, name));
  return element(
    "table",
    { class: "changes" },
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
}
