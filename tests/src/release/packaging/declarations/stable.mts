// A value of each public function of `@acp/core`, exported without a type.
import * as core from "@acp/core";
import * as say from "@acp/core/agent";
import * as questions from "@acp/core/elicitation";
import { withGoAgents, withGoClients } from "@acp/go-dialect";
import { createCookieJar, createHttpServer, createHttpTransport } from "@acp/http";
import { createProxy } from "@acp/proxy";
import { createChainProxy, createConductor } from "@acp/proxy/chain";
import { recordTraffic, recordTransport } from "@acp/record";
import { listSessions, pageSessions } from "@acp/core/sessions";
import * as states from "@acp/core/state";
import * as steering from "@acp/core/steering";
import * as trace from "@acp/core/trace";
import type * as next from "@acp/core/v2";
import * as nextSay from "@acp/core/v2/agent";
import * as nextStates from "@acp/core/v2/state";

const info = { name: "declared", version: "1.0.0" };
export const pair = core.createMemoryTransportPair();
const [transport] = pair;

export const agent = core.createAgent({
  info,
  session: () => ({ count: 1 }),
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});
export const client = core.createClient({ info });
export const extended = core.extend(core.v1, {
  agent: { "_x/ask": core.request<{ what: string }, { answer: string }>() },
  client: { "_x/tell": core.notification<{ what: string }>() },
});
export const [createMyAgent, createMyClient] = [core.createAgentFor(extended), core.createClientFor(extended)];
export const myClient = createMyClient({ info });
export const mine = await myClient.connect(transport);
export const mySession = await mine.newSession({ cwd: "/" });

export const connected = await client.connect(transport);
export const opening = connected.newSession({ cwd: "/" });
export const session = await opening;
export const turn = session.prompt("Hello");
export const updates = turn.updates;
export const iterator = updates[Symbol.asyncIterator]();
export const response = await turn.response;
export const { authMethods, capabilities, meta } = connected;
export const asked = await connected.request("session/list", {});
export const error = core.RequestError.internalError("Failed");
export const framings = [core.ndjson, core.contentLength];
export const pipe = core.createWebStreamPipe({ readable: new ReadableStream(), writable: new WritableStream() });
export const transports = [core.createByteTransport(pipe), transport, recordTransport(transport, () => {})];
export const received = (value: object) => core.asReceived<core.SessionNotification>(value);
export const block: core.ContentBlock = { type: "text", text: "Hello" };

export const prompted = async (current: core.AgentTurn, open: core.AgentSession) => {
  const call = await current.toolCall({ title: "Read" });
  const form = { properties: { stage: { type: "string", enum: ["a", "b"] } }, required: ["stage"] } as const;
  return {
    call,
    open,
    setup: open.client,
    outcome: await call.requestPermission(),
    plan: await say.createPlan(current, ["Read"]),
    permission: await say.askPermission(call),
    ran: await say.runCommand(current, { command: "ls" }),
    form: await say.elicitForm(current, { message: "Where?", schema: form }),
    url: await say.elicitUrl(current, { message: "Go", url: "https://localhost", elicitationId: "1" }),
    compaction: await say.startCompaction(open),
    report: await say.sendToolCall(current, { toolCallId: "1", title: "Read" }),
  };
};
export const blocks = [say.text("Hi"), say.resourceLink("file:///a", "a")];
export const change = say.diff({ path: "/a", newText: "" });
export const settings = say.createSettings({
  modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
  configOptions: [{ type: "boolean", id: "web", name: "Web", currentValue: false }],
});
export const commands = say.defineCommands({ go: { description: "Go", run: () => 1 } });
export const command = say.parseCommand([block]);
export const run = (current: core.AgentTurn) => commands.run([], current);
export type Declared = say.Commands<"go">;

export const nextPrompted = async (current: next.AgentTurn, open: next.AgentSession) => {
  const call = await current.toolCall({ title: "Read" });
  const form = { properties: { stage: { type: "string", enum: ["a", "b"] } }, required: ["stage"] } as const;
  return {
    call,
    open,
    setup: current.client,
    plan: await nextSay.createPlan(current, ["Read"]),
    permission: await nextSay.askPermission(call),
    ran: await nextSay.runCommand(current, { command: "ls", run: () => ({ exitCode: 0 }) }),
    form: await nextSay.elicitForm(current, { message: "Where?", schema: form }),
    url: await nextSay.elicitUrl(current, { message: "Go", url: "https://localhost", elicitationId: "1" }),
    compaction: await nextSay.startCompaction(open),
    report: await nextSay.sendToolCall(current, { toolCallId: "1", title: "Read" }),
  };
};
export const nextBlocks = [nextSay.text("Hi"), nextSay.resourceLink("file:///a", "a")];
export const nextChange = nextSay.diff({ path: "/a", newText: "" });
export const nextSettings = nextSay.createSettings({
  configOptions: [{ type: "boolean", configId: "web", name: "Web", currentValue: false }],
});
export const nextCommands = nextSay.defineCommands({ go: { description: "Go", run: () => 1 } });
export const nextCommand = nextSay.parseCommand([nextSay.text("/go")]);
export const nextRun = (current: next.AgentTurn) => nextCommands.run([], current);
export type NextDeclared = nextSay.Commands<"go">;

export const elicit = questions.elicitation({ form: ({ defaults }) => ({ action: "accept", content: defaults }) });
export const problems = questions.validateForm({ properties: {} }, {});
export const report = questions.inspectUrl("https://localhost");
export const hints = questions.lintForm({ properties: {} });

export const store = states.createSessionState(session);
export const state = store.state;
export const items = [...state.timeline];
export const modes = states.modeSelector(state);
export const reduced = (event: states.SessionEvent) => states.reduceSession(state, event);

declare const nextSession: nextStates.ObservableSession;
export const nextStore = nextStates.createSessionState(nextSession);
export const nextState = nextStore.state;
export const nextItems = [...nextState.timeline, ...nextState.terminals];
export const cost = nextState.usage?.cost;
export const nextOptions = nextStates.optionsOf(nextState, "mode");
export const [waiting] = nextStates.waitingTurns(nextState);
export const bytes = nextStates.terminalBytes([]);
export const nextReduced = (event: nextStates.SessionEvent) => nextStates.reduceSession(nextState, event);

export const http = createHttpServer({
  authorize: () => ({ user: "ada" }),
  agent: (_request, { user }) => agent ?? user,
});
export const upgrade = await http.upgrade(new Request("http://localhost"));
export const remote = createHttpTransport("http://localhost", { cookies: createCookieJar() });

export const proxy = createProxy({ connect: () => transport });
export const chainProxy = createChainProxy({ state: () => ({ count: 1 }) });
export const conductor = createConductor({ proxies: [], agent: { connect: () => transport } });
export const list = listSessions(connected);
export const page = pageSessions([{ sessionId: "a", cwd: "/" }], {});
export const recorder = recordTraffic(() => {});
export const steered = (open: core.ClientSession, current: core.AgentTurn) => {
  const { receiveSteering, steeringMeta, steeringMethods } = steering;
  const outcome = steering.steer(open, "More");
  return { outcome, said: steering.steeringOf(current).take(), receiveSteering, steeringMeta, steeringMethods };
};
export const spans = [trace.readTrace({}), trace.childTrace(undefined), trace.startTrace()];
export const withSpan = trace.withTrace(trace.startTrace());
export const forGo = [withGoAgents(client), withGoClients(agent, { cwd: "/" })];

export class Editor {
  readonly agent = client.connect(transport);
  readonly session = this.agent.then((opened) => opened.newSession({ cwd: "/" }));
}
