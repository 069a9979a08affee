/** A directed agent, written with this toolkit. */
import { AcpError, type AgentSession, type AgentTurn, createAgent, type Peer, RequestError } from "@acp/core";
import { serveStdio } from "@acp/node";
import type { ClientMethods, PromptResponse, SessionUpdate } from "@acp/schema/v1";

import { AgentDesk, desk } from "../agent-desk.ts";
import { ChosenFailure } from "../failure.ts";
import { asObject, type Json } from "../json.ts";
import { agentInfo, profileArgument } from "../profile.ts";
import { scoped, type TurnPort } from "../steps.ts";

const { capabilities, authMethods } = profileArgument();
const mind = new AgentDesk();

/** Methods whose handlers only log and answer, and what makes an agent have them. */
const handled: Readonly<Record<string, unknown>> = {
  authenticate: authMethods.length > 0 || undefined,
  logout: capabilities.auth?.logout,
  "session/new": true,
  "session/load": capabilities.loadSession || undefined,
  "session/resume": capabilities.sessionCapabilities?.resume,
  "session/list": capabilities.sessionCapabilities?.list,
  "session/close": capabilities.sessionCapabilities?.close,
  "session/delete": capabilities.sessionCapabilities?.delete,
  "session/set_mode": true,
  "session/set_config_option": true,
};

// Rows name methods at run time.
type AnyRequest = (method: string, params: unknown, options: object) => Promise<unknown>;
type AnyNotify = (method: string, params: unknown) => Promise<void>;
type AnyHandler = (params: unknown, context: AnyContext) => Promise<unknown>;
interface AnyContext {
  readonly client: Peer<ClientMethods>;
  readonly session?: AgentSession;
  readonly signal: AbortSignal;
}

const answering: Record<string, AnyHandler> = {};
for (const [method, wanted] of Object.entries(handled)) {
  if (wanted === undefined || wanted === null) continue;
  answering[method] = (params, { client, session, signal }) =>
    mind
      .answer(method, params, {
        signal,
        update: (sessionId, body) => {
          const update = body as unknown as SessionUpdate;
          return session === undefined
            ? client.notify("session/update", { sessionId, update })
            : session.update(update);
        },
      })
      .catch(rethrow);
}

const agent = createAgent({
  info: agentInfo,
  capabilities,
  authMethods,
  handlers: {
    ...answering,
    "session/prompt": async (params, { turn, session, client }) => {
      const port: TurnPort = {
        signal: turn.signal,
        update: (update) => turn.update(update as unknown as SessionUpdate),
        call: (method, callParams, signal) => {
          const request: AnyRequest = client.request;
          return request(method, scoped(method, session.id, callParams), { signal });
        },
        notify: (method, noteParams) => {
          const notify: AnyNotify = client.notify;
          return notify(method, noteParams);
        },
        outcome,
        story: () => tellStory(turn, client, session.cwd),
        print: (text) => process.stdout.write(text),
      };
      const result = await mind.turn(params, port).catch(rethrow);
      return result as PromptResponse;
    },
    "session/cancel": (params) => mind.record("session/cancel", params),
    [desk.arrange]: (params, context) => mind.direct(desk.arrange, params, peerOf(context)),
    [desk.log]: (params, context) => mind.direct(desk.log, params, peerOf(context)),
    [desk.peer]: (params, context) => mind.direct(desk.peer, params, peerOf(context)),
    [desk.echo]: (params, context) => mind.direct(desk.echo, params, peerOf(context)),
    [desk.note]: (params) => mind.record(desk.note, params),
  },
});

await serveStdio(agent);

function peerOf({ client }: { readonly client: object }): Json {
  const { capabilities: advertised, info } = asObject(client);
  return { capabilities: advertised, info };
}

async function outcome(promise: Promise<unknown>): ReturnType<TurnPort["outcome"]> {
  try {
    return { result: await promise };
  } catch (error) {
    if (error instanceof RequestError) return { failure: error.wire };
    const code = error instanceof AcpError ? error.code : error instanceof Error ? error.name : "unknown";
    return { failure: { code, message: String(error) } };
  }
}

/** A whole turn, the way an agent author writes it with this toolkit. */
async function tellStory(
  turn: AgentTurn,
  client: Parameters<NonNullable<Parameters<typeof createAgent>[0]["handlers"]["session/prompt"]>>[1]["client"],
  cwd: string,
): Promise<void> {
  await turn.message("Reading. ");
  await turn.thought("Hm.");
  await turn.plan([{ content: "Edit", priority: "high", status: "in_progress" }]);
  const edit = await turn.toolCall({ toolCallId: "edit", title: "Edit a.txt", kind: "edit", status: "pending" });
  const answer = await edit.requestPermission([
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ]);
  if (answer.outcome !== "selected" || answer.optionId !== "yes") throw new Error("not allowed");
  const path = `${cwd}/a.txt`;
  const { content } = await client.request("fs/read_text_file", { path });
  await client.request("fs/write_text_file", { path, content: content.toUpperCase() });
  await edit.complete([{ type: "diff", path, oldText: content, newText: content.toUpperCase() }]);
  const { terminalId } = await client.request("terminal/create", { command: "cat", args: ["a.txt"], cwd });
  const run = await turn.toolCall({
    toolCallId: "run",
    title: "Run cat",
    kind: "execute",
    content: [{ type: "terminal", terminalId }],
  });
  const { exitCode } = await client.request("terminal/wait_for_exit", { terminalId });
  const { output } = await client.request("terminal/output", { terminalId });
  await client.request("terminal/release", { terminalId });
  await run.complete();
  await turn.message(`${exitCode}: ${output}`);
}

function rethrow(error: unknown): never {
  throw error instanceof ChosenFailure ? new RequestError(error.failure) : error;
}
