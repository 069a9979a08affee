import { createAgent, createClient, RequestError } from "@acp/core";
import { expect, test } from "vitest";

import { createAgent as createUnstableAgent, createClient as createUnstableClient } from "@acp/core/unstable";
import { createHttpServer } from "../server/http-server.ts";
import { endpoint, fetchFrom } from "../../test/support/in-process.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { HttpTransportOptions } from "../index.ts";

type Fetch = NonNullable<HttpTransportOptions["fetch"]>;

const client = createClient({ info: { name: "client", version: "1" } });
const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});

/** Answers the first `count` questions for a stream of a session as a server does that has a reader for it. */
function readAlready(fetch: Fetch, count: number): Fetch {
  return (url, init) =>
    init.method === "GET" && new Headers(init.headers).has("Acp-Session-Id") && count-- > 0
      ? Promise.resolve(new Response("taken", { status: 409 }))
      : fetch(url, init);
}

test("a stream that something reads is tried again: that may be an earlier one of the same client", async () => {
  await using server = createHttpServer({ agent });
  const fetch = readAlready(fetchFrom(server).fetch, 3);
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd: "/" });
  expect((await session.prompt("go").response).stopReason).toBe("end_turn");
  await connected.close();
});

test("a stream that another reader takes over is abandoned; the connection continues", async () => {
  await using server = createHttpServer({ agent });
  const fetch = readAlready(fetchFrom(server).fetch, 6);
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd: "/" });
  const error: unknown = await session.prompt("go").response.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ wire: { data: { status: 409, body: "taken" } } });
  expect((await session.prompt("go").response).stopReason).toBe("end_turn");
  await connected.close();
});

test("a session that is refused leaves no stream, and none is left of one that was only forked", async () => {
  const old = new Set(["kept", "other"]);
  const known = (sessionId: string): object => {
    if (!old.has(sessionId)) throw RequestError.resourceNotFound("There is no such session");
    return {};
  };
  await using server = createHttpServer({
    agent: createUnstableAgent({
      info: { name: "agent", version: "1" },
      handlers: {
        "session/prompt": () => ({ stopReason: "end_turn" }),
        "session/load": ({ sessionId }) => known(sessionId),
        "session/resume": ({ sessionId }) => known(sessionId),
        "session/delete": ({ sessionId }) => known(sessionId),
        "session/fork": () => ({ sessionId: "forked" }),
      },
    }),
  });
  /** The sessions whose streams are read. */
  const read: (string | null)[] = [];
  const { fetch: direct } = fetchFrom(server);
  const fetch: Fetch = async (url, init) => {
    const response = await direct(url, init);
    const name = new Headers(init.headers).get("Acp-Session-Id");
    if (init.method !== "GET" || response.status !== 200) return response;
    read.push(name);
    init.signal?.addEventListener("abort", () => read.splice(read.indexOf(name), 1));
    return response;
  };
  const definition = createUnstableClient({ info: { name: "client", version: "1" } });
  const connected = await definition.connect(createHttpTransport(endpoint, { fetch }));
  const cwd = "/";
  await Promise.all([
    expect(connected.loadSession({ sessionId: "loaded", cwd })).rejects.toBeInstanceOf(RequestError),
    expect(connected.resumeSession({ sessionId: "resumed", cwd })).rejects.toBeInstanceOf(RequestError),
    expect(connected.request("session/delete", { sessionId: "deleted" })).rejects.toBeInstanceOf(RequestError),
    connected.loadSession({ sessionId: "kept", cwd }),
    connected.forkSession({ sessionId: "other", cwd }),
  ]);
  const left = new Set([null, "kept", "forked"]);
  await expect.poll(() => new Set(read)).toEqual(left);
  // One that was open continues as it was.
  old.clear();
  await expect(connected.loadSession({ sessionId: "kept", cwd })).rejects.toBeInstanceOf(RequestError);
  expect(new Set(read)).toEqual(left);
  await connected.close();
});
