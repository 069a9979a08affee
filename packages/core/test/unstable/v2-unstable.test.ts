// The unstable part of version 2, over the same code as the stable one.
import { expect, test } from "vitest";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent, createClient } from "../../src/v2/unstable/entry.ts";

const info = { name: "unstable", version: "1.0.0" };

test("a fork of a session is opened with the results of handlers of unstable methods", async () => {
  const agent = createAgent({
    info,
    capabilities: { session: { systemPrompt: {} } },
    session: (setup) => ({
      parent: setup.method === "session/fork" ? setup.params.sessionId : undefined,
      system: setup.params.systemPrompt?.mode,
    }),
    handlers: {
      "session/fork": (_params, { session }) => ({ sessionId: session.id }),
      "session/set_title": ({ title }) => ({ title: title.trim() }),
      "session/status": (_params, { session }) => ({ status: session === undefined ? "saved" : "open" }),
      "session/archive": () => {},
      "session/unarchive": () => {},
      "session/prompt": async (_params, { turn, session }) => {
        await turn.update({
          sessionUpdate: "plan_update",
          plan: { type: "markdown", planId: "p", content: `- ${session.state.parent} ${session.state.system}` },
        });
        await turn.update({ sessionUpdate: "plan_removed", planId: "p" });
        return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
      },
    },
  });
  const client = createClient({ info });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  await using connected = await client.connect(ours);
  expect(connected.capabilities.session).toEqual({ systemPrompt: {}, fork: {}, title: {}, status: {}, archive: {} });
  const session = await connected.newSession({ cwd: "/project" });
  const systemPrompt = { mode: "append", content: [{ type: "text" as const, text: "Be brief." }] };
  const fork = await connected.forkSession({ cwd: "/project", sessionId: session.id, systemPrompt });
  const turn = fork.prompt("What is to do?");
  const plans: unknown[] = [];
  for await (const update of turn.updates) if (update.sessionUpdate === "plan_update") plans.push(update.plan);
  expect(plans).toEqual([{ type: "markdown", planId: "p", content: `- ${session.id} append` }]);
  expect(await turn.finished).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: 3 } });
  expect(await fork.agent.request("session/set_title", { title: " A " })).toEqual({ title: "A" });
  expect(await connected.request("session/status", { sessionId: fork.id })).toEqual({ status: "open" });
  await fork.agent.request("session/archive", {});
  expect(fork.signal.aborted).toBe(true);
  expect(connected.session(fork.id)).toBeUndefined();
  expect(await connected.request("session/status", { sessionId: fork.id })).toEqual({ status: "saved" });
});
