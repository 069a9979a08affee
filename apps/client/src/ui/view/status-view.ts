import { printableLine } from "../../text/printable.ts";
import { type Line, lineWidth, type Span, span, truncate } from "../../text/spans.ts";
import { describeUsage } from "../../render/words.ts";
import type { Usage } from "../../protocol/shown.ts";
import type { ChatState, SessionOption } from "../chat-state.ts";

/** A part of the status line: the first of its texts that fits is shown. */
interface Part {
  readonly texts: readonly Line[];
  /** Parts with a low rank go first if there is no room. */
  readonly rank: number;
}

/** Draws one line: what the user works with, and on the right what it has cost. */
export function statusView(state: ChatState, width: number): Line {
  if (state.hint !== undefined) return truncate([span(printableLine(state.hint), "yellow")], width);
  const left = leftParts(state);
  const right = usageParts(state.usage);
  let shown = [...left, ...right];
  for (;;) {
    const line = brevities.map((brevity) => arrange(shown, left, width, brevity)).find((one) => one !== undefined);
    if (line !== undefined) return line;
    if (shown.length <= 1) return truncate(shown[0]?.texts.at(-1) ?? [], width);
    const least = shown.reduce((one, other) => (other.rank < one.rank ? other : one));
    shown = shown.filter((part) => part !== least);
  }
}

/** How short the texts on the left and on the right are: what the agent does is worth more room than what it has cost. */
type Brevity = readonly [left: number, right: number];
const brevities: readonly Brevity[] = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 2],
];

/** The parts in one line; `undefined` if they do not fit. */
function arrange(
  parts: readonly Part[],
  left: readonly Part[],
  width: number,
  [onLeft, onRight]: Brevity,
): Line | undefined {
  const textsOf = (some: readonly Part[], brevity: number): Line =>
    some
      .map(({ texts }) => texts[Math.min(brevity, texts.length - 1)] ?? [])
      .flatMap((text, index) => (index === 0 ? text : [span(" · ", "dim"), ...text]));
  const before = textsOf(
    parts.filter((part) => left.includes(part)),
    onLeft,
  );
  const after = textsOf(
    parts.filter((part) => !left.includes(part)),
    onRight,
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
  // A prompt waits although no turn runs: some agents take seconds to open a session.
  if (agent.status === "ready" && session === undefined && queued.length > 0)
    add(9, span(`${printableLine(agent.name)} opens a session …`, "yellow"));
  else if (agent.status === "ready") add(7, span(printableLine(agent.name), "bold"));
  else
    add(
      9,
      span(`${printableLine(agent.name)} ${statusWords[agent.status]}`, agent.status === "ended" ? "red" : "yellow"),
    );
  if (questions.length > 0) {
    const more = questions.length > 1 ? ` (${questions.length})` : "";
    add(10, span(`waits for your answer${more}`, "yellow"), span(`your answer?${more}`, "yellow"));
  }
  if (queued.length > 0) add(8, span(`${queued.length} queued`, "yellow"));
  for (const { category, option } of shownOptions(options)) {
    const value = valueName(option);
    const isMode = category === "mode";
    add(
      isMode ? 6 : category === "model" ? 5 : 3,
      span(
        `${isMode || category === "model" ? "" : `${printableLine(option.name)} `}${value}`,
        isMode ? "cyan" : "dim",
      ),
    );
  }
  const title = session?.title;
  if (title !== undefined && title.trim() !== "") add(1, span(printableLine(title).slice(0, 60), "dim", "italic"));
  return parts;
}

const statusWords = { starting: "starts …", ended: "has ended", restarting: "starts again …" } as const;

/** The options that are worth a place: the mode, the model, how hard it thinks. */
function shownOptions(
  options: readonly SessionOption[],
): { readonly category: string; readonly option: SessionOption }[] {
  return ["mode", "model", "thought_level"].flatMap((category) => {
    const option = options.find((one) => one.category === category);
    return option === undefined ? [] : [{ category, option }];
  });
}

function valueName({ value, choices }: SessionOption): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return printableLine(choices.find((choice) => choice.value === value)?.name ?? value);
}

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
      texts: [[span(describeUsage(usage), color)], [span(`${tokens}${money}`, color)], [span(share, color)]],
    },
  ];
}

/** A number in few characters: `812`, `12k`, `1.2M`. */
function shortNumber(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
