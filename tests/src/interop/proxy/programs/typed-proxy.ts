/**
 * A proxy made of an agent and a client, typed, as one writes it who wants to know what goes by: it names the methods
 * that it passes on. Its agent is the command line behind it.
 */
import {
  type AgentContext,
  asReceived,
  createAgent,
  createClient,
  type Diagnostic,
  RequestError,
} from "@acp/core/unstable";
import { serveStdio, spawnAgent } from "@acp/node";

type Near = AgentContext["client"];

let near: Near | undefined;
let diagnostics: Diagnostic[] = [];
const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);

/** The client, once it has called. */
function toClient(): Near {
  if (near === undefined) throw new Error("The client has not called yet");
  return near;
}

/** Answers with what was answered, an error included, which a handler would not do by itself. */
async function answered<T>(answer: Promise<unknown>): Promise<T> {
  try {
    return asReceived(await answer);
  } catch (error) {
    throw error instanceof RequestError ? new RequestError(error.wire, { cause: error }) : error;
  }
}

const towardsAgent = createClient({
  info: { name: "typed-proxy", version: "1.0.0" },
  capabilities: {
    elicitation: { form: {}, url: {} },
    plan: {},
    subagents: {},
    auth: { terminal: true },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  },
  onDiagnostic,
  handlers: {
    "session/update": (params) => toClient().notify("session/update", asReceived(params)),
    "auth/status_update": (params) => toClient().notify("auth/status_update", asReceived(params)),
    "elicitation/complete": (params) => toClient().notify("elicitation/complete", asReceived(params)),
    "session/request_permission": (params, { signal }) =>
      answered(toClient().request("session/request_permission", asReceived(params), { signal })),
    "elicitation/create": (params, { signal }) =>
      answered(toClient().request("elicitation/create", asReceived(params), { signal })),
    "fs/read_text_file": (params, { signal }) =>
      answered(toClient().request("fs/read_text_file", asReceived(params), { signal })),
    "fs/write_text_file": (params, { signal }) =>
      answered(toClient().request("fs/write_text_file", asReceived(params), { signal })),
    "mcp/message": (params, { signal }) => answered(toClient().request("mcp/message", asReceived(params), { signal })),
    "terminal/create": (params, { signal }) =>
      answered(toClient().request("terminal/create", asReceived(params), { signal })),
    "terminal/kill": (params, { signal }) =>
      answered(toClient().request("terminal/kill", asReceived(params), { signal })),
    "terminal/output": (params, { signal }) =>
      answered(toClient().request("terminal/output", asReceived(params), { signal })),
    "terminal/release": (params, { signal }) =>
      answered(toClient().request("terminal/release", asReceived(params), { signal })),
    "terminal/wait_for_exit": (params, { signal }) =>
      answered(toClient().request("terminal/wait_for_exit", asReceived(params), { signal })),
    "_acme.dev/workspace/buffers": (params, { signal }) =>
      answered(toClient().request("_acme.dev/workspace/buffers", params, { signal })),
    "_acme.dev/file_opened": (params) => toClient().notify("_acme.dev/file_opened", params),
  },
});

const [command = "", ...args] = process.argv.slice(2);
const far = await spawnAgent(towardsAgent, { command, args });

/** The same for a request of the client, who can be called from then on. */
function fromClient<T>(client: unknown, answer: Promise<unknown>): Promise<T> {
  near = client as Near;
  return answered(answer);
}

const towardsClient = createAgent({
  info: far.info ?? { name: "typed-proxy", version: "1.0.0" },
  capabilities: asReceived(far.capabilities),
  authMethods: asReceived(far.authMethods),
  _meta: far.meta,
  onDiagnostic,
  handlers: {
    authenticate: (params, { client, signal }) =>
      fromClient(client, far.request("authenticate", asReceived(params), { signal })),
    logout: (params, { client, signal }) => fromClient(client, far.request("logout", asReceived(params), { signal })),
    "auth/status": (params, { client, signal }) =>
      fromClient(client, far.request("auth/status", asReceived(params), { signal })),
    "providers/list": (params, { client, signal }) =>
      fromClient(client, far.request("providers/list", asReceived(params), { signal })),
    "providers/set": (params, { client, signal }) =>
      fromClient(client, far.request("providers/set", asReceived(params), { signal })),
    "providers/disable": (params, { client, signal }) =>
      fromClient(client, far.request("providers/disable", asReceived(params), { signal })),
    "session/new": (params, { client, signal }) =>
      fromClient(client, far.request("session/new", asReceived(params), { signal })),
    "session/load": (params, { client, signal }) =>
      fromClient(client, far.request("session/load", asReceived(params), { signal })),
    "session/resume": (params, { client, signal }) =>
      fromClient(client, far.request("session/resume", asReceived(params), { signal })),
    "session/fork": (params, { client, signal }) =>
      fromClient(client, far.request("session/fork", asReceived(params), { signal })),
    "session/list": (params, { client, signal }) =>
      fromClient(client, far.request("session/list", asReceived(params), { signal })),
    "session/delete": (params, { client, signal }) =>
      fromClient(client, far.request("session/delete", asReceived(params), { signal })),
    "session/close": (params, { client, signal }) =>
      fromClient(client, far.request("session/close", asReceived(params), { signal })),
    "session/archive": (params, { client, signal }) =>
      fromClient(client, far.request("session/archive", asReceived(params), { signal })),
    "session/unarchive": (params, { client, signal }) =>
      fromClient(client, far.request("session/unarchive", asReceived(params), { signal })),
    "session/status": (params, { client, signal }) =>
      fromClient(client, far.request("session/status", asReceived(params), { signal })),
    "session/set_title": (params, { client, signal }) =>
      fromClient(client, far.request("session/set_title", asReceived(params), { signal })),
    "session/set_mode": (params, { client, signal }) =>
      fromClient(client, far.request("session/set_mode", asReceived(params), { signal })),
    "session/set_config_option": (params, { client, signal }) =>
      fromClient(client, far.request("session/set_config_option", asReceived(params), { signal })),
    // Not cancelled by its signal: the turn ends with the answer to session/cancel.
    "session/prompt": (params, { client }) => fromClient(client, far.request("session/prompt", asReceived(params))),
    "session/cancel": (params) => far.notify("session/cancel", asReceived(params)),
    "mcp/message": (params) => far.notify("mcp/message", asReceived(params)),
    "_acme.dev/workspace/buffers": (params, { client, signal }) =>
      fromClient(client, far.request("_acme.dev/workspace/buffers", params, { signal })),
    "_acme.dev/file_opened": (params) => far.notify("_acme.dev/file_opened", params),
    // For the tests: what the two halves had to tell of since this was asked last.
    "_proxy/diagnostics": () => {
      const told = diagnostics.map(({ type, message }) => ({ type, message }));
      diagnostics = [];
      return told;
    },
  },
});
await serveStdio(towardsClient);
await far.close();
