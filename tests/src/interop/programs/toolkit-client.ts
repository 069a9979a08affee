/** A client written with this toolkit, with either of its entries, behind the port of the rows. */
import * as stable from "@acp/core";
import { AcpError, RequestError } from "@acp/core";
import * as unstable from "@acp/core/unstable";
import { fileSystem, spawnAgent, type SpawnedAgent, terminals } from "@acp/node";
import { unknownVariant } from "@acp/schema";
import type { ContentBlock, Received } from "@acp/schema/v1/unstable";

import type { AgentExit, ClientPort, OpenClient, OpenOptions, PortTurn } from "../client-port.ts";
import { ClientRecord, unknownUpdate } from "../client-record.ts";
import { CallFailure, ChosenFailure } from "../failure.ts";
import { asObject, at, type Json } from "../json.ts";
import { clientInfo } from "../profile.ts";
import { tools, toolsProgress } from "../../support/samples-unstable.ts";

/** Starts an agent and connects to it. */
export const openToolkitClient: OpenClient = async (options: OpenOptions) => {
  const record = new ClientRecord();
  // A row's profile fits its entry.
  const createClient = (options.entry === "unstable" ? unstable : stable).createClient as typeof unstable.createClient;
  const client = createClient({
    info: clientInfo,
    capabilities: options.client,
    handlers: handlersFor(options, record),
  });
  const agent = await spawnAgent(client, {
    command: options.command,
    args: options.args,
    onTraffic: (direction, text) => {
      if (direction === "received" && text.includes('"$/cancel_request"')) record.saw("$/cancel_request", {});
    },
    onStderr: (line) => process.stderr.write(`agent: ${line}\n`),
  });
  return new ToolkitPort(agent, record);
};

// Rows name methods at run time.
type AnyRequest = (method: string, params: unknown, options: object) => Promise<unknown>;
type AnyNotify = (method: string, params: unknown) => Promise<void>;

class ToolkitPort implements ClientPort {
  readonly details: ClientPort["details"];
  readonly record: ClientRecord;
  readonly closed: Promise<void>;
  readonly #agent: SpawnedAgent<unstable.ConnectedAgent>;

  constructor(agent: SpawnedAgent<unstable.ConnectedAgent>, record: ClientRecord) {
    this.#agent = agent;
    this.record = record;
    this.closed = agent.closed;
    this.details = {
      protocolVersion: agent.protocolVersion,
      agentInfo: agent.info,
      agentCapabilities: agent.capabilities,
      authMethods: agent.authMethods,
    };
  }

  async call(method: string, params: Json, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<Json> {
    const request: AnyRequest = this.#agent.request;
    return settled(async () => asObject(await request(method, params, options)));
  }

  async notify(method: string, params: Json): Promise<void> {
    const notify: AnyNotify = this.#agent.notify;
    return settled(() => notify(method, params));
  }

  async prompt(params: Json, { cancel }: { readonly cancel?: AbortSignal | undefined } = {}): Promise<PortTurn> {
    const { sessionId, prompt, _meta } = params;
    const session = this.#agent.session(String(sessionId));
    if (session === undefined) return { updates: [], response: await this.call("session/prompt", params) };
    const turn = session.prompt(prompt as ContentBlock[], {
      signal: cancel,
      ...(_meta ? { _meta: asObject(_meta) } : {}),
    });
    const updates: Json[] = [];
    return settled(async () => {
      for await (const update of turn.updates) updates.push(asReceived(update));
      return { updates, response: asObject(await turn.response) };
    });
  }

  async close(): Promise<AgentExit> {
    await this.#agent.close();
    return this.#agent.process.exited;
  }
}

/** The update as it came, also if its variant is unknown, or that of something in it. */
function asReceived(update: Received.SessionUpdate): Json {
  return asObject(JSON.parse(JSON.stringify(update)));
}

type AnyHandler = (params: Json, context: unstable.ClientContext) => unknown;

/** Handlers for what a profile advertises: real files and terminals, and the row's answers before them. */
function handlersFor({ client: profile, entry }: OpenOptions, record: ClientRecord): unstable.ClientHandlers {
  const files = fileSystem() as unknown as Record<string, AnyHandler>;
  const commands = terminals() as unknown as Record<string, AnyHandler>;
  const hosts: Record<string, AnyHandler> = { "session/request_permission": allow };
  if (profile.fs?.readTextFile) Object.assign(hosts, pick(files, "fs/read_text_file"));
  if (profile.fs?.writeTextFile) Object.assign(hosts, pick(files, "fs/write_text_file"));
  if (profile.terminal) Object.assign(hosts, commands);
  if (profile.elicitation?.form || profile.elicitation?.url) hosts["elicitation/create"] = () => ({ action: "cancel" });
  if (entry === "unstable") hosts["mcp/message"] = serveTools;
  hosts["_interop/echo"] = (params) => params;
  const handlers: Record<string, AnyHandler> = {};
  for (const [method, host] of Object.entries(hosts)) {
    handlers[method] = async (params, context) => {
      record.saw(method, params);
      try {
        const answer = record.answerOf(method);
        return await (answer === undefined ? host(params, context) : answer(params, context.signal));
      } catch (error) {
        throw error instanceof ChosenFailure ? new RequestError(error.failure) : error;
      }
    };
  }
  handlers["session/update"] = (params) => {
    const update = at(params, "update") as Received.SessionUpdate;
    if (update.sessionUpdate === unknownVariant) record.saw(unknownUpdate, asReceived(update));
    record.sawUpdate({ ...params, update: asReceived(update) });
  };
  const noted = ["_interop/note"];
  if (profile.elicitation?.url) noted.push("elicitation/complete");
  if (entry === "unstable") noted.push("auth/status_update");
  for (const method of noted) handlers[method] = (params) => record.saw(method, params);
  return handlers;
}

/** The MCP server of this client. */
async function serveTools({ serverId, requestId }: Json, { agent }: unstable.ClientContext): Promise<Json> {
  const request = { serverId: String(serverId), requestId: String(requestId) };
  await agent.notify("mcp/message", { ...request, ...toolsProgress });
  return { result: tools };
}

function allow(params: Json): Json {
  return { outcome: { outcome: "selected", optionId: at(params, "options", 0, "optionId") } };
}

function pick(handlers: Record<string, AnyHandler>, method: string): Record<string, AnyHandler> {
  const handler = handlers[method];
  return handler === undefined ? {} : { [method]: handler };
}

async function settled<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RequestError) throw new CallFailure(error.wire, error);
    const code = error instanceof AcpError ? error.code : error instanceof Error ? error.name : "unknown";
    throw new CallFailure({ code, message: String(error) }, error);
  }
}
