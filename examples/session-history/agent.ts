// An agent whose sessions outlive its process: it stores what was said, lists it, and replays what is loaded.
import { createAgent, RequestError } from "@acp/core";
import { userMessage } from "@acp/core/agent";
import { serveStdio } from "@acp/node";
import type { SessionUpdate } from "@acp/schema/v1";
import { createFileStore, listStored } from "@acp/sessions";

const store = createFileStore<SessionUpdate>(process.argv[2] ?? "sessions");

const agent = createAgent({
  info: { name: "remembering-agent", version: "1.0.0" },
  // The state of a session is its journal. It goes on in the directory that the client has opened it in.
  session: async ({ method, sessionId, cwd, signal }) => {
    const journal = method === "session/new" ? await store.create({ sessionId, cwd }) : await store.open(sessionId);
    if (journal === undefined) throw RequestError.resourceNotFound(`No such session: ${sessionId}`);
    signal.addEventListener("abort", () => void journal.close());
    await journal.change({ cwd });
    return journal;
  },
  // Told of what the agent sends, but not of what `session/load` sends again. What comes first is stored first.
  onUpdate: (update, { state: journal }) => void journal.append(update),
  handlers: {
    "session/prompt": async ({ prompt }, { session, turn }) => {
      const journal = session.state;
      // What the user says is no update of the agent's.
      await userMessage({ update: (update) => journal.append(update) }, prompt);
      const call = await turn.toolCall({ title: "Count", kind: "think" });
      const prompts: string[] = [];
      for await (const update of journal.entries()) {
        if (update.sessionUpdate === "user_message_chunk" && update.content.type === "text")
          prompts.push(update.content.text);
      }
      // The first prompt names the session. Those without a title are not listed.
      await journal.change({ title: prompts[0] });
      await call.complete(String(prompts.length));
      await turn.message(`${prompts.length} to do: ${prompts.join(", ")}`);
      return { stopReason: "end_turn" };
    },
    "session/list": (params) => listStored(store, params),
    "session/load": async (_params, { session }) => {
      // In order, and no faster than the client reads.
      for await (const update of session.state.entries()) await session.update(update);
      return {};
    },
  },
});

await serveStdio(agent);
