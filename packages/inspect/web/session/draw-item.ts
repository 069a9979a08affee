import {
  callParts,
  describeContent,
  endLine,
  endOf,
  headingLine,
  type Line,
  MarkdownStream,
  planLines,
  type ShownCall,
  type ShownItem,
  span,
  TerminalTail,
  wrapSpans,
} from "@acp/render";
import { printable } from "@acp/render/text";

import { element, lines } from "../dom.ts";
import { linesOf } from "./line.ts";
import type { Terminal } from "./session-state.ts";

/** A longer text is cut, in UTF-16 code units: its messages have all of it. */
const longestText = 100_000;
/** How many contents of a message are joined. */
const mostChunks = 100_000;

/** What items are drawn with. */
export interface Drawing {
  readonly cwd: string;
  /** In columns. */
  readonly width: number;
  /** The commands that run or have run, by the ids of their terminals. */
  readonly terminals: ReadonlyMap<string, Terminal>;
  /** The ends of their output, which each call may show. */
  readonly tails: ReadonlyMap<string, TerminalTail["state"]>;
}

const speakers = { user: "User", agent: "Agent", thought: "Thought" } as const;

/** An item of a session. */
export function itemOf(item: ShownItem, drawing: Drawing): HTMLElement {
  switch (item.kind) {
    case "message": {
      const text = item.chunks.slice().slice(0, mostChunks).map(describeContent).join("");
      const shown = text.slice(0, longestText);
      const content =
        item.speaker === "user" ? element("div", { class: "lines" }, lines(shown)) : linesOf(markdown(shown, drawing));
      const rest = text.length - shown.length;
      const cut = rest > 0 ? element("p", { class: "left-out" }, `${rest.toLocaleString("en")} more characters`) : "";
      return boxOf(item.speaker, speakers[item.speaker], content, cut);
    }
    case "call":
      return boxOf("call", "Tool call", ...partsOf(item.call, drawing));
    case "plan": {
      const { heading, entries } = planLines(item.entries);
      return boxOf("plan", "Plan", linesOf(wrapped([heading, ...entries], drawing.width)));
    }
    case "notice": {
      const words = [item.title, item.description ?? ""].filter((text) => text !== "").join("\n");
      return boxOf("notice", `Notice, ${printable(item.severity)}`, element("div", { class: "lines" }, lines(words)));
    }
    case "compaction":
      return boxOf("notice", "Compaction", printable([item.status, item.error ?? ""].join(" ").trim()));
    default:
      return boxOf("notice", "Unknown update", "No client of this version knows how to show it.");
  }
}

/** Something with a heading. */
export function boxOf(kind: string, name: string, ...content: readonly (Node | string)[]): HTMLElement {
  return element("article", { class: `item ${kind}`, "aria-label": name }, element("h3", {}, name), ...content);
}

function partsOf(call: ShownCall, { cwd, width, terminals, tails }: Drawing): HTMLElement[] {
  const end = endOf(call, (id) => terminals.get(id)?.exit);
  return [
    linesOf(wrapped([headingLine(call, cwd)], width)),
    ...callParts({ call, terminals: tails }, cwd, width).map(({ kind, lines: drawn, omitted }) => {
      const note: Line[] = omitted > 0 ? [[span(`… ${omitted} lines before`, "dim")]] : [];
      return linesOf([...note, ...drawn], kind);
    }),
    ...(end === undefined ? [] : [linesOf([endLine(end)])]),
  ];
}

/** The end of what a command has printed. */
export function tailOf({ command, output, exit }: Terminal): TerminalTail["state"] {
  const tail = new TerminalTail(command, () => {});
  tail.push(output.slice(-longestText));
  if (exit !== undefined) tail.end(exit);
  return tail.state;
}

function wrapped(drawn: readonly Line[], width: number): Line[] {
  return drawn.flatMap((line) => wrapSpans(line, width));
}

function markdown(text: string, { width }: Drawing): Line[] {
  const stream = new MarkdownStream();
  const drawn: Line[] = [];
  for (;;) {
    const { done, isRead } = stream.draw(text, false, width);
    drawn.push(...done);
    if (isRead) return drawn;
  }
}
