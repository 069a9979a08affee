import { Box, Static, Text } from "ink";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import type { Line } from "../../text/spans.ts";
import type { ChatState } from "../chat-state.ts";
import { activityView, queueView, spinnerAt } from "./activity-view.ts";
import type { Drawing } from "./items/drawing.ts";
import { livePlanView } from "./items/plan-view.ts";
import { proseWidth } from "./items/item-view.ts";
import { Lines, paintLines } from "./lines.tsx";
import { loadHighlighter } from "./markdown/highlight.ts";
import { Scrollback } from "./scrollback/scrollback.ts";
import { statusView } from "./status-view.ts";
import { useLiveOutput, useTerminalSize } from "./terminal-size.tsx";
import { useNow } from "./use-chat-state.ts";

/** On a low screen, there are no empty lines between its parts. */
const lowScreen = 16;

export interface ChatViewProps {
  readonly state: ChatState;
  /** What takes the keys: it stands above the status line. */
  readonly children?: ReactNode;
  /** The time, as `Date.now()`, if it is not now: for pictures. */
  readonly now?: number;
}

/**
 * Draws everything but what takes the keys. What is final goes to the scrollback of the terminal; the rest is drawn anew
 * for each frame, and is always lower than the screen.
 */
export function ChatView({ state, children, now: fixed }: ChatViewProps): ReactNode {
  const { columns, rows } = useTerminalSize();
  const { turn, plan, questions, queued, overlay } = state;
  const clock = useNow(fixed === undefined && isRunning(state));
  const now = fixed ?? clock;
  // A line that fills the screen would be broken while the terminal becomes narrower.
  const width = Math.max(10, columns - 1);
  const isPlanned = turn !== undefined && plan.some(({ status }) => status !== "completed");
  // A question has to fit with all of its answers, so the plan is one line meanwhile.
  const planRows = questions.length > 0 || overlay !== undefined ? 1 : Math.floor(rows / 4);
  const planLines = isPlanned ? livePlanView(plan, proseWidth(width), planRows) : [];
  const queueLines = queueView(queued, width);
  // If it filled the screen, its upper part would end up in the scrollback when the screen becomes smaller.
  const liveRows = Math.max(5, Math.floor(rows * 0.75) - planLines.length - queueLines.length - 6);
  const { cwd, thoughts } = state;
  const drawing: Drawing = { width, cwd, thoughts, now, spinner: spinnerAt(now) };
  useEffect(() => void loadHighlighter(), []);

  const { batch, live } = useScrollback(state, drawing, liveRows);
  const gap = rows < lowScreen ? [] : [[]];
  return (
    <>
      <Static key={batch.number} items={[batch]}>
        {({ number, text }) => (text === "" ? null : <Text key={number}>{text}</Text>)}
      </Static>
      <Box flexDirection="column" maxHeight={rows - 1} overflowY="hidden">
        <Box flexDirection="column" flexShrink={1} overflowY="hidden" justifyContent="flex-end">
          <Lines lines={live} />
        </Box>
        <Lines lines={planLines.length === 0 ? [] : [...gap, ...planLines]} />
        {turn === undefined ? null : <Lines lines={[...gap, activityView(turn, questions.length > 0, now, width)]} />}
        <Lines lines={queueLines} />
        <Lines lines={gap} />
        <Box flexDirection="column" flexShrink={0}>
          {children}
        </Box>
        <Lines lines={[statusView(state, width)]} />
      </Box>
    </>
  );
}

/** Whether something on the screen changes with the time. */
function isRunning({ turn, items, firstOpen }: ChatState): boolean {
  return turn !== undefined || items.slice(firstOpen).some((item) => item.kind === "call" && item.until === undefined);
}

interface Batch {
  readonly number: number;
  readonly text: string;
}

/**
 * Gives what is new for the scrollback as a batch: Ink writes each one once, and forgets it with the next one. If there is
 * more than goes there at once, this draws again.
 */
function useScrollback(
  state: ChatState,
  drawing: Drawing,
  liveRows: number,
): { readonly batch: Batch; readonly live: readonly Line[] } {
  const output = useLiveOutput();
  const scrollback = useRef(new Scrollback());
  const batch = useRef<Batch>({ number: 0, text: "" });
  const { width, now, thoughts } = drawing;
  const [round, setRound] = useState(0);
  // What was returned once is not returned again, so a frame without changes must not ask again.
  const drawn = useMemo(() => {
    const { printed, live, hasMore } = scrollback.current.draw(state, drawing, liveRows);
    if (printed.length > 0) {
      const text = paintLines(printed);
      batch.current = { number: batch.current.number + 1, text: output?.print(`${text}\n`) ?? text };
    }
    return { live, hasMore };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- these are what the drawing consists of
  }, [state, width, now, thoughts, liveRows, round, output]);
  useEffect(() => {
    if (!drawn.hasMore) return undefined;
    const timer = setTimeout(() => setRound((one) => one + 1));
    return () => clearTimeout(timer);
  }, [drawn]);
  return { batch: batch.current, live: drawn.live };
}
