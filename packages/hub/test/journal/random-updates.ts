import fc from "fast-check";

const text = fc.constantFrom("a", "b ", "", "é\n");
export const id: fc.Arbitrary<string> = fc.constantFrom("1", "2", "3");
const meta = fc.option(fc.constantFrom<object>({ x: 1 }, { y: null }), { nil: undefined, freq: 8 });
const contents = fc.array(
  text.map((one) => ({ type: "content", content: { type: "text", text: one } })),
  { maxLength: 2 },
);

/** An object of some of these members. */
function some(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc
    .record(members, { requiredKeys: [] })
    .map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)));
}

function kind(
  sessionUpdate: string,
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<object> {
  return fc
    .tuple(fc.record(required), some({ ...optional, _meta: meta }))
    .map(([a, b]) => ({ sessionUpdate, ...a, ...b }));
}

const block = fc.oneof(
  text.map((one) => ({ type: "text", text: one })),
  fc.constant({ type: "image", data: "", mimeType: "image/png" }),
);
const status = fc.constantFrom("pending", "in_progress", "completed", "failed");
const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 });
const common = [
  kind("available_commands_update", {
    availableCommands: fc.array(fc.record({ name: id, description: text }), { maxLength: 2 }),
  }),
  kind("config_option_update", { configOptions: fc.constant([]) }),
  kind("session_info_update", {}, { title: nullable(text) }),
  kind("notice", { severity: fc.constant("info"), message: text }),
  kind("plan_removed", { planId: id }),
  kind("something_new", { x: id }),
];
const usage = { used: fc.nat(9), size: fc.nat(9) };
const callMembers = { title: nullable(text), status: nullable(status), content: nullable(contents), rawOutput: text };

export const v1Update: fc.Arbitrary<object> = fc.oneof(
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((one) =>
    kind(one, { content: block }, { messageId: nullable(id) }),
  ),
  kind("tool_call", { toolCallId: id, title: text }, { status, content: contents }),
  kind("tool_call_update", { toolCallId: id }, callMembers),
  kind("tool_call_update", { toolCallId: id }, { status }),
  kind("plan", {
    entries: fc.array(fc.record({ content: text, priority: fc.constant("low"), status: fc.constant("pending") }), {
      maxLength: 2,
    }),
  }),
  kind("current_mode_update", { currentModeId: id }),
  kind("usage_update", usage, { cost: nullable(fc.constant({ amount: 1, currency: "EUR" })) }),
  ...common,
);

export const v2Update: fc.Arbitrary<object> = fc.oneof(
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((one) =>
    kind(one, { content: block, messageId: id }),
  ),
  kind("agent_message", { messageId: id }, { content: nullable(fc.array(block, { maxLength: 2 })) }),
  kind("tool_call_update", { toolCallId: id }, callMembers),
  kind("tool_call_content_chunk", {
    toolCallId: id,
    content: fc.constantFrom({ type: "content", content: { type: "text", text: "+" } }),
  }),
  kind(
    "terminal_update",
    { terminalId: id },
    { command: nullable(text), output: nullable(fc.constant({ data: "YQ==" })) },
  ),
  kind("terminal_output_chunk", { terminalId: id, data: fc.constantFrom("Yg==", "Yw==") }),
  kind("plan_update", { plan: fc.record({ type: fc.constant("items"), planId: id, entries: fc.constant([]) }) }),
  kind("usage_update", usage, { cost: nullable(fc.constant({ amount: 1, currency: "EUR" })) }),
  ...common,
);
