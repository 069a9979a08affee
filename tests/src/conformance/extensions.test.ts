import { createAgent, createClient, extend, request, v1 } from "@acp/core";
import { childTrace, readTrace, withTrace } from "@acp/core/trace";
import { describe, expect, test } from "vitest";

import { meta } from "../support/samples.ts";
import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/** Of another span of the same trace. */
const sameTrace = /^00-0af7651916cd43dd8448eb211c80319c-[\da-f]{16}-01$/u;
const advertised = { _meta: { "example.com": { rewind: true } } };

describe("an agent", () => {
  test("EXT-01, CHK-10: reads custom data and sends its own, and reads null as none", async () => {
    const seen: unknown[] = [];
    const peer = await rawClient(
      agentThat(
        async ({ prompt, _meta }, { turn }) => {
          seen.push(_meta ?? null, prompt[0]?._meta ?? null);
          await turn.update({ sessionUpdate: "session_info_update", title: "T", _meta: meta });
          return { ...done, _meta: meta };
        },
        {
          "session/new": ({ _meta }, { session }) => {
            seen.push(_meta, session.meta);
            return { sessionId: session.id, _meta: meta };
          },
        },
      ),
    );
    await peer.initialize();
    const opened = await peer.call("session/new", { cwd: "/project", mcpServers: [], _meta: meta });
    const prompt = [{ type: "text", text: "hi", _meta: meta }];
    const { sessionId } = opened.result;
    const answer = await peer.call("session/prompt", { sessionId, prompt, _meta: null });
    expect(seen).toEqual([meta, meta, null, meta]);
    expect([opened.result._meta, answer.result._meta, peer.updates[0]?.["_meta"]]).toEqual([meta, meta, meta]);
  });

  test("EXT-07, EXT-08: offers and calls methods of its own, and answers unknown ones -32601", async () => {
    const peer = await rawClient(
      agentThat(
        async (_, { client, turn }) => {
          await turn.message(String(await client.request("_pick", { from: 3 })));
          await client.notify("_picked", {});
          return done;
        },
        { _echo: (params: unknown) => params },
      ),
    );
    peer.answerAlways({ _pick: () => ["two"] });
    const sessionId = await peer.open();
    expect(await peer.call("_echo", { a: [1] }, "own-id")).toMatchObject({ id: "own-id", result: { a: [1] } });
    expect(await peer.call("_nothing", {}, "other-id")).toMatchObject({ id: "other-id", error: { code: -32601 } });
    await peer.prompt(sessionId);
    expect([peer.calls("_pick")[0]?.params, peer.calls("_picked").length]).toEqual([{ from: 3 }, 1]);
  });

  test("EXT-04: sends trace context by its names in _meta, and reads it there", async () => {
    const peer = await rawClient(
      agentThat(async ({ _meta }, { client }) => {
        const trace = childTrace(readTrace(_meta));
        await client.request("_work", { _meta: withTrace(trace, { more: 1 }) });
        return done;
      }),
    );
    peer.answerAlways({ _work: {} });
    const sessionId = await peer.open();
    await peer.call("session/prompt", { sessionId, prompt: [], _meta: { traceparent, tracestate: "a=1" } });
    const { _meta } = peer.calls("_work")[0]?.params ?? {};
    expect(_meta).toEqual({ traceparent: expect.stringMatching(sameTrace), tracestate: "a=1", more: 1 });
    expect(_meta.traceparent).not.toBe(traceparent);
  });

  test("EXT-09: ignores notifications that it does not know", async () => {
    const peer = await rawClient(agentThat());
    const sessionId = await peer.open();
    for (const method of ["_unknown", "unknown", "session/unknown"]) peer.notify(method, { sessionId });
    expect((await peer.prompt(sessionId)).result).toEqual(done);
    expect(peer.received).toHaveLength(3);
  });

  test("EXT-10: advertises extensions with its capabilities, and sees those of its client", async () => {
    let seen: unknown;
    const peer = await rawClient(
      agentThat(
        (_, { client }) => {
          seen = client.capabilities._meta;
          return done;
        },
        {},
        advertised,
      ),
    );
    expect((await peer.initialize(advertised)).result.agentCapabilities._meta).toEqual(advertised._meta);
    await peer.prompt(await peer.newSession());
    expect(seen).toEqual(advertised._meta);
  });
});

