import { describe, expect, test } from "vitest";

import { permissionOptions } from "../support/samples.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const question = { toolCall: { toolCallId: "call" }, options: permissionOptions };

describe("an agent", () => {
  test("PERM-01, PERM-02, PERM-03: asks with session, tool call and options before it continues", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const call = await turn.toolCall({ title: "Delete all", toolCallId: "call", status: "pending" });
        const outcome = await call.requestPermission(permissionOptions as never);
        await call.update({ status: "in_progress", rawOutput: outcome });
        return done;
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    const asked = await peer.next("session/request_permission");
    expect(asked.params).toMatchObject({ sessionId, toolCall: { toolCallId: "call" }, options: permissionOptions });
    expect(asked.params.options.map(({ kind }: { kind: string }) => kind)).toEqual([
      "allow_once",
      "allow_always",
      "reject_once",
      "reject_always",
    ]);
    expect(peer.updates).toHaveLength(1);
    peer.reply(asked, { outcome: { outcome: "selected", optionId: "a" } });
    await peer.answerTo(prompt);
    expect(peer.updates[1]).toMatchObject({ rawOutput: { outcome: "selected", optionId: "a" } });
  });

  test.each([
    ["an option that was not offered", { outcome: "selected", optionId: "everything" }],
    ["an outcome that nobody knows", { outcome: "perhaps" }],
  ])("PERM-04, PERM-05: takes %s for no permission", async (_what, outcome) => {
    let allowed = false;
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const call = await turn.toolCall({ title: "Delete all" });
        const answer = await call.requestPermission(permissionOptions as never);
        allowed = answer.outcome === "selected";
        return done;
      }),
    );
    peer.answerAlways({ "session/request_permission": { outcome } });
    expect((await peer.prompt(await peer.open())).error?.code).toBe(-32603);
    expect(allowed).toBe(false);
  });
});

describe("a client", () => {
  test.each([{ outcome: "cancelled" } as const, { outcome: "selected", optionId: "b" } as const])(
    "PERM-04: answers %j as its handler says",
    async (outcome) => {
      const { peer, agent } = await rawAgent(clientWith({ "session/request_permission": () => ({ outcome }) }));
      const { id: sessionId } = await agent.newSession({ cwd: "/project" });
      const answer = await peer.call("session/request_permission", { sessionId, ...question });
      expect(answer.result).toEqual({ outcome });
    },
  );

  test("PERM-05: selects no option that was not offered", async () => {
    const { peer, agent } = await rawAgent(
      clientWith({
        "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "everything" } }),
      }),
    );
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const answer = await peer.call("session/request_permission", { sessionId, ...question });
    expect(JSON.stringify(answer)).not.toContain("everything");
    expect(answer.error?.code ?? answer.result.outcome.outcome).not.toBe("selected");
  });

  test("PERM-07: answers cancelled when the turn is cancelled, whatever its handler returns then", async () => {
    const { peer, agent } = await rawAgent(
      clientWith({
        "session/request_permission": async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { outcome: { outcome: "selected", optionId: "a" } };
        },
      }),
    );
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const id = peer.request("session/request_permission", { sessionId: session.id, ...question });
    await peer.settle();
    turn.cancel();
    expect((await peer.answerTo(id)).result).toEqual({ outcome: { outcome: "cancelled" } });
    peer.reply(prompt, { stopReason: "cancelled" });
    await turn.response;
  });
});
