import { deepStrictEqual as equal } from "node:assert";

import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";

const form = (properties: Json, more: Json = {}): Json => ({
  mode: "form",
  message: "Please",
  requestedSchema: { type: "object", properties, ...more },
});

/** Forms that both sides must be able to read. */
const forms: Readonly<Record<string, Json>> = {
  "no property": form({}),
  "titled choices": form({
    c: {
      type: "string",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "b", title: "Blue" },
      ],
    },
  }),
  "several titled choices": form({
    c: { type: "array", items: { anyOf: [{ const: "r", title: "Red" }] }, maxItems: 1, default: ["r"] },
  }),
  "every format": form({
    a: { type: "string", format: "email" },
    b: { type: "string", format: "uri" },
    c: { type: "string", format: "date" },
    d: { type: "string", format: "date-time" },
  }),
  "a title and required properties": form(
    { a: { type: "boolean", title: "Sure?", description: "Really", default: true } },
    { required: ["a"], title: "T", description: "D" },
  ),
};

/** Questions of an agent to its user, beyond what the tables of methods show. */
export const elicitationCases: readonly InteropCase[] = [
  ...Object.entries(forms).map(([what, params]) =>
    test(`ELIC-06: a form with ${what} arrives whole`, async ({ client, newSession, play }) => {
      const sessionId = await newSession();
      client.record.answer("elicitation/create", () => ({ action: "accept", content: {} }));
      const { results } = await play(sessionId, [{ call: "elicitation/create", params }]);
      equal(client.record.paramsOf("elicitation/create"), [{ sessionId, ...params }]);
      equal(results, [{ result: { action: "accept", content: {} } }]);
    }),
  ),
  test("ELIC-05: a question that belongs to a request instead of a session", async ({ client, newSession, play }) => {
    client.record.answer("elicitation/create", () => ({ action: "decline" }));
    for (const requestId of [7, "seven", 0]) {
      client.record.messages.length = 0;
      const params = { ...form({}), requestId };
      // oxlint-disable-next-line no-await-in-loop
      const { results } = await play(await newSession(), [{ call: "elicitation/create", params }]);
      equal(client.record.paramsOf("elicitation/create"), [params]);
      equal(results, [{ result: { action: "decline" } }]);
    }
  }),
  test("ELIC-21: elicitation/complete of ids that nobody knows is ignored", async ({ newSession, play }) => {
    const notes = ["e-1", "", "e-1"].map((elicitationId) => ({
      notify: "elicitation/complete",
      params: { elicitationId },
    }));
    equal((await play(await newSession(), notes)).stopReason, "end_turn");
  }),
  test("ELIC-31: a property of unknown type arrives whole", async ({ client, newSession, play }) => {
    const sessionId = await newSession();
    client.record.answer("elicitation/create", () => ({ action: "cancel" }));
    const params = form({ a: { type: "_slider", from: 1 }, b: { type: "string" } });
    const { results } = await play(sessionId, [{ call: "elicitation/create", params }]);
    equal(results, [{ result: { action: "cancel" } }]);
    const seen = client.record.paramsOf("elicitation/create")[0];
    equal(at(seen, "requestedSchema", "properties", "b"), { type: "string" });
  }),
  test("ELIC-32: an unknown action reaches the agent as it is, not as one it knows", async ({
    client,
    newSession,
    play,
  }) => {
    client.record.answer("elicitation/create", () => ({ action: "_later", until: "noon" }));
    const { results } = await play(await newSession(), [{ call: "elicitation/create", params: form({}) }]);
    const action = at(results[0], "result", "action");
    equal(["accept", "decline", "cancel"].includes(String(action)), false);
  }),
];
