import { deepStrictEqual as equal, ok } from "node:assert";

import { desk } from "../agent-desk.ts";
import { failureOf } from "../failure.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";

/** 10 MB of UTF-8 whose characters take one, two and four bytes. */
const large = "aé🌍".repeat(Math.ceil(10_000_000 / 7));

const count = (index: number): Json => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: String(index) },
});

/** Much at once. */
export const loadCases: readonly InteropCase[] = [
  test("a request and an answer of 10 MB, from the client", async ({ client }) => {
    equal((await client.call(desk.echo, { large }))["large"] === large, true);
  }),
  test("a prompt with a text of 10 MB", async ({ agentLog, newSession, play }) => {
    const sessionId = await newSession();
    await agentLog();
    await play(sessionId, [], { content: [{ type: "text", text: large }] });
    const [entry] = await agentLog();
    equal(at(entry?.params, "prompt", 1, "text") === large, true);
  }),
  test("an update of 10 MB", async ({ newSession, play }) => {
    const turn = await play(await newSession(), [{ say: 10_000_000 }, { update: count(1) }]);
    equal(String(at(turn.updates, 0, "content", "text")).length, 10_000_000);
    equal(turn.updates[1], count(1));
  }),
  test("a file of 10 MB read by the agent", async ({ client, newSession, play }) => {
    client.record.answer("fs/read_text_file", () => ({ content: large }));
    const call = { call: "fs/read_text_file", params: { path: "/project/a.txt" } };
    const { results } = await play(await newSession(), [call]);
    equal(at(results[0], "result", "content") === large, true);
  }),
  test(
    "a message over the 32 MiB of the official SDK ends the connection, and nobody waits for ever",
    { apart: true, exitCode: null },
    async ({ client, clientSdk, newSession, play }) => {
      const sessionId = await newSession();
      const tooLarge =
        clientSdk === "toolkit"
          ? client.call(desk.echo, { large: "x".repeat(33 * 1024 * 1024) })
          : play(sessionId, [{ say: 33 * 1024 * 1024 }]);
      ok(await failureOf(tooLarge));
      await client.closed;
    },
  ),
  test("64 requests of the client in flight, answered in any order", async ({ client }) => {
    const calls = Array.from({ length: 64 }, (_, index) => client.call(desk.echo, { index, pad: "x".repeat(index) }));
    const answers = await Promise.all(calls);
    equal(
      answers.map(({ index }) => index),
      Array.from({ length: 64 }, (_, index) => index),
    );
  }),
  test("64 requests of the agent in flight, answered in reverse order", async ({ client, newSession, play }) => {
    const waiting: (() => void)[] = [];
    client.record.answer("fs/read_text_file", async (params) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 64) for (const goOn of waiting.toReversed()) goOn();
      });
      return { content: String(at(params, "_meta", "index")) };
    });
    const call = { call: "fs/read_text_file", params: { path: "/project/a.txt" }, times: 64 };
    const { results } = await play(await newSession(), [call]);
    equal(
      results.map((result) => at(result, "result", "content")),
      Array.from({ length: 64 }, (_, index) => String(index)),
    );
  }),
  test("SESS-03: 20 sessions at once, each with its own updates and questions", async ({
    client,
    newSession,
    play,
  }) => {
    client.record.answer("fs/read_text_file", ({ path }) => ({ content: path }));
    const ids = await Promise.all(Array.from({ length: 20 }, () => newSessionInTurn(newSession)));
    const turns = await Promise.all(
      ids.map((sessionId, session) => {
        const updates = Array.from({ length: 50 }, (_, index) => ({ update: count(session * 1000 + index) }));
        const ask = { call: "fs/read_text_file", params: { path: `/project/${session}` } };
        return play(sessionId, [...updates.slice(0, 25), ask, { sleep: 5 }, ...updates.slice(25)]);
      }),
    );
    for (const [session, turn] of turns.entries()) {
      equal(
        turn.updates,
        Array.from({ length: 50 }, (_, index) => count(session * 1000 + index)),
      );
      equal(turn.results, [{ result: { content: `/project/${session}` } }]);
    }
  }),
];

let opening: Promise<unknown> = Promise.resolve();

/** Sessions are opened one after another, since each answer is arranged beforehand. */
function newSessionInTurn(newSession: () => Promise<string>): Promise<string> {
  const next = opening.then(() => newSession());
  opening = next.catch(() => {});
  return next;
}
