import { describeUsage, type Line, lineWidth, type Span, span, truncate, type Usage } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatState } from "../chat-state.ts";
import { valueName } from "../questions/overlays/option-dialogs.ts";

/** A part of the status line: the first of its texts that fits is shown. */
interface Part {
  readonly texts: readonly Line[];
  /** Parts with a low rank go first if there is no room. */
  readonly rank: number;
  readonly isRight?: boolean;
}

/** Draws one line: what the user works with, and on the right what it has cost. */
export function statusView(state: ChatState, width: number): Line {
  if (state.hint !== undefined) return truncate([span(printableLine(state.hint), "yellow")], width);
  const all = [...leftParts(state), ...usageParts(state.usage)];
  const byRank = all.toSorted((one, other) => other.rank - one.rank);
  for (let count = all.length; count > 0; count -= 1) {
    const shown = all.filter((part) => byRank.indexOf(part) < count);
    const line = brevities.map((brevity) => arrange(shown, width, brevity)).find((one) => one !== undefined);
    if (line !== undefined) return line;
  }
  return truncate(byRank[0]?.texts.at(-1) ?? [], width);
}

/** How short the texts on the left and on the right are: what the agent does is worth more room than what it has cost. */
const brevities: readonly (readonly [left: number, right: number])[] = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 2],
];

/** The parts in one line; `undefined` if they do not fit. */
function arrange(parts: readonly Part[], width: number, brevity: readonly [number, number]): Line | undefined {
  const [before = [], after = []] = [false, true].map((isRight) =>
    parts
      .filter((part) => (part.isRight ?? false) === isRight)
      .map(({ texts }) => texts[Math.min(brevity[isRight ? 1 : 0], texts.length - 1)] ?? [])
      .flatMap((text, index) => (index === 0 ? text : [span(" · ", "dim"), ...text])),
  );
  const gap = width - lineWidth(before) - lineWidth(after);
  if (gap < (after.length === 0 ? 0 : 2)) return undefined;
  return after.length === 0 ? before : [...before, span(" ".repeat(gap)), ...after];
}

function leftParts({ agent, options, questions, queued, session }: ChatState): Part[] {
  const parts: Part[] = [];
  const add = (rank: number, ...texts: readonly Span[]): void => {
    parts.push({ rank, texts: texts.map((text) => [text]) });
  };
  const name = printableLine(agent.name);
  // A prompt waits although no turn runs: some agents take seconds to open a session.
  const isOpening = agent.status === "ready" && session === undefined && queued.length > 0;
  if (isOpening) add(9, span(`${name} opens a session …`, "yellow"));
  else if (agent.status === "ready") add(7, span(name, "bold"));
  else add(9, span(`${name} ${statusWords[agent.status]}`, agent.status === "ended" ? "red" : "yellow"));
  if (questions.length > 0) {
    const more = questions.length > 1 ? ` (${questions.length})` : "";
    add(10, span(`waits for your answer${more}`, "yellow"), span(`your answer?${more}`, "yellow"));
  }
  if (queued.length > 0) add(8, span(`${queued.length} queued`, "yellow"));
  for (const [category, rank] of shownOptions) {
    const option = options.find((one) => one.category === category);
    if (option === undefined) continue;
    const label = rank === 3 ? `${printableLine(option.name)} ` : "";
    add(rank, span(`${label}${printableLine(valueName(option))}`, category === "mode" ? "cyan" : "dim"));
  }
  const title = session?.title;
  if (title !== undefined && title.trim() !== "") add(1, span(printableLine(title).slice(0, 60), "dim", "italic"));
  return parts;
}

/** The options that are worth a place, with their rank: the mode, the model, how hard it thinks. */
const shownOptions = [
  ["mode", 6],
  ["model", 5],
  ["thought_level", 3],
] as const;

const statusWords = { starting: "starts …", ended: "has ended", restarting: "starts again …" } as const;

function usageParts(usage: Usage | undefined): Part[] {
  if (usage === undefined) return [];
  const { used, size, cost } = usage;
  const share = size > 0 ? `${Math.round((100 * used) / size)} %` : shortNumber(used);
  const color = size > 0 && used / size >= 0.8 ? "yellow" : "dim";
  const money = cost == null ? "" : ` · ${cost.amount.toFixed(2)} ${printableLine(cost.currency)}`;
  const tokens = size > 0 ? `${shortNumber(used)} of ${shortNumber(size)} tokens (${share})` : `${share} tokens`;
  return [
    {
      rank: 4,
      isRight: true,
      texts: [[span(describeUsage(usage), color)], [span(`${tokens}${money}`, color)], [span(share, color)]],
    },
  ];
}

/** A number in few characters: `812`, `12k`, `1.2M`. */
function shortNumber(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
