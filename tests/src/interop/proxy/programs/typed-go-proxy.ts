/** The same made of a typed agent and a typed client, for what the dialect has. */
import { type AgentTurnContext, asReceived, createAgent, createClient, type Diagnostic, RequestError } from "@acp/core";
import { withGoAgents, withGoClients } from "@acp/go-dialect";
import { serveStdio, spawnAgent } from "@acp/node";

let near: AgentTurnContext["client"] | undefined;
let diagnostics: Diagnostic[] = [];
const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);

async function answered<T>(answer: Promise<unknown>): Promise<T> {
  try {
    return asReceived(await answer);
  } catch (error) {
    throw error instanceof RequestError ? new RequestError(error.wire, { cause: error }) : error;
  }
}

const towardsAgent = createClient({
  info: { name: "typed-go-proxy", version: "1.0.0" },
  onDiagnostic,
  handlers: { "session/update": (params) => near?.notify("session/update", asReceived(params)) },
});
const [command = "", ...args] = process.argv.slice(2);
const far = await spawnAgent(withGoAgents(towardsAgent, { onDiagnostic }), { command, args });

const towardsClient = createAgent({
  info: far.info ?? { name: "typed-go-proxy", version: "1.0.0" },
  capabilities: asReceived(far.capabilities),
  onDiagnostic,
  handlers: {
    "session/new": (params) => answered(far.request("session/new", asReceived(params))),
    "session/prompt": (params, { client }) => {
      near = client;
      return answered(far.request("session/prompt", asReceived(params)));
    },
    "session/cancel": (params) => far.notify("session/cancel", asReceived(params)),
    "_acme.dev/workspace/buffers": (params) => answered(far.request("_acme.dev/workspace/buffers", params)),
    // For the tests: what the two halves had to tell of.
    "_proxy/diagnostics": () => {
      const told = diagnostics.map(({ type, message }) => ({ type, message }));
      diagnostics = [];
      return told;
    },
  },
});
await serveStdio(withGoClients(towardsClient));
await far.close();
