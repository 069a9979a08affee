// The agent: its sessions, and the loop around the model.
import { replayMessages, runTurn, toModelMessages } from "@acp/ai";
import { createAgent, RequestError } from "@acp/core";
import { listStored, type SessionStore } from "@acp/sessions";
import type { LanguageModel, ModelMessage } from "ai";
import { editTool, showEdit } from "./edit.ts";

export interface MyAgentOptions {
  /** Called for each prompt, so that a key counts as soon as it is there. */
  readonly chooseModel: () => LanguageModel | Promise<LanguageModel>;
  /** Whether there is a key. Without one, a script answers. */
  readonly hasKey: () => Promise<boolean>;
  /** Keeps the messages of each session. */
  readonly store: SessionStore<ModelMessage>;
}

const show = { edit: showEdit };

export function createMyAgent({ chooseModel, hasKey, store }: MyAgentOptions) {
  return createAgent({
    info: { name: "my-agent", title: "My agent", version: "1.0.0" },
    authMethods: [
      { id: "stored-key", name: "Use the API key of this machine" },
      { type: "terminal", id: "key", name: "Enter an API key", args: ["--login"] },
    ],
    session: async ({ method, sessionId, cwd, signal }) => {
      const stored = method === "session/new" ? await store.create({ sessionId, cwd }) : await store.open(sessionId);
      if (stored === undefined) throw RequestError.resourceNotFound(`No such session: ${sessionId}`, { sessionId });
      signal.addEventListener("abort", () => void stored.close());
      const messages: ModelMessage[] = [];
      for await (const message of stored.entries()) messages.push(message);
      return { stored, messages };
    },
    handlers: {
      authenticate: async () => {
        if (!(await hasKey())) throw RequestError.authRequired();
      },
      "session/load": async (_params, { session }) => {
        await replayMessages(session, session.state.messages, { show });
        return {};
      },
      "session/close": () => ({}),
      "session/list": (params) => listStored(store, params),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, { turn, session }) => {
        const { stored, messages } = session.state;
        const asked = toModelMessages(prompt);
        messages.push(...asked);
        await save(asked);
        const { stopReason } = await runTurn(turn, {
          model: await chooseModel(),
          messages,
          instructions: `You are a coding agent. The project is in ${session.cwd}.`,
          tools: { edit: editTool(turn) },
          toolApproval: { edit: "user-approval" },
          show,
          onMessages: save,
        });
        return { stopReason };

        async function save(added: readonly ModelMessage[]): Promise<void> {
          for (const message of added) await stored.append(message);
        }
      },
    },
  });
}
