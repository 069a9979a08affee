// The types that authors of handlers rely on. Checked by `tsc`; a stale line fails it.
import type { AgentMethods, ContentBlock, NewSessionResponse } from "@acp/schema/v1";
import { unknownVariant } from "@acp/schema";
import {
  type AgentHandlers,
  type ClientContext,
  type ConnectedAgent,
  createAgent,
  createAgentFor,
  createClientFor,
  createClient,
  extend,
  notification,
  request,
  type Turn,
  v1,
} from "./index.ts";

const info = { name: "x", version: "1" };
const prompt = () => ({ stopReason: "end_turn" }) as const;

// Params, context and session state infer; a misspelt member does not compile.
createAgent({
  info,
  session: ({ cwd }) => ({ cwd, history: [] as string[] }),
  handlers: {
    "session/new": (params, { session }) => {
      const id: string = session.id;
      params.mcpServers.length.toFixed();
      // @ts-expect-error no such member
      params.cdw;
      return { sessionId: id };
    },
    "session/prompt": async ({ prompt: blocks, sessionId }, { turn, session, client, signal }) => {
      const first: ContentBlock | undefined = blocks[0];
      session.state.history.push(sessionId, session.state.cwd, first?.type ?? "");
      // @ts-expect-error the state has no such member
      session.state.histroy;
      await turn.message("text");
      const call = await turn.toolCall({ title: "Read", kind: "read" });
      // The session id is filled in.
      const { content } = await client.request("fs/read_text_file", { path: "/x", limit: 1 }, { signal });
      await call.complete(content);
      // @ts-expect-error no such member
      await client.request("fs/read_text_file", { path: "/x", limt: 1 });
      // @ts-expect-error no such method
      await client.request("fs/read_txt_file", { path: "/x" });
      // @ts-expect-error no such kind
      await turn.toolCall({ title: "Read", kind: "raed" });
      return { stopReason: "end_turn" };
    },
    "session/set_mode": ({ modeId }, { session }) => {
      session.state.history.push(modeId);
    },
    "_acme/anything": (params) => params as unknown,
  },
});

// Handlers without parameters do not spoil the inference of the others.
createAgent({
  info,
  handlers: {
    "session/prompt": () => ({ stopReason: "end_turn" }),
    "_x/plain": () => 1,
    "_x/echo": (params, { signal }) => [params as unknown, signal.aborted],
  },
});

// A wrong stop reason, an excess member in a result, a misspelt method.
// @ts-expect-error no such stop reason
createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "endTurn" }) } });
// @ts-expect-error foo is not a member of the result
createAgent({ info, handlers: { "session/prompt": async () => ({ stopReason: "end_turn" as const, foo: 1 }) } });
// An intended member, such as one of an earlier draft, belongs in the type of the result.
const withModels = { sessionId: "s", models: { currentModelId: "m" } };
createAgent({ info, handlers: { "session/prompt": prompt, "session/new": (): NewSessionResponse => withModels } });
// @ts-expect-error no such method
createAgent({ info, handlers: { "session/prompt": prompt, "session/promt": prompt } });
const misspelt = { "session/promt": prompt };
// @ts-expect-error nor when it is spread in
createAgent({ info, handlers: { "session/prompt": prompt, ...misspelt } });
const extra = { "session/list": () => ({ sessions: [] }), "_x/y": () => 1 };
createAgent({ info, handlers: { "session/prompt": prompt, ...extra } });
// @ts-expect-error capabilities are typed
createAgent({ info, capabilities: { promptCapabilities: { imgae: true } }, handlers: { "session/prompt": prompt } });

// A handler for prompts is required. An annotated value need not show that it has one.
// @ts-expect-error session/prompt is missing
createAgent({ info, handlers: {} });
// @ts-expect-error session/prompt is missing
createAgent({ info, handlers: extra });
const annotated: AgentHandlers = { "session/prompt": prompt, "session/load": () => {} };
createAgent({ info, handlers: annotated });
declare const given: Parameters<typeof createAgent>[0];
createAgent({ ...given, handlers: { ...given.handlers, "session/load": () => {} } });

// A handler may return an untyped value, such as a recorded answer.
createAgent({
  info,
  handlers: { "session/prompt": async () => JSON.parse("{}"), "session/load": () => JSON.parse("") },
});

