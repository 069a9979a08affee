import { deepStrictEqual as equal } from "node:assert";

import { unknownUpdate } from "../../client-record.ts";
import { type InteropCase, test } from "../../interop-case.ts";
import { at, type Json } from "../../json.ts";
import { plans, unstableUpdates } from "../../../support/samples-unstable.ts";
import { storyCases } from "../story.ts";

const text = (value: string): Json => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: value },
});
const all = [
  ...Object.entries(unstableUpdates).map(([sessionUpdate, members]) => ({ sessionUpdate, ...members })),
  ...Object.values(plans).map((plan) => ({ sessionUpdate: "plan_update", plan })),
];
const steps = [text("before"), ...all, text("after")].map((update) => ({ update }));

/** One side is written with the unstable entry of its SDK, the other one with the stable entry. */
export const mixedCases: readonly InteropCase[] = [
  ...(["client", "agent"] as const).flatMap((side) =>
    storyCases.map((row): InteropCase => ({
      ...row,
      name: `${row.name} (with a stable ${side})`,
      entries: { [side]: "stable" },
    })),
  ),
  test(
    "UPD-07: unstable variants arrive at a stable client as unknown ones, and its turn continues",
    { only: { client: "toolkit" }, entries: { client: "stable" } },
    async ({ client, newSession, play }) => {
      const turn = await play(await newSession(), steps);
      equal([turn.stopReason, turn.updates], ["end_turn", [text("before"), ...all, text("after")]]);
      equal(client.record.paramsOf(unknownUpdate), all);
    },
  ),
  test(
    "UPD-07: an unstable client knows them, also from an agent of a stable SDK",
    { only: { client: "toolkit" }, entries: { agent: "stable" } },
    async ({ client, newSession, play }) => {
      const turn = await play(await newSession(), steps);
      equal([turn.stopReason, turn.updates], ["end_turn", [text("before"), ...all, text("after")]]);
      equal(client.record.paramsOf(unknownUpdate), []);
    },
  ),
  test(
    "RPC-07/client, EXT-09/client: a stable client answers a request for its servers with -32601, and ignores the state of the login",
    { entries: { client: "stable" } },
    async ({ client, newSession, play }) => {
      const { stopReason, results, updates } = await play(await newSession(), [
        { notify: "auth/status_update", params: { state: "authenticated" } },
        { call: "mcp/message", params: { serverId: "tools", requestId: "1", method: "tools/list" } },
        { update: text("on") },
      ]);
      equal([stopReason, at(results[0], "failure", "code"), updates], ["end_turn", -32601, [text("on")]]);
      equal(client.record.messages, []);
    },
  ),
  test(
    "INIT-19: a stable agent and an unstable client ignore unknown capabilities of the other",
    { entries: { agent: "stable" } },
    async ({ client, newSession, play }) => {
      equal(client.details.protocolVersion, 1);
      equal((await play(await newSession(), [{ update: text("on") }])).updates, [text("on")]);
    },
  ),
];
