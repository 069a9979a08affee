import { deepStrictEqual as equal, ok } from "node:assert";

import { desk } from "../agent-desk.ts";
import { failureOf } from "../failure.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";
import { wholeAgent, wholeClient } from "../profile.ts";

const text = (value: string): Json => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: value },
});
const strange = { teleport: { to: "mars" } };

/** What a newer or a sloppy peer may send. The official SDK strips or drops some of it; it must not break. */
export const toleranceCases: readonly InteropCase[] = [
  ...[
    { what: "an unknown variant", update: { sessionUpdate: "_acme_mood", mood: "good", nested: [1] } },
    { what: "a variant of a later version", update: { sessionUpdate: "state_update", state: "idle" } },
    { what: "a known variant with a wrong payload", update: { sessionUpdate: "tool_call", title: 5 } },
    { what: "a message of an unknown kind of content", update: { ...text("x"), content: { type: "_x", x: 1 } } },
  ].map(({ what, update }) =>
    test(
      // The toolkit's agent refuses to send the others.
      `UPD-07: ${what} does not disturb the turn (the official client drops it)`,
      { only: update["sessionUpdate"] === "_acme_mood" ? undefined : { agent: "official" } },
      async ({ clientSdk, newSession, play }) => {
        const turn = await play(await newSession(), [{ update: text("a") }, { update }, { update: text("b") }]);
        equal(turn.updates, clientSdk === "toolkit" ? [text("a"), update, text("b")] : [text("a"), text("b")]);
      },
    ),
  ),
  test("unknown members of updates survive (the official client strips them)", async ({
    clientSdk,
    newSession,
    play,
  }) => {
    const update = { ...text("a"), ...strange };
    equal((await play(await newSession(), [{ update }])).updates, [clientSdk === "toolkit" ? update : text("a")]);
  }),
  test("unknown members of params survive (the official agent strips them)", async ({ client, agentSdk, agentLog }) => {
    const params = { cwd: "/project", mcpServers: [] };
    await client.call("session/new", { ...params, ...strange });
    equal((await agentLog())[0]?.params, agentSdk === "toolkit" ? { ...params, ...strange } : params);
  }),
  test("unknown members of a request to the client survive (the official client strips them)", async ({
    client,
    clientSdk,
    newSession,
    play,
  }) => {
    const sessionId = await newSession();
    client.record.answer("fs/read_text_file", () => ({ content: "x", ...strange }));
    const params = { path: "/project/a.txt", ...strange };
    const { results } = await play(sessionId, [{ call: "fs/read_text_file", params }]);
    const seen = clientSdk === "toolkit" ? { sessionId, ...params } : { sessionId, path: "/project/a.txt" };
    equal(client.record.paramsOf("fs/read_text_file"), [seen]);
    equal(results, [{ result: { content: "x", ...strange } }]);
  }),
  test("unknown members of results survive", async ({ client, arrange }) => {
    const result = { sessions: [{ sessionId: "a", cwd: "/project", ...strange }], ...strange };
    await arrange("session/list", { result });
    equal(await client.call("session/list", {}), result);
  }),
  test(
    "INIT-19: unknown capabilities and members survive initialize (the official agent strips the client's)",
    {
      agent: {
        ...wholeAgent,
        capabilities: { ...wholeAgent.capabilities, ...strange },
      },
      client: { ...wholeClient, ...strange },
    },
    async ({ client, agentSdk }) => {
      equal(client.details.agentCapabilities, { ...wholeAgent.capabilities, ...strange });
      const seen = at(await client.call(desk.peer, {}), "capabilities");
      if (agentSdk === "toolkit") equal(seen, { ...wholeClient, ...strange });
      else ok(at(seen, "terminal") === true);
    },
  ),
  test(
    "COMPAT-02/client: an undecodable item of a list is skipped (by the toolkit's client; the official one passes it on)",
    { only: { agent: "official" } },
    async ({ client, clientSdk, arrange }) => {
      const good = { sessionId: "a", cwd: "/project" };
      await arrange("session/list", { result: { sessions: [{ cwd: 5 }, good] } });
      const { sessions } = await client.call("session/list", {});
      equal(sessions, clientSdk === "toolkit" ? [good] : [{ cwd: 5 }, good]);
    },
  ),
  test(
    "COMPAT-01/client: an undecodable optional member counts as absent (from the official agent; the toolkit's does not send it)",
    { only: { agent: "official" } },
    async ({ newSession, play }) => {
      const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "T", kind: 5, locations: "none" };
      const { updates } = await play(await newSession(), [{ update }, { update: text("b") }]);
      equal([at(updates, 0, "toolCallId"), at(updates, 0, "title")], ["c", "T"]);
      ok(at(updates, 0, "kind") !== 5);
      equal(updates[1], text("b"));
    },
  ),
  test(
    "COMPAT-03/agent: mcpServers null reads as an empty list, without an error (the toolkit's client does not send it)",
    { only: { client: "official" } },
    async ({ client, agentLog }) => {
      await client.call("session/new", { cwd: "/project", mcpServers: null });
      equal(at((await agentLog())[0]?.params, "mcpServers"), []);
    },
  ),
  test("CONF-12: an option of unknown type does not hide the others (the official client passes it on)", async ({
    client,
    clientSdk,
    arrange,
  }) => {
    const known = { type: "boolean", id: "web", name: "Web", currentValue: true };
    const configOptions = [{ type: "_slider", id: "x", name: "X", currentValue: 3 }, known];
    await arrange("session/new", { result: { sessionId: `odd-${clientSdk}`, configOptions } });
    const result = await client.call("session/new", { cwd: "/project", mcpServers: [] });
    equal(result["configOptions"], clientSdk === "toolkit" ? [known] : configOptions);
  }),
  test(
    "AUTH-02/client: a login method of unknown type does not break initialize (from the official agent)",
    {
      only: { agent: "official" },
      agent: {
        ...wholeAgent,
        authMethods: [...wholeAgent.authMethods, { type: "_magic", id: "m", name: "M" } as never],
      },
    },
    async ({ client }) => {
      equal(client.details.protocolVersion, 1);
      equal(at(client.details.authMethods, 0), wholeAgent.authMethods[0]);
      const unknown = at(client.details.authMethods, wholeAgent.authMethods.length);
      equal(JSON.parse(JSON.stringify(unknown)), { type: "_magic", id: "m", name: "M" });
    },
  ),
  test(
    "PERM-04: an unknown outcome does not approve (for the toolkit's agent; the official one passes it on)",
    { only: { agent: "toolkit" } },
    async ({ client, newSession, play }) => {
      client.record.answer("session/request_permission", () => ({ outcome: { outcome: "maybe", optionId: "a" } }));
      const params = { toolCall: { toolCallId: "c" }, options: [{ optionId: "a", name: "A", kind: "allow_once" }] };
      const { results } = await play(await newSession(), [{ call: "session/request_permission", params }]);
      equal(at(results[0], "failure", "code"), "protocol_violation");
    },
  ),
  test(
    "PROM-10: an unknown stop reason is refused (by the toolkit's client; the official one passes it on)",
    { only: { client: "toolkit" } },
    async ({ newSession, play }) => {
      equal((await failureOf(play(await newSession(), [{ stop: "bored" }]))).code, "protocol_violation");
    },
  ),
];
