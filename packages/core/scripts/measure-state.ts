// Measures what the state of a session costs: time for each event, and memory while every state is kept.
// node --expose-gc --conditions=@acp/source packages/core/scripts/measure-state.ts
import type { Received } from "@acp/schema/v1";
import { initialState, joinText, reduceSession, type SessionState } from "../src/state/v1/entry.ts";

const chunk = (text: string, messageId?: string): Received.SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  messageId,
});

const streams: Readonly<Record<string, (index: number) => Received.SessionUpdate>> = {
  "chunks of one message": (index) => chunk(`word${index} `),
  "chunks of one message with an id": (index) => chunk(`word${index} `, "m"),
  "messages of one chunk": (index) => chunk(`word${index} `, `m${index}`),
  "changes of a hundred tool calls": (index) => ({
    sessionUpdate: "tool_call_update",
    toolCallId: `c${index % 100}`,
    rawOutput: index,
  }),
  "new tool calls": (index) => ({ sessionUpdate: "tool_call", toolCallId: `c${index}`, title: "T" }),
};

const collect = "gc" in globalThis && typeof globalThis.gc === "function" ? globalThis.gc : (): void => {};
const used = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

// A function, so that nothing of one measurement is alive in the next.
function measure(updateAt: (index: number) => Received.SessionUpdate, count: number): string {
  const updates = Array.from({ length: count }, (_, index) => updateAt(index));
  const run = (keep: SessionState[] | undefined): SessionState => {
    let state: SessionState = initialState();
    for (const update of updates) {
      state = reduceSession(state, { type: "update", update });
      keep?.push(state);
    }
    return state;
  };
  run(undefined);
  const started = performance.now();
  run(undefined);
  const nanoseconds = ((performance.now() - started) * 1e6) / count;
  const before = used();
  const state = run(undefined);
  const alone = used() - before;
  const states: SessionState[] = [];
  run(states);
  const kept = used() - before - alone;
  const joining = performance.now();
  for (const item of state.timeline) if ("chunks" in item) joinText(item.chunks);
  const joined = performance.now() - joining;
  const perEvent = `${nanoseconds.toFixed(0)} ns and ${(kept / states.length).toFixed(0)} bytes an event`;
  return `${perEvent}; the last state ${(alone / 1e6).toFixed(1)} MB, joining ${joined.toFixed(1)} ms`;
}

for (const [name, updateAt] of Object.entries(streams)) {
  for (const count of [10_000, 100_000]) {
    process.stdout.write(`${name}, ${count}: ${measure(updateAt, count)}\n`);
  }
}
