import { describeUsage, type ShownSession, type ShownTimeline } from "@acp/render";
import { showSession } from "@acp/render/session";

import { button, element, line } from "../dom.ts";
import { type Drawing, itemOf, tailOf } from "./draw-item.ts";
import { questionOf } from "./draw-question.ts";
import type { Moment } from "./moment.ts";
import type { FoundMoment } from "./moments.ts";

/** How many items are drawn at once, the last ones first. */
const page = 40;

/** Draws a session as its user saw it, and marks what the last message has changed. */
export function sessionOf({ moment, before }: FoundMoment, width: number): HTMLElement {
  const shown = show(moment);
  const { timeline } = shown;
  const changed = changedIn(show(before).timeline, timeline);
  const terminals = new Map([...moment.state.terminals(), ...moment.terminals]);
  const tails = new Map([...terminals].map(([id, terminal]) => [id, tailOf(terminal)]));
  const drawing: Drawing = { cwd: moment.cwd, width, terminals, tails };
  const made = element("div", { class: "session" }, headOf(shown));
  const items = element("div", {});
  const fill = (from: number, to: number): void => {
    const drawn: Node[] = [];
    for (let at = from; at < to; at++) {
      const item = timeline.at(at);
      if (item === undefined) continue;
      const box = itemOf(item, drawing);
      if (at === changed) box.classList.add("now");
      drawn.push(box);
    }
    const above = button(`${from.toLocaleString("en")} earlier items`, () => {
      above.remove();
      fill(Math.max(0, from - page), from);
    });
    items.prepend(...(from > 0 ? [above] : []), ...drawn);
  };
  fill(Math.max(0, Math.min(timeline.length - page, changed < 0 ? Infinity : changed)), timeline.length);
  const { answered } = moment;
  made.append(
    items,
    ...[...moment.questions.values()].map((question) => questionOf(question, undefined, moment.state, drawing)),
    ...(answered === undefined ? [] : [questionOf(answered, answered.answer, before.state, drawing)]),
    element("p", { class: "status", role: "status" }, statusOf(shown, moment)),
  );
  return made;
}

function show({ state }: Moment): ShownSession {
  return showSession({ state: state.shown, subscribe: () => () => {} });
}

/** The first item that is another one now, of the last ones; -1 if none is. */
function changedIn(before: ShownTimeline, after: ShownTimeline): number {
  if (after.length > before.length) return before.length;
  for (let at = after.length - 1; at >= Math.max(0, after.length - 500); at--)
    if (after.at(at) !== before.at(at)) return at;
  return -1;
}

function headOf({ title, options, usage, commands }: ShownSession): HTMLElement {
  const facts = [
    title === undefined ? undefined : line(title),
    ...options.map(({ name, value, choices }) => {
      const known = choices.find((choice) => choice.value === value)?.name;
      return line(`${name}: ${known ?? String(value)}`);
    }),
    usage === undefined ? undefined : describeUsage(usage),
    commands.length === 0 ? undefined : `${commands.length} commands`,
  ];
  const shown = facts.filter((fact) => fact !== undefined).map((fact) => element("li", {}, fact));
  return element("ul", { class: "facts" }, ...shown);
}

function statusOf({ isBusy }: ShownSession, { questions }: Moment): string {
  if (questions.size > 0) return "The agent waits for an answer.";
  return isBusy ? "The agent works." : "The agent waits for a prompt.";
}
