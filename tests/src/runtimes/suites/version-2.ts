/** Agents and clients of version 2, and of both versions, over the runtime's processes and pipes. */
import * as v1 from "@acp/core";
import { type ClientSession, clientOfVersions, type ConnectedAgent, createClient, type Turn } from "@acp/core/v2";

import { expectEqual, expectTrue } from "../check.ts";
import { programOn } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const info = { name: "test-client", version: "1" };
const older = v1.createClient({ info });
const newer = createClient({
  info,
  handlers: {
    "session/request_permission": ({ options }) => {
      const [first] = options;
      return {
        outcome: first === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: first.optionId },
      };
    },
  },
});

/** Runs `use` with a session of version 2, and ends its agent. */
async function withSession(
  context: ScenarioContext,
  use: (session: ClientSession, agent: ConnectedAgent) => Promise<void>,
): Promise<void> {
  const agent = await context.runtime.spawnAgent(newer, programOn(context.runtimeName, "versions-agent"));
  try {
    await use(await agent.newSession({ cwd: context.directory }), agent);
  } finally {
    await agent.close();
    expectTrue(!isAlive(agent.process.pid), "the agent is gone after close()");
  }
}

/** What a turn has told, in short. */
async function told(turn: Turn): Promise<readonly string[]> {
  const words: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "state_update") words.push(update.state);
    else if (update.sessionUpdate !== "agent_message_chunk") words.push(update.sessionUpdate);
    else if (update.content.type === "text") words.push(update.content.text);
  }
  return words;
}

export const scenarios: readonly Scenario[] = [
  test("a prompt is accepted, asks the user, and is finished by the state of its session", (context) =>
    withSession(context, async (session) => {
      const turn = session.prompt("ask");
      const words = await told(turn);
      expectEqual(typeof (await turn.accepted).messageId, "string");
      expectEqual((await turn.finished).stopReason, "end_turn");
      const asking = ["tool_call_update", "requires_action", "running", "selected", "tool_call_update"];
      expectEqual(words, ["user_message", "running", "ask: ", ...asking, "idle"]);
    })),
  test("a turn is cancelled, its session closed and resumed with its history", (context) =>
    withSession(context, async (session, agent) => {
      const turn = session.prompt("wait");
      await turn.accepted;
      turn.cancel();
      expectEqual((await turn.finished).stopReason, "cancelled");
      const { id, cwd } = session;
      await session.close();
      expectTrue(session.signal.aborted, "the session has ended");
      expectEqual((await agent.request("session/list", {})).sessions, [{ sessionId: id, cwd }]);
      const again = await agent.resumeSession({ sessionId: id, cwd, replayFrom: { type: "start" } });
      const history: string[] = [];
      again.observe((event) => history.push(event.type === "update" ? event.update.sessionUpdate : event.type));
      // What was said before the cancel, as far as it came to that, and what the session does now.
      expectEqual([history[0], ...history.slice(-2)], ["user_message", "state_update", "opened"]);
      expectEqual(again.state, "idle");
    })),
  test("a client of both versions speaks the newer one, and each client its own", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const program = programOn(runtimeName, "versions-agent");
    const either = await runtime.spawnAgent(clientOfVersions({ v1: older, v2: newer }), program);
    expectEqual(either.version, 2);
    if (either.version === 2) {
      const before = await either.agent.newSession({ cwd: directory });
      expectEqual((await before.prompt("hello").finished).stopReason, "end_turn");
      const replayFrom = { type: "start" } as const;
      const again = await either.agent.resumeSession({ sessionId: before.id, cwd: directory, replayFrom });
      expectTrue(before.signal.aborted && again.state === "idle", "it was opened again, and does nothing");
    }
    await either.agent.close();
    const old = await runtime.spawnAgent(older, program);
    const session = await old.newSession({ cwd: directory });
    expectEqual((await session.prompt("hello").response).stopReason, "end_turn");
    await old.close();
  }),
];
