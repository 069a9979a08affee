// All examples of updates of both schemas, through the bridge and back.
import { isDeepStrictEqual } from "node:util";
import { validate as validate1 } from "@acp/validators/v1/unstable";
import { validate as validate2 } from "@acp/validators/v2/unstable";
import { describe, expect, test } from "vitest";
import { createUpdatesDown, createUpdatesUp } from "./index.ts";
import { SettingsUp } from "./settings.ts";
import { sent, type Update, updatesOf } from "./testing/examples.ts";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

function createUp() {
  const settings = new SettingsUp();
  settings.open({ modes });
  let count = 0;
  return createUpdatesUp({ settings, newId: () => `new-${++count}` });
}

const text = (value: string): object => ({ type: "text", text: value });
const lines = (changed: number): string =>
  Array.from({ length: 40 }, (_, line) => `${line === changed ? "changed" : "line"} ${line}\n`).join("");

/** What examples leave out. */
const more1: readonly Update[] = [
  { sessionUpdate: "agent_message_chunk", content: text("without an id") },
  { sessionUpdate: "agent_message_chunk", messageId: null, content: { ...text("a"), annotations: { priority: 7 } } },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "long",
    content: [{ type: "diff", path: "/a/b c.ts", oldText: lines(-1), newText: lines(20) }],
  },
  {
    sessionUpdate: "tool_call",
    toolCallId: "new file",
    title: "Write",
    content: [
      { type: "diff", path: "/a/ü.ts", oldText: null, newText: "a\nb" },
      { type: "terminal", terminalId: "t" },
    ],
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "cleared",
    title: null,
    content: null,
    locations: null,
    status: null,
  },
  {
    sessionUpdate: "config_option_update",
    configOptions: [
      { type: "boolean", id: "fast", name: "Fast", currentValue: true },
      {
        type: "select",
        id: "model",
        name: "Model",
        currentValue: "a",
        options: [{ group: "g", name: "G", options: [{ value: "a", name: "A" }] }],
      },
    ],
  },
];

const more2: readonly Update[] = [
  {
    sessionUpdate: "agent_message",
    messageId: "msg_2",
    content: [text("The total is rounded twice. Once is enough.")],
  },
  { sessionUpdate: "agent_message", messageId: "msg_2", content: [text("Something else")] },
  { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "hologram", uri: "a:b" } },
  {
    sessionUpdate: "agent_message_chunk",
    messageId: "m",
    content: {
      type: "resource_link",
      name: "n",
      uri: "file:///a",
      icons: [{ src: "a:b" }],
      annotations: { audience: ["user", "robot"] },
    },
  },
  {
    sessionUpdate: "tool_call_content_chunk",
    toolCallId: "unknown",
    content: { type: "content", content: text("early") },
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "odd",
    kind: "dance",
    status: "paused",
    title: null,
    locations: null,
    capabilities: { cancel: {} },
    content: [
      { type: "hologram" },
      { type: "terminal", terminalId: "term_1" },
      { type: "diff", changes: [{ operation: "modify", path: "/a.png", fileType: "binary" }] },
      { type: "diff", changes: [{ operation: "move", oldPath: "/a", path: "/b" }] },
      { type: "diff", changes: [{ operation: "dance", path: "/b" }], patch: { format: "other", text: "```\n" } },
    ],
  },
  { sessionUpdate: "tool_call_update", toolCallId: "odd", status: "cancelled", content: null },
  { sessionUpdate: "terminal_output_chunk", terminalId: "term_1", data: "AAAA" },
  { sessionUpdate: "state_update", state: "requires_action" },
  {
    sessionUpdate: "plan_update",
    plan: { type: "items", planId: "p", entries: [{ content: "c", priority: "huge", status: "cancelled" }] },
  },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [
      { type: "macro", name: "m", description: "d" },
      { type: "command", name: "c", description: "d", input: { type: "form", fields: [] } },
    ],
  },
  {
    sessionUpdate: "config_option_update",
    configOptions: [
      { type: "slider", configId: "s", name: "S", currentValue: 3 },
      {
        type: "select",
        configId: "model",
        name: "Model",
        currentValue: "a",
        options: [{ groupId: "g", name: "G", options: [{ value: "a", name: "A" }] }],
      },
      {
        type: "select",
        configId: "m",
        name: "Mode",
        category: "mode",
        currentValue: "a",
        options: [{ value: "a", name: "A" }],
      },
    ],
  },
];

const updates1 = [...updatesOf(1), ...more1];
const updates2 = [...updatesOf(2), ...more2];
const name = ({ sessionUpdate, ...rest }: Update): string => `${sessionUpdate} ${JSON.stringify(rest).slice(0, 60)}`;

describe("an update of version 1", () => {
  const up = createUp();
  test.each(updates1.map((update) => [name(update), update]))("is valid in version 2: %s", (_name, update) => {
    expect(validate1("SessionUpdate", update)).toMatchObject({ ok: true });
    const converted = sent(up.convert(update));
    expect(converted).toHaveLength(1);
    for (const one of converted) expect(validate2("SessionUpdate", one)).toEqual({ ok: true });
  });
});

describe("an update of version 2", () => {
  const down = createUpdatesDown();
  test.each(updates2.map((update) => [name(update), update]))("is valid in version 1: %s", (_name, update) => {
    expect(validate2("SessionUpdate", update)).toMatchObject({ ok: true });
    for (const one of sent([...down.convert(update), ...down.flush()]))
      expect(validate1("SessionUpdate", one)).toEqual({ ok: true });
  });
});

/** What becomes of the updates that do not come back as they were, by their kind. */
function losses(updates: readonly Update[], through: (update: Update) => readonly unknown[]): readonly string[] {
  return updates.flatMap((update) => {
    const back = sent(through(update));
    if (back.length === 1 && isDeepStrictEqual(back[0], update)) return [];
    return [`${JSON.stringify(update)} -> ${back.map((one) => JSON.stringify(one)).join(", ")}`];
  });
}

test("what version 1 loses on the way to version 2 and back", async () => {
  const [up, down] = [createUp(), createUpdatesDown()];
  const lost = losses(updates1, (update) => up.convert(update).flatMap((one) => down.convert(sent(one))));
  await expect(lost.join("\n\n")).toMatchFileSnapshot("testing/lost-1-2-1.txt");
});

test("what version 2 loses on the way to version 1 and back", async () => {
  const [up, down] = [createUp(), createUpdatesDown()];
  const lost = losses(updates2, (update) => {
    const converted = [...down.convert(update), ...down.flush()];
    return converted.flatMap((one) => up.convert(sent(one)));
  });
  await expect(lost.join("\n\n")).toMatchFileSnapshot("testing/lost-2-1-2.txt");
});