describe("a client", () => {
  test("EXT-01, CHK-10: sends custom data and reads the agent's, and reads null as none", async () => {
    const { peer, agent } = await rawAgent(clientWith(), {
      "session/new": { sessionId: "session-1", _meta: meta },
      _x: {},
    });
    const session = await agent.newSession({ cwd: "/project", _meta: meta });
    expect([peer.calls("session/new")[0]?.params._meta, session.meta]).toEqual([meta, meta]);
    const turn = session.prompt([{ type: "text", text: "hi", _meta: meta }], { _meta: meta });
    const prompt = await peer.next("session/prompt");
    expect([prompt.params._meta, prompt.params.prompt[0]._meta]).toEqual([meta, meta]);
    const update = { sessionUpdate: "session_info_update", title: "T", _meta: meta };
    peer.notify("session/update", { sessionId: session.id, update });
    peer.notify("session/update", { sessionId: session.id, update: { ...update, _meta: null } });
    peer.reply(prompt, { ...done, _meta: meta });
    expect((await collect(turn.updates)).map((each) => ("_meta" in each ? each._meta : undefined))).toEqual([
      meta,
      null,
    ]);
    expect((await turn.response)._meta).toEqual(meta);
  });

  test("EXT-07, EXT-08: offers and calls methods of its own, and answers unknown ones -32601", async () => {
    const { peer, agent } = await rawAgent(clientWith({ _echo: (params: unknown) => params }), { _pick: ["two"] });
    expect(await peer.call("_echo", { a: [1] }, "own-id")).toMatchObject({ id: "own-id", result: { a: [1] } });
    expect(await peer.call("_nothing", {}, "other-id")).toMatchObject({ id: "other-id", error: { code: -32601 } });
    expect(await agent.request("_pick", { from: 3 })).toEqual(["two"]);
    await agent.notify("_picked", {});
    await peer.settle();
    expect([peer.calls("_pick")[0]?.params, peer.calls("_picked").length]).toEqual([{ from: 3 }, 1]);
  });

  test("EXT-04: sends trace context by its names in _meta, and reads it there", async () => {
    const seen: unknown[] = [];
    const { peer, agent } = await rawAgent(
      clientWith({
        _work: ({ _meta }: { readonly _meta: object }) => {
          seen.push(readTrace(_meta as never)?.traceparent);
          return {};
        },
      }),
      { "session/prompt": done },
    );
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt("hi", { _meta: withTrace({ traceparent, baggage: "a=1" }, { more: 1 }) }).response;
    expect(peer.calls("session/prompt")[0]?.params._meta).toEqual({ traceparent, baggage: "a=1", more: 1 });
    await peer.call("_work", { _meta: { traceparent } });
    expect(seen).toEqual([traceparent]);
  });

  test("EXT-09: ignores notifications that it does not know", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    for (const method of ["_unknown", "unknown", "session/unknown"]) peer.notify(method, { sessionId: "s" });
    expect((await agent.newSession({ cwd: "/project" })).id).toBe("session-1");
    expect(peer.received).toHaveLength(2);
  });

  test("EXT-10: advertises extensions with its capabilities, and sees those of its agent", async () => {
    const { peer, agent } = await rawAgent(clientWith({}, advertised), {
      initialize: { protocolVersion: 1, agentCapabilities: advertised },
    });
    expect(peer.received[0]?.params.clientCapabilities._meta).toEqual(advertised._meta);
    expect(agent.capabilities._meta).toEqual(advertised._meta);
  });
});

test("EXT-06/both: neither side can be made with a method of its own that has no underscore", () => {
  const info = { name: "x", version: "1.0.0" };
  const handlers = { "session/prompt": () => done, "acme/ping": () => ({}) };
  // @ts-expect-error: the types refuse it as well.
  expect(() => createAgent({ info, handlers })).toThrow(/acme\/ping/u);
  expect(() => createClient({ info, handlers: { "acme/ping": () => ({}) } } as never)).toThrow(/acme\/ping/u);
  // @ts-expect-error the compiler refuses it as well
  expect(() => extend(v1, { agent: { "acme/ping": request<object, object>() } })).toThrow(/acme\/ping/u);
  // @ts-expect-error the same for a client
  expect(() => extend(v1, { client: { "acme/ping": request<object, object>() } })).toThrow(/acme\/ping/u);
});
