// A program on a browser's globals: an agent and a client in one place, with the validators looking on.
import { createAgent, createClient, createMemoryTransportPair, extend, request, UsageError, v1 } from "@acp/core";
import { createAgentFor, createClientFor } from "@acp/core";
import * as unstable from "@acp/core/unstable";
import { withGoAgents, withGoClients } from "@acp/go-dialect";
import { type RecordedMessage, recordTraffic } from "@acp/record";
import { createSessionState, joinText } from "@acp/core/state";
import { readTrace, startTrace, withTrace } from "@acp/core/trace";
import { contentLength } from "@acp/framing";
import { decode } from "@acp/schema";
import { decodeContentBlock } from "@acp/schema/v1";
import { validateRequest } from "@acp/validators/v1";

const acme = extend(v1, { agent: { "_acme/echo": request<{ text: string }, { text: string }>() } });

const agent = createAgentFor(acme)({
  info: { name: "consumer-agent", version: "1" },
  session: () => ({ turns: 0 }),
  handlers: {
    "session/prompt": async (_, { session, turn }) => {
      session.state.turns += 1;
      await turn.message(`turn ${session.state.turns}`);
      return { stopReason: "end_turn" };
    },
    "_acme/echo": ({ text }) => ({ text }),
  },
});
const client = createClientFor(acme)({ info: { name: "consumer-client", version: "1" } });

const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const connected = await client.connect(ours);
const session = await connected.newSession({ cwd: "/" });
const store = createSessionState(session);
const turn = session.prompt("go");
for await (const update of turn.updates) {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") report(update.content.text);
}
report((await turn.response).stopReason);
const last = store.state.timeline.at(-1);
report(last?.type === "agent_message" ? joinText(last.chunks) : "");
report((await connected.request("_acme/echo", { text: "echo" })).text);
report(String(validateRequest("session/new", { cwd: "/", mcpServers: [] }).ok));
report(String(decode(decodeContentBlock, { type: "text", text: "" }).ok));
report(String(contentLength.encode(["{}"]).length));
const recorded: RecordedMessage[] = [];
recordTraffic((entry) => recorded.push(entry))("sent", '{"token":"secret"}');
report(JSON.stringify(recorded[0]?.message));
report(String(readTrace(withTrace(startTrace()))?.sampled));
withGoAgents(client);
withGoClients(agent);
// @ts-expect-error: the types of the package have to be there for this to be an error
createAgent({ info: { name: "misspelt", version: 1 }, handlers: { "session/prompt": () => ({ stopReason: "end" }) } });
createClient({ info: { name: "plain", version: "1" } });
// @ts-expect-error: there are no plans by id in the stable entry
createClient({ info: { name: "plain", version: "1" }, capabilities: { plan: {} } });
unstable.createClient({ info: { name: "unstable", version: "1" }, capabilities: { plan: {} } });
try {
  // @ts-expect-error: a handler for session/prompt is missing, which is told when the program runs, too
  unstable.createAgent({ info: { name: "unstable", version: "1" }, handlers: {} });
} catch (error) {
  // Errors of both entries are of the same classes.
  report(String(error instanceof UsageError && unstable.UsageError === UsageError));
}
await connected[Symbol.asyncDispose]();

function report(line: string): void {
  console.log(line);
}
