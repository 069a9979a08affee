import { type AgentSession, createAgent, createClient, createMemoryTransportPair } from "@acp/core/v2";
import { createSettings } from "@acp/core/v2/agent";
import type { Report } from "@acp/render";
import { expect, test } from "vitest";

import { sessionOf } from "./session.ts";

const info = { name: "test", version: "1" };
const choice = (configId: string, ...values: readonly [string, ...string[]]) => ({
  type: "select" as const,
  configId,
  category: configId,
  name: configId,
  currentValue: values[0],
  options: values.map((value) => ({ value, name: value })),
});

test("toReport() tells a change of the mode, also of a session that was resumed, and of no other option", async () => {
  const settings = createSettings({ configOptions: [choice("mode", "ask", "code"), choice("model", "fast", "deep")] });
  const change = async (session: AgentSession<unknown>, prompt: string): Promise<void> => {
    const [configId, value] = prompt.split(" ") as ["mode" | "model", string];
    await settings.set(session, configId, value);
  };
  const agent = createAgent({
    info,
    handlers: {
      ...settings.handlers,
      "session/resume": (_, { session }) => settings.open(session),
      "session/prompt": async ({ prompt: [block] }, { session }) => {
        await change(session, block?.type === "text" ? block.text : "");
        return { stopReason: "end_turn" };
      },
    },
  });
  const reports: (Report | undefined)[] = [];
  const client = createClient({
    info,
    handlers: {
      // The first of a session that is resumed comes before its options are known.
      "session/update": ({ update }, { session }) => void reports.push(sessionOf(session).toReport(update)),
    },
  });
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  const connected = await client.connect(near);
  for (const open of [
    () => connected.newSession({ cwd: "/project" }),
    () => connected.resumeSession({ sessionId: "earlier", cwd: "/project" }),
  ]) {
    reports.length = 0;
    // One after the other: they share the list.
    const session = sessionOf(await open());
    await session.prompt("model deep").ended;
    await session.prompt("mode code").ended;
    expect(reports.filter((one) => one !== undefined)).toEqual([{ kind: "mode", mode: "code" }]);
  }
  await connected.close();
});
