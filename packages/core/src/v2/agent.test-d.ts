// The types that authors of agents of version 2 rely on. Checked by `tsc`; a stale line fails it.
import type { BackgroundWork, ContentBlock, RequestId } from "@acp/schema/v2/types";
import { createAgent as createAgent1 } from "../v1/index.ts";
import {
  type AgentDefinition,
  type AgentHandlers,
  agentOfVersions,
  createAgent,
  createAgentFor,
  extend,
  request,
  type SessionUpdate,
  type TurnEnd,
  v2,
} from "./entry.ts";

const info = { name: "x", version: "1" };
const prompt = () => ({ stopReason: "end_turn" }) as const;

// Params, context and session state infer; a misspelt member does not compile.
createAgent({
  info,
  session: ({ cwd, method, params }) => {
    // `session/load` is not one of its methods.
    const replays: boolean = method === "session/resume" && params.replayFrom?.type === "start";
    return { cwd, replays, history: [] as SessionUpdate[] };
  },
  capabilities: { session: { prompt: { image: {} } } },
  authMethods: (client) => (client.auth?.terminal == null ? [] : [{ type: "terminal", methodId: "t", name: "T" }]),
  onUpdate: (update, { state }) => {
    state.history.push(update);
  },
  handlers: {
    "session/new": (params, { session }) => {
      const id: string = session.id;
      // @ts-expect-error no such member
      params.cdw;
      return { sessionId: id };
    },
    "session/prompt": async ({ prompt: blocks }, { turn, session, client, signal, requestId }) => {
      const first: ContentBlock | undefined = blocks[0]?.type === "text" ? blocks[0] : undefined;
      const id: RequestId | undefined = requestId;
      session.state.history.length.toFixed();
      // @ts-expect-error the state has no such member
      session.state.histroy;
      await turn.message(`${first?.type} ${id} ${turn.messageId}`);
      const call = await turn.toolCall({ title: "Read", kind: "read", capabilities: { cancel: {} } });
      // @ts-expect-error a tool call that is new has a title
      await turn.toolCall({ kind: "read" });
      const outcome = await call.requestPermission({ title: "May I?" });
      if (outcome.outcome === "selected") await call.append(outcome.optionId);
      const answer = await client.request(
        "session/request_permission",
        { title: "Really?", options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] },
        { signal },
      );
      if (answer.outcome.outcome === "selected") answer.outcome.optionId.toUpperCase();
      // @ts-expect-error a client of version 2 has no files
      await client.request("fs/read_text_file", { path: "/x" });
      const background: BackgroundWork[] = [{ type: "tool_call", toolCallId: call.id }];
      await session.setBackground(background);
      await session.run(async ({ turn: other }) => {
        await other.message("By myself");
        return { stopReason: "end_turn" };
      });
      return { stopReason: "max_tokens", background };
    },
    "session/resume": ({ replayFrom }, { session }) => {
      replayFrom?.type;
      void session.update({ sessionUpdate: "user_message", messageId: "m", content: [] });
    },
    "auth/login": ({ methodId }, { requestId }) => {
      const id: RequestId = requestId;
      methodId.concat(String(id));
    },
    "auth/logout": () => {},
    "tool_call/cancel": ({ toolCallId }, { session }) => {
      session.state.cwd.concat(toolCallId);
    },
    "_acme/anything": (params) => params as unknown,
  },
});

// A failed turn has an error.
const failed: TurnEnd = { stopReason: "error", error: { code: -32_603, message: "Internal error" } };
createAgent({ info, handlers: { "session/prompt": () => failed } });

// A wrong stop reason, an excess member in a result, a member of version 1 only, no handler for prompts.
// @ts-expect-error no such stop reason
createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "done" }) } });
// @ts-expect-error the prompt handler does not write the answer
createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn", messageId: "m" }) } });
// @ts-expect-error no such member in the result
createAgent({ info, handlers: { "session/prompt": prompt, "session/list": () => ({ sessions: [], more: 1 }) } });
// @ts-expect-error not a method of version 2
createAgent({ info, handlers: { "session/prompt": prompt, "session/load": () => {} } });
// @ts-expect-error it has no handler for prompts
createAgent({ info, handlers: {} });
// @ts-expect-error a capability of version 1
createAgent({ info, capabilities: { loadSession: true }, handlers: { "session/prompt": prompt } });

// Handlers may be annotated, and extension methods declared.
const handlers: AgentHandlers = { "session/prompt": prompt };
createAgent({ info, handlers });
const acme = extend(v2, { agent: { "_acme/ping": request<{ text: string }, { text: string }>() } });
createAgentFor(acme)({
  info,
  handlers: { "session/prompt": prompt, "_acme/ping": ({ text }) => ({ text: text.toUpperCase() }) },
});
// @ts-expect-error it is not declared
createAgentFor(acme)({ info, handlers: { "session/prompt": prompt, "_acme/pong": () => ({}) } });

// Definitions of both versions are of one type.
export const both: AgentDefinition = agentOfVersions({
  v1: createAgent1({ info, handlers: { "session/prompt": prompt } }),
  v2: createAgent({ info, handlers: { "session/prompt": prompt } }),
});
