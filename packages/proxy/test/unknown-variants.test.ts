// What is of an unknown kind arrives on the other side of a proxy as it was sent.
import { expect, test } from "vitest";
import { connect } from "./support/by-hand.ts";

const hologram = { type: "hologram", of: [{ type: "text", text: "a" }] };
const tag = { type: "unknown variant", received: { type: "text", text: "Approved" } };

test.each([
  ["session/update", { update: { sessionUpdate: "_acme/mood", mood: { is: [1, null] } } }],
  ["session/update", { update: { sessionUpdate: "unknown variant", received: { sessionUpdate: "plan" } } }],
  ["session/update", { update: { sessionUpdate: "agent_message", messageId: "m", content: [hologram, tag] } }],
  ["session/request_permission", { title: "May I?", subject: { type: "_host", host: "a" }, options: [] }],
])("createProxy() passes %s on as it is: %j", async (method, more) => {
  const passed: unknown[] = [];
  const { client, agent, close } = connect({
    fromAgent: (message, forward) => {
      passed.push(message.params);
      return forward(message);
    },
  });
  const params = { sessionId: "s", ...more };
  const message = { jsonrpc: "2.0", method, params };
  agent.send(message);
  expect(JSON.stringify(await client.next((one) => one["method"] === method))).toBe(JSON.stringify(message));
  expect(passed).toEqual([params]);
  await close();
});
