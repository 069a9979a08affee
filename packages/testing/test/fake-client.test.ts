import { createAgent } from "@acp/core";
import * as version2 from "@acp/core/v2";
import { describe, expect, test } from "vitest";

import { call, expectTurn, fakeAgent, fakeClient, hang, say, TurnMismatchError, waitFor } from "../src/index.ts";

const info = { name: "test", version: "1.0.0" };

describe("a scripted client", () => {
  test("plays a session of an agent, with files and permission", async () => {
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async ({ prompt }, { turn, client }) => {
          const { content } = await client.request("fs/read_text_file", { path: "/project/a.txt" });
          await turn.message(`${content}, ${prompt.length}`);
          await client.request("fs/write_text_file", { path: "/project/b.txt", content: "b" });
          return { stopReason: "end_turn" };
        },
      },
    });
    await using client = fakeClient(agent, { files: { "/project/a.txt": "a" } });
    await expectTurn(client.prompt("Go")).toSay("a, 1").toEnd("end_turn");
    expect(client.files.get("/project/b.txt")).toBe("b");
  });

  test.each([1, 2] as const)("keeps calls and questions of version %d, with their answers", async (protocol) => {
    const agent = fakeAgent([call("edit", { ask: true }), say("Done")], { protocol });
    await using client = fakeClient(agent, { protocol, answer: "reject" });
    const turn = await client.prompt("Go");
    await expectTurn(turn).toAsk("edit", "reject").toCall("edit", { status: "failed" }).toSay("Done").toEnd("end_turn");
    await expect(Promise.resolve(expectTurn(turn).toAsk("edit", "allow"))).rejects.toThrow(TurnMismatchError);
  });

  test("cancels a turn when something has come", async () => {
    await using client = fakeClient(fakeAgent([say("a"), waitFor("session/cancel")]));
    const turn = client.prompt("Go");
    await turn.until(({ text }) => text === "a");
    await turn.cancel();
    await expectTurn(turn).toEnd("cancelled");
  });

  test("cancels a turn that has only begun, of an agent that says nothing", async () => {
    await using client = fakeClient(fakeAgent([hang()], { onCancel: "ignore" }));
    await client.prompt("Go").cancel();
    await client.call("session/list");
    expect(
      client.peer.traffic.filter(({ direction }) => direction === "sent").map(({ message }) => message?.method),
    ).toEqual(["initialize", "session/new", "session/prompt", "session/cancel", "session/list"]);
  });

  test("tells how a prompt has failed, and why a session could not be opened", async () => {
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": () => {
          throw new Error("no");
        },
      },
    });
    await using client = fakeClient(agent);
    await expectTurn(client.prompt("Go")).toFail(-32603);
    await using refused = fakeClient(fakeAgent([], { answers: { "session/new": function* () {} } }), { cwd: "x" });
    expect(await refused.newSession()).toBe("session-1");
  });

  test("sees the end of a turn of version 2 that comes at once with the answer", async () => {
    await using client = fakeClient(fakeAgent([], { protocol: 2 }), { protocol: 2, timeout: 2_000 });
    for (const _ of [1, 2, 3]) await expectTurn(client.prompt("Go")).toSay("").toEnd("end_turn");
  });

  test("quotes the turn when it is not as expected", async () => {
    await using client = fakeClient(fakeAgent([say("Hello")]));
    const turn = await client.prompt("Go");
    await expect(Promise.resolve(expectTurn(turn).toShow("Hel", "Hi"))).rejects.toThrow(
      '"Hi" was not shown behind "Hel".\n\nThe turn was:\nHello\n= end_turn',
    );
  });

  test("asks an agent of version 2 as one", async () => {
    const agent = version2.createAgent({
      info,
      handlers: {
        "session/prompt": async (_, { turn }) => {
          await turn.message("Hi");
          return { stopReason: "end_turn" };
        },
      },
    });
    await using client = fakeClient(agent, { protocol: 2 });
    await expectTurn(client.prompt("Go")).toSay("Hi").toEnd("end_turn");
  });
});
