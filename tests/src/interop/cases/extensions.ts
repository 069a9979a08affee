import { deepStrictEqual as equal } from "node:assert";

import { desk } from "../agent-desk.ts";
import { eventually } from "../eventually.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { meta } from "../../support/samples.ts";

const payload = { text: "Grüße 🌍", list: [1, null, [true]], nested: { "": {} }, __proto__x: 1, _meta: meta };

/** Methods that the protocol does not know. */
export const extensionCases: readonly InteropCase[] = [
  test("EXT-07: an extension request to the agent", async ({ client, agentLog }) => {
    equal(await client.call(desk.echo, payload), payload);
    equal(await agentLog(), [{ method: desk.echo, params: payload }]);
  }),
  test("EXT-07: an extension request to the client", async ({ client, newSession, play }) => {
    const { results } = await play(await newSession(), [{ call: desk.echo, params: payload }]);
    equal(client.record.paramsOf(desk.echo), [payload]);
    equal(results, [{ result: payload }]);
  }),
  test("EXT-07: an extension notification to the agent", async ({ client, agentLog }) => {
    await client.notify(desk.note, payload);
    // The official SDK may start the handler of a later request before that of an earlier notification.
    const seen = await eventually(async () => {
      const log = await agentLog();
      return log.length === 0 ? undefined : log;
    }, "the notification is logged");
    equal(seen, [{ method: desk.note, params: payload }]);
  }),
  test("EXT-07: an extension notification to the client", async ({ client, newSession, play }) => {
    await play(await newSession(), [{ notify: desk.note, params: payload }, { sleep: 20 }]);
    equal(client.record.paramsOf(desk.note), [payload]);
  }),
  test("EXT-09: unknown notifications are ignored, both ways", async ({ client, newSession, play }) => {
    await client.notify("_interop/unknown", payload);
    await client.notify("$/unknown", payload);
    await client.notify("session/unknown", payload);
    const notes = ["_interop/unknown", "$/unknown", "session/unknown"].map((notify) => ({ notify, params: payload }));
    equal((await play(await newSession(), notes)).stopReason, "end_turn");
    equal(await client.call(desk.echo, { a: 1 }), { a: 1 });
  }),
];
