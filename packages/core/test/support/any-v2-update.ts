import type { Received } from "@acp/schema/v2/types";
import * as fc from "fast-check";
import { block, idle } from "../../src/state/v2/testing/updates.ts";

/** Few ids, so that many updates are of the same item. */
export const ids: fc.Arbitrary<string> = fc.constantFrom("a", "b", "__proto__", "");
export const text: fc.Arbitrary<string> = fc.string({ maxLength: 4 });
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constantFrom(null, undefined));
export const blocks: fc.Arbitrary<ReturnType<typeof block>> = text.map(block);
const toolContent = blocks.map((content) => ({ type: "content", content }) as const);
const data = text.map((value) => Buffer.from(value).toString("base64"));
const capabilities = fc.constantFrom({}, { cancel: {} });
const messageKinds = fc.constantFrom("user_message", "agent_message", "agent_thought");
const chunkKinds = fc.constantFrom("user_message_chunk", "agent_message_chunk", "agent_thought_chunk");
const entries: fc.Arbitrary<Received.PlanEntry> = text.map((content) => ({
  content,
  priority: "low",
  status: "pending",
}));
const commands: fc.Arbitrary<Received.AvailableCommand> = text.map((name) => ({
  type: "command",
  name,
  description: "",
}));
const options: fc.Arbitrary<Received.SessionConfigOption> = fc
  .boolean()
  .map((currentValue) => ({ type: "boolean", configId: "a", name: "A", currentValue }));

/** The updates that an agent replays: all but notices. */
export const anyUpdate: fc.Arbitrary<Received.SessionUpdate> = fc.oneof(
  fc.record({ sessionUpdate: messageKinds, messageId: ids, content: nullable(fc.array(blocks, { maxLength: 2 })) }),
  { weight: 3, arbitrary: fc.record({ sessionUpdate: chunkKinds, messageId: ids, content: blocks }) },
  {
    weight: 3,
    arbitrary: fc.record({
      sessionUpdate: fc.constant("tool_call_update"),
      toolCallId: ids,
      title: nullable(text),
      name: nullable(text),
      kind: nullable(fc.constantFrom("read", "_own")),
      status: nullable(fc.constantFrom("pending", "in_progress", "paused", "completed", "failed", "_own")),
      content: nullable(fc.array(toolContent, { maxLength: 2 })),
      locations: nullable(fc.constantFrom<Received.ToolCallLocation[]>([], [{ path: "/a" }])),
      rawInput: nullable(fc.nat()),
      capabilities: nullable(capabilities),
    }),
  },
  fc.record({ sessionUpdate: fc.constant("tool_call_content_chunk"), toolCallId: ids, content: toolContent }),
  fc.record({
    sessionUpdate: fc.constant("terminal_update"),
    terminalId: ids,
    command: nullable(text),
    output: nullable(data.map((value) => ({ data: value }))),
    exitStatus: nullable(fc.constant({ exitCode: 0 })),
    capabilities: nullable(capabilities),
  }),
  fc.record({ sessionUpdate: fc.constant("terminal_output_chunk"), terminalId: ids, data }),
  fc.record({
    sessionUpdate: fc.constant("plan_update"),
    plan: fc.record({ type: fc.constant("items"), planId: ids, entries: fc.array(entries, { maxLength: 2 }) }),
  }),
  fc.record({
    sessionUpdate: fc.constant("compaction_update"),
    compactionId: ids,
    status: fc.constantFrom("in_progress", "completed", "failed"),
    summary: nullable(fc.array(blocks, { maxLength: 2 })),
    error: nullable(text),
  }),
  fc.record({ sessionUpdate: fc.constant("compaction_summary_chunk"), compactionId: ids, content: blocks }),
  fc.record({ sessionUpdate: fc.constant("session_info_update"), title: nullable(text) }),
  fc.record({
    sessionUpdate: fc.constant("usage_update"),
    used: fc.nat(),
    size: fc.nat(),
    cost: nullable(fc.constant({ amount: 1, currency: "EUR" })),
  }),
  fc.record({
    sessionUpdate: fc.constant("available_commands_update"),
    availableCommands: fc.array(commands, { maxLength: 2 }),
  }),
  fc.record({ sessionUpdate: fc.constant("config_option_update"), configOptions: fc.array(options, { maxLength: 2 }) }),
  fc.record({
    sessionUpdate: fc.constant("state_update"),
    state: fc.constantFrom("running", "requires_action"),
    background: nullable(fc.array(ids.map((toolCallId) => ({ type: "tool_call" as const, toolCallId })))),
  }),
  fc.constant(idle()),
);
