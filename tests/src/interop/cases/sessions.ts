import { deepStrictEqual as equal, notStrictEqual as differ, ok } from "node:assert";

import { eventually } from "../eventually.ts";
import { failureOf } from "../failure.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";
import { configOptions, modes, updates } from "../../support/samples.ts";

const cwd = "/project/project";
const update = (variant: string): Json => ({ sessionUpdate: variant, ...updates[variant] });

const history: readonly Json[] = [
  update("user_message_chunk"),
  update("agent_thought_chunk"),
  update("tool_call"),
  update("tool_call_update"),
  update("plan"),
  update("agent_message_chunk"),
  update("available_commands_update"),
];

/** How sessions are opened, listed, changed and ended. */
export const sessionCases: readonly InteropCase[] = [
  test("SESS-06, SESS-07: session/load replays the whole history before its answer", async ({
    client,
    clientSdk,
    arrange,
    play,
  }) => {
    await arrange("session/load", { result: { modes, configOptions }, updates: history });
    const loaded = await client.call("session/load", { sessionId: "replayed", cwd, mcpServers: [] });
    equal(loaded, { modes, configOptions });
    // The official SDK settles the answer before it has handled the updates that came before it.
    if (clientSdk === "official") {
      await eventually(() => client.record.updatesOf("replayed")[history.length - 1], "the last update");
    }
    equal(client.record.updatesOf("replayed"), history);
    equal((await play("replayed", [{ update: update("plan") }])).updates, [update("plan")]);
  }),
  test("SESS-06: a history of 2,000 updates", async ({ client, clientSdk, arrange }) => {
    const long = Array.from({ length: 2_000 }, (_, index) => ({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: `${index}` },
    }));
    await arrange("session/load", { result: {}, updates: long });
    await client.call("session/load", { sessionId: "long", cwd, mcpServers: [] });
    if (clientSdk === "official") await eventually(() => client.record.updatesOf("long")[1_999], "the last update");
    equal(client.record.updatesOf("long"), long);
  }),
  test("SESS-12: session/resume continues without the history", async ({ client, play }) => {
    equal(await client.call("session/resume", { sessionId: "resumed", cwd }), {});
    equal(client.record.updatesOf("resumed"), []);
    equal((await play("resumed", [{ update: update("plan") }])).updates, [update("plan")]);
  }),
  test("the same session loaded twice on one connection", async ({ client, play }) => {
    for (const _ of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop
      await client.call("session/load", { sessionId: "twice", cwd, mcpServers: [] });
    }
    equal((await play("twice", [])).stopReason, "end_turn");
  }),
  test("SESS-02: sessions without a chosen id get different ones", async ({ client }) => {
    const params = { cwd, mcpServers: [] };
    const [one, other] = [await client.call("session/new", params), await client.call("session/new", params)];
    ok(typeof one["sessionId"] === "string");
    differ(one["sessionId"], other["sessionId"]);
  }),
  test("odd session ids are taken as they are", async ({ client, arrange, play }) => {
    for (const sessionId of ["constructor", "__proto__", "ö/../🌍 ", "0"]) {
      // oxlint-disable-next-line no-await-in-loop
      await arrange("session/new", { result: { sessionId } });
      // oxlint-disable-next-line no-await-in-loop
      await client.call("session/new", { cwd, mcpServers: [] });
      // oxlint-disable-next-line no-await-in-loop
      const turn = await play(sessionId, [{ update: update("plan") }]);
      equal([turn.stopReason, turn.updates], ["end_turn", [update("plan")]]);
    }
  }),
  test("LIST-05, LIST-06: all pages of session/list, with cursors that come back unchanged", async ({
    client,
    arrange,
    agentLog,
  }) => {
    const page = (ids: readonly string[], nextCursor?: string | null): Json => ({
      sessions: ids.map((sessionId) => ({ sessionId, cwd })),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    });
    const pages = [page(["a", "b"], "c1=="), page(["c"], "ü 2"), page([], "c3"), page(["d"], null)];
    for (const result of pages) {
      // oxlint-disable-next-line no-await-in-loop
      await arrange("session/list", { result });
    }
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      // oxlint-disable-next-line no-await-in-loop
      const result = await client.call("session/list", cursor === undefined ? {} : { cursor });
      found.push(...(result["sessions"] as Json[]).map((session) => session["sessionId"]));
      cursor = result["nextCursor"] ?? undefined;
    } while (cursor !== undefined);
    equal(found, ["a", "b", "c", "d"]);
    const cursors = (await agentLog()).map((entry) => at(entry.params, "cursor"));
    equal(cursors, [undefined, "c1==", "ü 2", "c3"]);
  }),
  test("MODE-04, CONF-16: mode and options change while a turn runs", async ({ client, newSession, play }) => {
    const sessionId = await newSession({ modes, configOptions });
    const turn = play(sessionId, [{ sleep: 100 }, { update: update("current_mode_update") }]);
    equal(await client.call("session/set_mode", { sessionId, modeId: "code" }), {});
    const set = { sessionId, configId: "model", value: "large" };
    equal(await client.call("session/set_config_option", set), { configOptions: [] });
    equal((await turn).updates, [update("current_mode_update")]);
  }),
  test(
    "SESS-15: a closed session takes no prompt any more (with the toolkit's agent; the official one leaves it to its author)",
    { only: { agent: "toolkit" } },
    async ({ client, newSession, play }) => {
      const sessionId = await newSession();
      await client.call("session/close", { sessionId });
      equal((await failureOf(play(sessionId, []))).code, -32002);
      await client.call("session/load", { sessionId, cwd, mcpServers: [] });
      equal((await play(sessionId, [])).stopReason, "end_turn");
    },
  ),
  test("updates between turns reach the client", async ({ client, newSession, play }) => {
    const sessionId = await newSession();
    const late = { sessionId, update: update("session_info_update") };
    const other = await newSession();
    await play(other, [{ notify: "session/update", params: late }, { sleep: 20 }]);
    equal(client.record.updatesOf(sessionId), [update("session_info_update")]);
    equal(client.record.updatesOf(other), []);
  }),
  test("CMD-01: updates that an agent sends while it answers session/new reach the client", async ({
    client,
    arrange,
  }) => {
    const announced = update("available_commands_update");
    await arrange("session/new", { result: { sessionId: "announcing" }, updates: [announced, announced] });
    await client.call("session/new", { cwd, mcpServers: [] });
    await eventually(() => client.record.updatesOf("announcing")[1], "both updates");
    equal(client.record.updatesOf("announcing"), [announced, announced]);
  }),
  test("CMD-01: updates that come before the answer of session/new are not lost", async ({
    client,
    newSession,
    arrange,
    play,
  }) => {
    const early = { sessionId: "early", update: update("available_commands_update") };
    // Another session's turn sends it while the new one is not yet known.
    await play(await newSession(), [{ notify: "session/update", params: early }]);
    await arrange("session/new", { result: { sessionId: "early" } });
    await client.call("session/new", { cwd, mcpServers: [] });
    await play("early", [{ sleep: 20 }]);
    equal(client.record.updatesOf("early"), [update("available_commands_update")]);
  }),
];