// Extension methods declared on the protocol are typed on both sides.
const acme = extend(v1, {
  agent: { "_acme/ping": request<{ text: string }, { reply: string }>() },
  client: { "_acme/note": notification<{ note: string }>() },
});
createAgentFor(acme)({
  info,
  session: () => ({ count: 0 }),
  handlers: {
    "session/prompt": async (_params, { client, session }) => {
      session.state.count++;
      await client.notify("_acme/note", { note: "x" });
      // @ts-expect-error a declared notification has its params
      await client.notify("_acme/note", { nte: "x" });
      await client.notify("_other/note", { nte: "x" });
      return { stopReason: "end_turn" };
    },
    "_acme/ping": ({ text }) => ({ reply: text.toUpperCase() }),
  },
});
// @ts-expect-error reply is missing
createAgentFor(acme)({ info, handlers: { "session/prompt": prompt, "_acme/ping": () => ({ rply: "x" }) } });
// @ts-expect-error misspelt: createAgent handles methods that the protocol does not declare
createAgentFor(acme)({ info, handlers: { "session/prompt": prompt, "_acme/pign": () => ({ reply: "x" }) } });
// @ts-expect-error the same for a client
createClientFor(acme)({ info, handlers: { "_acme/note": () => {}, "_acme/noet": () => {} } });
// @ts-expect-error the name of an extension method begins with an underscore
extend(v1, { agent: { "acme/ping": request<{ text: string }, { reply: string }>() } });
// @ts-expect-error the same for a client
extend(v1, { client: { "_acme/note": notification<object>(), "acme/note": notification<object>() } });

const client = createClientFor(acme)({
  info,
  handlers: {
    "session/update": ({ update }, { session }) => {
      session.id.toUpperCase();
      switch (update.sessionUpdate) {
        case "tool_call":
          update.title.toUpperCase();
          // @ts-expect-error not a member of this variant
          update.entries;
          break;
        case unknownVariant:
          Object.keys(update.received);
          break;
      }
    },
    "session/request_permission": ({ options }) => {
      const [first] = options;
      if (first === undefined) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId: first.optionId } };
    },
    "fs/write_text_file": () => {},
    "_acme/note": ({ note }) => {
      note.toUpperCase();
    },
  },
});
// @ts-expect-error no such outcome
createClient({ info, handlers: { "session/request_permission": () => ({ outcome: { outcome: "canceled" } }) } });

/** The members of a connected agent. */
async function use(agent: Awaited<ReturnType<typeof client.connect>>): Promise<string> {
  const session = await agent.newSession({ cwd: "/x" });
  // @ts-expect-error cwd is required
  await agent.newSession({});
  const { reply } = await agent.request("_acme/ping", { text: "x" });
  // @ts-expect-error text is a string
  await agent.request("_acme/ping", { text: 1 });
  const untyped: unknown = await agent.request("_other/ping", { anything: true });
  const asserted: { readonly pong: number } = await agent.request<{ pong: number }>("_other/ping");
  // The compiler's error is about the params, at their place, and not about the method.
  await agent.request("_acme/ping", {
    // @ts-expect-error no such member
    txt: "x",
  });
  await session.agent.request("session/set_mode", {
    // @ts-expect-error no such member
    mode: "x",
  });
  const turn = session.prompt("Hello");
  for await (const update of turn.updates) if (update.sessionUpdate === "plan") update.entries.length.toFixed();
  const { stopReason } = await turn.response;
  // A turn is not a promise.
  // @ts-expect-error
  turn.then;
  return `${reply}${stopReason}${String(untyped)}${asserted.pong}`;
}
void use;

// An agent with more methods can replace one with fewer, and not the other way round.
interface Pinging extends AgentMethods {
  readonly "_acme/ping": { readonly kind: "request"; readonly params: { text: string }; readonly result: object };
}
type Connected<A> = (agent: ConnectedAgent<A>, context: ClientContext<A>, turn: Turn<A>) => void;
declare const takesFewer: Connected<AgentMethods>;
declare const takesMore: Connected<Pinging>;
export const fewer: Connected<Pinging> = takesFewer;
// @ts-expect-error the calls that it makes are not all taken
export const more: Connected<AgentMethods> = takesMore;
