import { ErrorCode, RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import type { Message } from "./harness/raw-peer.ts";

const done = { stopReason: "end_turn" } as const;
const limited = { reason: "rate_limited", retryAfter: 30, scope: "session" };
const secret = "hunter2";
const fail = (): never => {
  throw new Error(`cannot open /home/me/${secret}`);
};
const limit = (): never => {
  throw new RequestError({ code: -32050, message: "Too many requests", data: limited });
};

/** One short sentence: a capital letter, no full stop, no line break. */
const sentence = /^[A-Z][^\n]{2,100}[^\n.]$/u;

test("ERR-01/both: the codes are those of the protocol", () => {
  const codes = [-32700, -32600, -32601, -32602, -32603, -32000, -32002, -32800];
  const { unsupportedProtocolVersion, tooManyRequests, ...ofThisVersion } = ErrorCode;
  expect(new Set<number>(Object.values(ofThisVersion))).toEqual(new Set(codes));
  // Of version 2, which has it from the same place.
  expect(unsupportedProtocolVersion).toBe(-32022);
  // Of the toolkit, in the range that ERR-02 leaves to implementations.
  expect(tooManyRequests).toBe(-32005);
});

describe("an agent", () => {
  test("ERR-02, ERR-03: answers an error of its own with its code, reason and time", async () => {
    const peer = await rawClient(agentThat(limit));
    expect((await peer.prompt(await peer.open())).error).toEqual({
      code: -32050,
      message: "Too many requests",
      data: limited,
    });
  });

  test("ERR-04: reveals no internals, but an id to look them up by", async () => {
    const peer = await rawClient(agentThat(fail));
    const { error } = await peer.prompt(await peer.open());
    expect(error).toEqual({ code: -32603, message: "Internal error", data: { correlationId: expect.any(String) } });
    expect(peer.lines.join("")).not.toContain(secret);
    expect(peer.diagnostics).toMatchObject([{ type: "handler-failed", ...(error?.data as object) }]);
  });

  test("ERR-05, ERR-08: describes a mistake in params in a sentence, with its place in data", async () => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    const { error } = await peer.call("session/new", { cwd: "src", mcpServers: [] });
    expect(error).toMatchObject({ code: -32602, data: { path: "/cwd", reason: expect.any(String) } });
    expect(error?.message).toMatch(sentence);
  });

  test("ERR-06, ERR-08: has one code for one mistake, and a sentence for each", async () => {
    const peer = await rawClient(agentThat(fail));
    const sessionId = await peer.open();
    const errors: Message["error"][] = [];
    for (const id of ["a", "b"]) {
      errors.push((await peer.call("session/prompt", { sessionId: id, prompt: [] })).error);
    }
    for (const method of ["_a", "b/c"]) errors.push((await peer.call(method, {})).error);
    for (const params of [5, { prompt: [] }]) errors.push((await peer.call("session/prompt", params)).error);
    for (const _ of [1, 2]) errors.push((await peer.prompt(sessionId)).error);
    expect(errors.map((error) => error?.code)).toEqual([
      -32002, -32002, -32601, -32601, -32602, -32602, -32603, -32603,
    ]);
    for (const error of errors) expect(error?.message).toMatch(sentence);
  });
});

describe("a client", () => {
  test("ERR-02, ERR-03: answers an error of its own with its code, reason and time", async () => {
    const { peer } = await rawAgent(clientWith({ _limit: limit }));
    expect((await peer.call("_limit", {})).error).toEqual({
      code: -32050,
      message: "Too many requests",
      data: limited,
    });
  });

  test("ERR-04: reveals no internals, but an id to look them up by", async () => {
    const { peer, diagnostics } = await rawAgent(clientWith({ _fail: fail }));
    const { error } = await peer.call("_fail", {});
    expect(error).toEqual({ code: -32603, message: "Internal error", data: { correlationId: expect.any(String) } });
    expect(peer.lines.join("")).not.toContain(secret);
    expect(diagnostics).toMatchObject([{ type: "handler-failed", ...(error?.data as object) }]);
  });

  test("ERR-05, ERR-08: describes a mistake in params in a sentence, with its place in data", async () => {
    const { peer, agent } = await rawAgent(clientWith({ "fs/read_text_file": () => ({ content: "" }) }));
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const { error } = await peer.call("fs/read_text_file", { sessionId, path: "src/a" });
    expect(error).toMatchObject({ code: -32602, data: { path: "/path", reason: expect.any(String) } });
    expect(error?.message).toMatch(sentence);
  });

  test("ERR-06, ERR-08: has one code for one mistake, and a sentence for each", async () => {
    const { peer } = await rawAgent(clientWith({ _fail: fail, "fs/read_text_file": () => ({ content: "" }) }));
    const errors: Message["error"][] = [];
    for (const sessionId of ["a", "b"]) {
      errors.push((await peer.call("fs/read_text_file", { sessionId, path: "/a" })).error);
    }
    for (const method of ["_a", "terminal/create"]) errors.push((await peer.call(method, {})).error);
    for (const params of [5, {}]) errors.push((await peer.call("fs/read_text_file", params)).error);
    for (const _ of [1, 2]) errors.push((await peer.call("_fail", {})).error);
    expect(errors.map((error) => error?.code)).toEqual([
      -32002, -32002, -32601, -32601, -32602, -32602, -32603, -32603,
    ]);
    for (const error of errors) expect(error?.message).toMatch(sentence);
  });

  test("ERR-07: rejects its caller with an error of a code that nobody knows, and continues", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const first = session.prompt("one");
    peer.fail(await peer.next("session/prompt"), 12_345, "Something else", { more: [1] });
    await expect(first.response).rejects.toMatchObject({ wire: { code: 12_345, data: { more: [1] } } });
    const second = session.prompt("two");
    peer.reply(await peer.next("session/prompt"), done);
    expect(await second.response).toEqual(done);
  });
});
