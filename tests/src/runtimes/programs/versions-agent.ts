// An agent of both versions of the protocol. In version 2 a prompt says what it is to do.
import * as v1 from "@acp/core";
import { agentOfVersions, createAgent, type SessionUpdate } from "@acp/core/v2";
import { serveStdio } from "#runtime";

interface Conversation {
  readonly cwd: string;
  readonly updates: SessionUpdate[];
}

const info = { name: "versions-agent", version: "1" };
const conversations = new Map<string, Conversation>();

const newer = createAgent({
  info,
  session: ({ sessionId, cwd }): Conversation => {
    const conversation = conversations.get(sessionId) ?? { cwd, updates: [] };
    conversations.set(sessionId, conversation);
    return conversation;
  },
  onUpdate: (update, { state }) => void state.updates.push(update),
  handlers: {
    "session/list": () => ({ sessions: [...conversations].map(([sessionId, { cwd }]) => ({ sessionId, cwd })) }),
    "session/resume": async ({ replayFrom }, { session }) => {
      if (replayFrom?.type !== "start") return;
      for (const update of session.state.updates) await session.update(update);
    },
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      const [block] = prompt;
      if (block?.type !== "text") return { stopReason: "refusal" };
      await turn.message(`${block.text}: `);
      if (block.text === "ask") {
        const call = await turn.toolCall({ title: "Edit", kind: "edit" });
        await turn.message((await call.requestPermission()).outcome);
        await call.complete();
      }
      if (block.text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { stopReason: "end_turn" };
    },
  },
});

const older = v1.createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });

await serveStdio(agentOfVersions({ v1: older, v2: newer }));
