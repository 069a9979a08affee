// A client that prompts an agent, ends its process, and goes on with the same session in the next one.
import { type ConnectedAgent, createClient } from "@acp/core";
import { listSessions } from "@acp/core/sessions";
import { createSessionState, joinText, type TimelineItem } from "@acp/core/state";
import { spawnAgent } from "@acp/node";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const client = createClient({ info: { name: "returning-client", version: "1.0.0" } });
const cwd = process.cwd();
const folder = await mkdtemp(join(tmpdir(), "session-history-"));
try {
  for (const prompt of ["Buy milk", "Fix the roof", "Call Ada"]) {
    const agent = await spawnAgent(client, {
      command: process.execPath,
      args: [`${import.meta.dirname}/agent.ts`, folder],
    });
    try {
      await visit(agent, prompt);
    } finally {
      await agent.close();
    }
  }
} finally {
  await rm(folder, { recursive: true });
}

async function visit(agent: ConnectedAgent, prompt: string): Promise<void> {
  const sessionId = await findSession(agent);
  const session =
    sessionId === undefined ? await agent.newSession({ cwd }) : await agent.loadSession({ sessionId, cwd });
  // The same for what was replayed and for what is new.
  const store = createSessionState(session);
  const loaded = store.state.timeline.slice();
  for (const item of loaded) console.log(`  ${describe(item)}`);
  await session.prompt(prompt).response;
  for (const item of store.state.timeline.slice(loaded.length)) console.log(describe(item));
}

/** The first session of this directory that the agent has kept. */
async function findSession(agent: ConnectedAgent): Promise<string | undefined> {
  for await (const { sessionId, title } of listSessions(agent, { cwd })) {
    console.log(`Loaded: ${title}`);
    return sessionId;
  }
  console.log("A new session");
  return undefined;
}

function describe(item: TimelineItem): string {
  if (item.type === "tool_call") return `[${item.status}] ${item.title}`;
  if (item.type === "user_message" || item.type === "agent_message") return joinText(item.chunks);
  return item.type;
}
