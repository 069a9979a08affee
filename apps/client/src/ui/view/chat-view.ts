import type { Line } from "@acp/render";

import type { ChatState } from "../chat-state.ts";
import { type Frame, lastRows, stack } from "../terminal/frame.ts";
import { lowScreen, type TerminalSize } from "../terminal/screen.ts";
import { activityView, queueView, spinnerAt } from "./activity-view.ts";
import type { Drawing } from "./items/drawing.ts";
import { proseWidth } from "./items/item-view.ts";
import { livePlanView } from "./items/plan-view.ts";
import { type DrawnItems, Scrollback } from "./scrollback/scrollback.ts";
import { statusView } from "./status-view.ts";

/** What is drawn of a chat: lines for the scrollback, and what is below them. */
export type DrawnChat = Omit<DrawnItems, "live"> & { readonly frame: Frame };

/** Draws a chat: what is final goes to the scrollback of the terminal, the rest is a frame, which is lower than the screen. */
export class ChatView {
  readonly #scrollback = new Scrollback();
  #live: readonly Line[] = [];

  /**
   * `input` is what takes the keys: it is above the status line. `room`: how many lines may go to the scrollback, or few more;
   * with none, what the agent says stays as it was drawn last.
   */
  draw(state: ChatState, input: Frame, { columns, rows }: TerminalSize, now: number, room = 400): DrawnChat {
    const { turn, plan, questions, queued, overlay, cwd, thoughts } = state;
    // A line that fills the screen would be broken while the terminal becomes narrower.
    const width = Math.max(10, columns - 1);
    const isPlanned = turn !== undefined && plan.some(({ status }) => status !== "completed");
    // A question has to fit with all of its answers, so the plan is one line meanwhile.
    const planRows = questions.length > 0 || overlay !== undefined ? 1 : Math.floor(rows / 4);
    const planLines = isPlanned ? livePlanView(plan, proseWidth(width), planRows) : [];
    const queueLines = queueView(queued, width);
    // If it filled the screen, its upper part would end up in the scrollback when the screen becomes smaller.
    const liveRows = Math.max(2, Math.floor(rows * 0.75) - planLines.length - queueLines.length - 6);
    const drawing: Drawing = { width, cwd, thoughts, now, spinner: spinnerAt(now) };
    const { printed, live, hasMore } =
      room === 0
        ? { printed: [], live: this.#live, hasMore: false }
        : this.#scrollback.draw(state, drawing, liveRows, room);
    this.#live = live;
    const gap: readonly Line[] = rows < lowScreen ? [] : [[]];
    const rest = stack(
      planLines.length === 0 ? [] : [...gap, ...planLines],
      turn === undefined ? [] : [...gap, activityView(turn, questions.length > 0, now, width)],
      queueLines,
      gap,
      input,
      [statusView(state, width)],
    );
    const left = Math.max(0, rows - 1 - rest.lines.length);
    return { printed, hasMore, frame: stack(lastRows({ lines: live }, left), rest) };
  }
}

/** Whether something on the screen changes with the time. */
export function isRunning({ turn, items, firstOpen }: ChatState): boolean {
  return turn !== undefined || items.slice(firstOpen).some((item) => item.kind === "call" && item.until === undefined);
}
