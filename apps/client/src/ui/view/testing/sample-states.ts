// States as the model makes them, for tests.
import { type ShownCall, span } from "@acp/render";

import { sampleCall, sampleDiff, sampleMarkdown } from "../../../../../../packages/render/src/testing/samples.ts";
import type { CallItem, ChatItem, ChatState, RunningTurn } from "../../chat-state.ts";

/** When everything begins. */
export const start = Date.UTC(2026, 0, 1);

export const emptyState: ChatState = {
  agent: {
    status: "ready",
    name: "reference",
    version: "1.0.0",
    protocol: 1,
    takes: { image: false, audio: false, embeddedContext: false },
    can: { load: true, resume: true, list: true, delete: true, close: true, steer: false },
    logins: [],
  },
  cwd: "/project",
  session: { id: "session-1", title: "Fix the total", cwd: "/project" },
  items: [],
  firstOpen: 0,
  turn: undefined,
  plan: [],
  usage: { used: 12_000, size: 200_000, cost: { amount: 0.42, currency: "USD" } },
  options: [
    { id: undefined, name: "Mode", category: "mode", value: "ask", choices: [{ value: "ask", name: "Ask" }] },
    { id: "model", name: "Model", category: "model", value: "b", choices: [{ value: "b", name: "Big Model" }] },
  ],
  commands: [],
  questions: [],
  queued: [],
  returned: [],
  overlay: undefined,
  thoughts: "folded",
  hint: undefined,
};

export const runningTurn: RunningTurn = { since: start, activity: "Thinking", lastUpdate: start, isCancelling: false };

/** Makes the item of a tool call, which has ended if it has a duration. */
export function sampleCallItem(id: number, call: ShownCall, duration?: number): CallItem & { readonly id: number } {
  return {
    id,
    kind: "call",
    toolCallId: `call-${id}`,
    call,
    terminals: new Map(),
    since: start,
    until: duration === undefined ? undefined : start + duration,
  };
}

const before =
  "function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n}\n";

const user: ChatItem = { id: 1, kind: "user", text: "Fix the failing test", attachments: ["src/total.js"] };

function thought(isOpen: boolean): ChatItem {
  const text = "The user wants the failing test to be fixed. I look at the project first, and run its tests.";
  return { id: 2, kind: "thought", text, isOpen };
}

/** A command that has printed so many lines. */
function command(count: number, duration?: number): ChatItem {
  const call = sampleCall("Run the tests", {
    kind: "execute",
    status: duration === undefined ? "in_progress" : "failed",
    commands: ["npm test"],
    content: [{ kind: "terminal", terminalId: "terminal-1" }],
  });
  const lines = Array.from({ length: count }, (_, at) => [span(`line ${at + 1} of the output`)]);
  const exit = duration === undefined ? undefined : { exitCode: 1 };
  const terminals = new Map([["terminal-1", { command: "npm test", lines, omitted: 0, exit }]]);
  return { ...sampleCallItem(3, call, duration), terminals };
}

function edit(duration?: number): ChatItem {
  const call = sampleCall("Edit src/total.js", {
    kind: "edit",
    status: duration === undefined ? "pending" : "completed",
    locations: [{ path: "/project/src/total.js", line: 3 }],
    content: [sampleDiff("/project/src/total.js", before, before.replace("item.price", "Number(item.price)"))],
  });
  return sampleCallItem(4, call, duration);
}

function message(length: number, isOpen: boolean): ChatItem {
  return { id: 5, kind: "agent", text: sampleMarkdown.slice(0, length), isOpen };
}

const plan = [
  { content: "Look at the project", status: "completed" },
  { content: "Fix the mistake", status: "in_progress" },
  { content: "Run the tests", status: "pending" },
];

const all = sampleMarkdown.length;

/** A turn from its prompt to its end, with two calls at once. */
export const sampleTurn: readonly ChatState[] = [
  emptyState,
  { ...emptyState, items: [user], firstOpen: 1, turn: runningTurn },
  { ...emptyState, items: [user, thought(true)], firstOpen: 1, turn: runningTurn },
  {
    ...emptyState,
    items: [user, thought(false), command(3), edit()],
    firstOpen: 2,
    turn: { ...runningTurn, activity: "npm test" },
    plan,
  },
  {
    ...emptyState,
    items: [user, thought(false), command(30), edit(300)],
    firstOpen: 2,
    turn: { ...runningTurn, activity: "npm test" },
    plan,
    queued: [{ text: "and then say hello", attachments: [] }],
  },
  {
    ...emptyState,
    items: [user, thought(false), command(30, 4_200), edit(300)],
    firstOpen: 4,
    turn: runningTurn,
    plan,
  },
  ...[120, 260, all].map((length) => ({
    ...emptyState,
    items: [user, thought(false), command(30, 4_200), edit(300), message(length, true)],
    firstOpen: 4,
    turn: { ...runningTurn, activity: "Writing" },
    plan,
  })),
  {
    ...emptyState,
    items: [
      user,
      thought(false),
      command(30, 4_200),
      edit(300),
      message(all, false),
      { id: 6, kind: "end", stopReason: "end_turn", duration: 12_300, calls: 2 },
    ],
    firstOpen: 6,
  },
];
