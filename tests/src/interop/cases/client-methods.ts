import { deepStrictEqual as equal } from "node:assert";

import { type CaseContext, type InteropCase, test } from "../interop-case.ts";
import type { Json } from "../json.ts";
import { meta, permissionOptions, updates } from "../../support/samples.ts";
import { scoped } from "../steps.ts";

/** A request of the agent and what the client answers; both must arrive as they were. */
export interface ClientExchange {
  readonly name: string;
  readonly method: string;
  readonly params: Json;
  readonly result: Json;
}

const toolCall = { ...updates["tool_call"] };
const permission = { toolCall, options: permissionOptions };
const terminalId = "terminal-1";

const form: Json = {
  mode: "form",
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    title: "You",
    properties: {
      name: { type: "string", title: "Name", minLength: 1, maxLength: 40, pattern: "^\\w+$", default: "me" },
      mail: { type: "string", format: "email" },
      age: { type: "integer", minimum: 0, maximum: 150, default: 30 },
      size: { type: "number", minimum: 0.5 },
      sure: { type: "boolean", default: false },
      color: { type: "string", enum: ["red", "blue"] },
      tags: { type: "array", minItems: 1, items: { type: "string", enum: ["a", "b"] } },
    },
    required: ["name"],
  },
};
const url: Json = { mode: "url", message: "Log in", elicitationId: "e-1", url: "https://example.com/login" };

const exchanges: readonly ClientExchange[] = [
  ...["a", "b", "c", "d"].map((optionId) => ({
    name: `PERM-04: permission selected ${optionId}`,
    method: "session/request_permission",
    params: permission,
    result: { outcome: { outcome: "selected", optionId, _meta: meta } },
  })),
  {
    name: "PERM-04: permission cancelled",
    method: "session/request_permission",
    params: permission,
    result: { outcome: { outcome: "cancelled" } },
  },
  {
    name: "fs/read_text_file, a part",
    method: "fs/read_text_file",
    params: { path: "/project/a.txt", line: 2, limit: 10 },
    result: { content: "line two\r\nGrüße\n" },
  },
  {
    name: "fs/read_text_file, all of it",
    method: "fs/read_text_file",
    params: { path: "/project/a.txt" },
    result: { content: "" },
  },
  {
    name: "fs/write_text_file",
    method: "fs/write_text_file",
    params: { path: "/project/a.txt", content: "Grüße\n\u0000" },
    result: {},
  },
  {
    name: "terminal/create",
    method: "terminal/create",
    params: {
      command: "make",
      args: ["-j", "2"],
      env: [{ name: "CI", value: "1", _meta: meta }],
      cwd: "/project",
      outputByteLimit: 1024,
    },
    result: { terminalId },
  },
  {
    name: "terminal/output of a running command",
    method: "terminal/output",
    params: { terminalId },
    result: { output: "…", truncated: true },
  },
  {
    name: "terminal/output of an ended command",
    method: "terminal/output",
    params: { terminalId },
    result: { output: "", truncated: false, exitStatus: { exitCode: null, signal: "SIGKILL", _meta: meta } },
  },
  {
    name: "terminal/wait_for_exit",
    method: "terminal/wait_for_exit",
    params: { terminalId },
    result: { exitCode: 4_294_967_295, signal: null },
  },
  { name: "terminal/kill", method: "terminal/kill", params: { terminalId }, result: {} },
  { name: "terminal/release", method: "terminal/release", params: { terminalId }, result: {} },
  {
    name: "elicitation/create, a form that is accepted",
    method: "elicitation/create",
    params: form,
    result: { action: "accept", content: { name: "me", age: 30, size: 1.5, sure: true, tags: ["a", "b"] } },
  },
  {
    name: "elicitation/create, a form that is declined",
    method: "elicitation/create",
    params: form,
    result: { action: "decline" },
  },
  {
    name: "elicitation/create, a URL that is accepted",
    method: "elicitation/create",
    params: url,
    result: { action: "accept" },
  },
  {
    name: "elicitation/create, a URL that is cancelled",
    method: "elicitation/create",
    params: url,
    result: { action: "cancel" },
  },
];

/** Every request and notification of an agent, with custom data in both directions. */
export const clientMethodCases: readonly InteropCase[] = [
  ...exchanges.map(clientExchange),
  test("ELIC-19: elicitation/complete reaches the client", async ({ client, newSession, play }) => {
    const params = { elicitationId: "e-1", _meta: meta };
    client.record.answer("elicitation/create", () => ({ action: "accept" }));
    await play(await newSession(), [
      { call: "elicitation/create", params: url },
      { notify: "elicitation/complete", params },
    ]);
    equal(client.record.paramsOf("elicitation/complete"), [params]);
  }),
];

/** The row of an exchange, with custom data both ways. */
export function clientExchange(exchange: ClientExchange): InteropCase {
  return test(`EXT-01: ${exchange.name}, with custom data both ways`, (context) => run(context, exchange));
}

async function run({ client, newSession, play }: CaseContext, exchange: ClientExchange): Promise<void> {
  const sessionId = await newSession();
  const { method } = exchange;
  const params = { ...exchange.params, _meta: meta };
  const result = { ...exchange.result, _meta: meta };
  client.record.answer(method, () => result);
  const { results } = await play(sessionId, [{ call: method, params }]);
  equal(client.record.paramsOf(method), [scoped(method, sessionId, params)]);
  equal(results, [{ result }]);
}
