/**
 * What the types of the toolkit refuse is refused in strict mode as well where nobody looks at types: before it is
 * written, and with a word about what is wrong.
 */
import { createAgent, createClient } from "@acp/core";
import { strictValidator } from "@acp/validators/v1/strict";
import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";

const info = { name: "strict", version: "1.0.0" };
const done = { stopReason: "end_turn" } as const;
const text = { type: "text", text: "hi" };
const image = { type: "image", mimeType: "image/png" };
const form = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
const nested = { address: { type: "object", properties: {} } };
const option = { optionId: "a", name: "A", kind: "allow_once" };
const question = { toolCall: { toolCallId: "c" }, options: [option] };

describe("an agent", () => {
  const update = "session/update";

  test.each([
    [
      "EXT-02, CHK-07",
      update,
      { sessionUpdate: "agent_message_chunk", content: text, colour: "red" },
      "/update/colour",
    ],
    ["CHK-07, UPD-06", update, { sessionUpdate: "usage_update", used: -1, size: 10 }, "/update/used"],
    ["UPD-06", update, { sessionUpdate: "usage_update", used: 1 }, "/update/size"],
    ["CONT-03", update, { sessionUpdate: "agent_message_chunk", content: { ...image, data: "a b" } }, "/content/data"],
    ["NOTC-02", update, { sessionUpdate: "notice", severity: "info", title: "" }, "/update/title"],
    ["NOTC-02", update, { sessionUpdate: "notice", title: "T" }, "/update/severity"],
    [
      "PLAN-06",
      update,
      { sessionUpdate: "plan", entries: [{ content: "x", status: "pending" }] },
      "/entries/0/priority",
    ],
    ["TOOL-02", update, { sessionUpdate: "tool_call", title: "T" }, "/update/toolCallId"],
    ["TOOL-03", update, { sessionUpdate: "tool_call", toolCallId: "c", title: "T", kind: "ponder" }, "/update/kind"],
    [
      "TOOL-04",
      update,
      { sessionUpdate: "tool_call", toolCallId: "c", title: "T", status: "running" },
      "/update/status",
    ],
    [
      "TOOL-09",
      update,
      { sessionUpdate: "tool_call", toolCallId: "c", title: "T", content: [text] },
      "/update/content/0",
    ],
    ["LIST-13", update, { sessionUpdate: "session_info_update", cwd: "/elsewhere" }, "/update/cwd"],
    ["UPD-03", update, { sessionUpdate: "agent_message_chunk", content: "hi" }, "/update/content"],
    [
      "PERM-03",
      "session/request_permission",
      { ...question, options: [{ ...option, kind: "yes" }] },
      "/options/0/kind",
    ],
    ["PERM-02", "session/request_permission", { options: [option] }, "/toolCall"],
    ["ELIC-04", "elicitation/create", { ...form, mode: undefined }, "/mode"],
    [
      "ELIC-06",
      "elicitation/create",
      { ...form, requestedSchema: { type: "object", properties: nested } },
      "/properties",
    ],
  ])("%s: gets an error, and sends nothing, for %s with %j", async (_rules, method, members, place) => {
    let caught: unknown;
    const peer = await rawClient(
      createAgent({
        info,
        validate: strictValidator,
        handlers: {
          "session/prompt": async ({ sessionId }, { turn, client }) => {
            const sending: Promise<unknown> =
              method === update
                ? turn.update(members as never)
                : client.request(method as "session/request_permission", { sessionId, ...members } as never);
            caught = await sending.catch((error: unknown) => error);
            return done;
          },
        },
      }),
    );
    const everything = { session: { notices: {} }, elicitation: { form: {} } };
    expect((await peer.prompt(await peer.open(everything))).result).toEqual(done);
    expect(caught).toMatchObject({ code: "usage", message: expect.stringContaining(place) });
    expect(peer.calls(method)).toEqual([]);
  });

  test("PROM-10: answers a prompt with no stop reason but those of the protocol", async () => {
    const handlers = { "session/prompt": () => ({ stopReason: "bored" }) as never };
    const peer = await rawClient(createAgent({ info, validate: strictValidator, handlers }));
    expect((await peer.prompt(await peer.open())).error?.code).toBe(-32603);
    expect(peer.lines.join("")).not.toContain("bored");
  });
});

describe("a client", () => {
  test.each([
    ["EXT-02, CHK-07", "session/prompt", { prompt: [text], model: "x" }, "/model"],
    ["EXT-02, CHK-07", "session/prompt", { prompt: [{ ...text, colour: "red" }] }, "/prompt/0/colour"],
    ["CONT-03", "session/prompt", { prompt: [{ ...image, data: "a b" }] }, "/prompt/0/data"],
    ["CONT-01", "session/prompt", { prompt: [{ type: "image", data: "AAEC" }] }, "/prompt/0/mimeType"],
    ["PROM-02", "session/prompt", { prompt: "hi" }, "/prompt"],
    ["CHK-07", "_acp/unknown", undefined, undefined],
  ])("%s: gets an error, and sends nothing, for %s with %j", async (_rules, method, members, place) => {
    const { peer, agent } = await rawAgent(createClient({ info, validate: strictValidator }), {
      initialize: { protocolVersion: 1, agentCapabilities: { promptCapabilities: { image: true } } },
      "_acp/unknown": {},
    });
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const sending = agent.request(method as "session/prompt", { sessionId, ...members } as never);
    // Extensions are nobody's to judge.
    if (place === undefined) return expect(await sending).toEqual({});
    await expect(sending).rejects.toMatchObject({ code: "usage", message: expect.stringContaining(place) });
    await peer.settle();
    return expect(peer.calls(method)).toEqual([]);
  });

  test.each([
    ["EXT-02", { outcome: { outcome: "cancelled" }, reason: "no" }, "reason"],
    ["PERM-04", { outcome: { outcome: "perhaps" } }, "perhaps"],
  ])("%s: answers no question with %j", async (_rule, answer, wrong) => {
    const handlers = { "session/request_permission": () => answer as never };
    const { peer, agent } = await rawAgent(createClient({ info, validate: strictValidator, handlers }));
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const refused = await peer.call("session/request_permission", { sessionId, ...question });
    expect([refused.error?.code, peer.lines.join("").includes(wrong)]).toEqual([-32603, false]);
  });
});
