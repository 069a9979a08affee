import { createAgent, createClient, ErrorCode, RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawClient, startRawAgent } from "./harness/connect.ts";

const done = { stopReason: "end_turn" } as const;
const login = { id: "token", name: "Token" };

describe("an agent", () => {
  test("CHK-08: gets through a whole session: initialize, a refusal until its user has logged in, a session, a prompt, updates, the answer", async () => {
    let isLoggedIn = false;
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        authMethods: [login],
        session: () => {
          if (!isLoggedIn) throw new RequestError({ code: ErrorCode.authRequired, message: "Log in first" });
        },
        handlers: {
          authenticate: () => {
            isLoggedIn = true;
          },
          "session/prompt": async (_, { turn }) => {
            await turn.message("hello");
            return done;
          },
        },
      }),
    );
    expect((await peer.initialize()).result.authMethods).toMatchObject([login]);
    const setup = { cwd: "/project", mcpServers: [] };
    expect((await peer.call("session/new", setup)).error?.code).toBe(-32000);
    expect((await peer.call("authenticate", { methodId: "token" })).result).toEqual({});
    const { sessionId } = (await peer.call("session/new", setup)).result;
    expect((await peer.prompt(sessionId, "hi")).result).toEqual(done);
    expect(peer.updates).toMatchObject([{ sessionUpdate: "agent_message_chunk", content: { text: "hello" } }]);
  });
});

describe("a client", () => {
  test("CHK-08: gets through a whole session: initialize, a login when it is refused, a session, a prompt, updates, the answer", async () => {
    const { peer, agent } = await startRawAgent(
      createClient({ info: { name: "client", version: "1.0.0" }, authenticate: ({ methods }) => methods[0]?.id }),
    );
    peer.reply(await peer.next("initialize"), { protocolVersion: 1, authMethods: [login] });
    const opening = (await agent).newSession({ cwd: "/project" });
    peer.fail(await peer.next("session/new"), -32_000, "Log in first");
    const authenticate = await peer.next("authenticate");
    expect(authenticate.params).toEqual({ methodId: "token" });
    peer.reply(authenticate, {});
    peer.reply(await peer.next("session/new"), { sessionId: "session-1" });
    const turn = (await opening).prompt("hi");
    const prompt = await peer.next("session/prompt");
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hello" } };
    peer.notify("session/update", { sessionId: "session-1", update });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual([update]);
    expect(await turn.response).toEqual(done);
  });
});
