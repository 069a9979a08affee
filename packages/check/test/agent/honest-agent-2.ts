import { setTimeout as delay } from "node:timers/promises";

import { type AgentDefinition, RequestError } from "@acp/core";
import { createAgent, type SessionUpdate } from "@acp/core/v2";

interface Conversation {
  readonly id: string;
  readonly cwd: string;
  readonly updates: SessionUpdate[];
}

/** An agent that keeps all rules, in version 2. What it does is told by the first word of a prompt, as in version 1. */
export function honestAgentOfVersion2(): AgentDefinition {
  const conversations = new Map<string, Conversation>();
  return createAgent({
    info: { name: "honest", version: "2.0.0" },
    session: ({ method, sessionId, cwd }): Conversation => {
      const known = conversations.get(sessionId);
      if (method !== "session/new" && known === undefined) throw RequestError.resourceNotFound("No such session");
      const conversation = known ?? { id: sessionId, cwd, updates: [] };
      conversations.set(sessionId, conversation);
      return conversation;
    },
    onUpdate: (update, { state }) => void state.updates.push(update),
    handlers: {
      "session/list": () => ({ sessions: [...conversations.values()].map(({ id, cwd }) => ({ sessionId: id, cwd })) }),
      "session/resume": async ({ replayFrom }, { session }) => {
        if (replayFrom?.type !== "start") return;
        const updates = [...session.state.updates];
        for (const update of updates) await session.update(update);
        session.state.updates.splice(updates.length);
      },
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
        if (text.startsWith("Count")) {
          for (let count = 0; count < 400; count++) {
            await turn.message(`${count} `);
            await delay(5, undefined, { signal });
          }
        } else if (text.startsWith("Delete")) {
          const call = await turn.toolCall({ title: "Delete", kind: "delete" });
          const options = [
            { optionId: "yes", name: "Delete it", kind: "allow_once" },
            { optionId: "no", name: "Keep it", kind: "reject_once" },
          ];
          const answer = await call.requestPermission({ options, description: "A file" });
          if (answer.outcome === "selected" && answer.optionId === "yes") await call.complete("It is gone");
          else await call.fail("It stays");
        } else await turn.message("Hello!");
        return { stopReason: "end_turn" };
      },
    },
  });
}
