// An agent whose sessions outlive its process: it saves what was said, lists it, and replays what is loaded.
import { createAgent } from "@acp/core";
import { userMessage } from "@acp/core/agent";
import { pageSessions } from "@acp/core/sessions";
import { serveStdio } from "@acp/node";
import { type Conversation, Conversations, promptsOf } from "./conversations.ts";

const conversations = new Conversations(process.argv[2] ?? ".");

const agent = createAgent({
  info: { name: "remembering-agent", version: "1.0.0" },
  // The state of a session is its conversation. It goes on in the directory that the client has opened it in.
  session: async ({ method, sessionId, cwd }): Promise<Conversation> => {
    if (method === "session/new") return { sessionId, cwd, history: [] };
    return { ...(await conversations.read(sessionId)), cwd };
  },
  // Told of what the agent sends, but not of what `session/load` sends again.
  onUpdate: (update, { state }) => void state.history.push({ update }),
  handlers: {
    "session/prompt": async ({ prompt }, { session, turn }) => {
      const { state } = session;
      // What the user says is no update of the agent's.
      state.history.push({ prompt });
      try {
        const call = await turn.toolCall({ title: "Count", kind: "think" });
        const prompts = promptsOf(state);
        await call.complete(String(prompts.length));
        await turn.message(`${prompts.length} to do: ${prompts.join(", ")}`);
        return { stopReason: "end_turn" };
      } finally {
        // Also of a turn that was cancelled or failed: this is what its client has seen.
        await conversations.save(state);
      }
    },
    "session/list": async (params) => pageSessions(await conversations.list(), params),
    "session/load": async (_params, { session }) => {
      // In order, and no faster than the client reads.
      for (const entry of session.state.history) {
        if ("prompt" in entry) await userMessage(session, entry.prompt);
        else await session.update(entry.update);
      }
      return {};
    },
  },
});

await serveStdio(agent);
