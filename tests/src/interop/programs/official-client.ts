/** A client written with the official SDK, with either of its entries, behind the port of the rows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";

import * as stable from "@agentclientprotocol/sdk";
import type * as acp from "@agentclientprotocol/sdk/unstable";
import * as unstable from "@agentclientprotocol/sdk/unstable";

import type { AgentDetails, AgentExit, ClientPort, OpenClient, OpenOptions, PortTurn } from "../client-port.ts";
import { ClientRecord } from "../client-record.ts";
import { CallFailure, ChosenFailure } from "../failure.ts";
import { asObject, at, type Json } from "../json.ts";
import { clientInfo } from "../profile.ts";
import { acpServer, tools, toolsProgress } from "../../support/samples-unstable.ts";
import { PlainTerminals } from "./plain-terminals.ts";
import { aborted } from "../../support/aborted.ts";

type Context = acp.ClientRequestContext<unknown>;
type Host = (params: Json, context: Context) => unknown;

/** Starts an agent and connects to it. */
export const openOfficialClient: OpenClient = async (options: OpenOptions) => {
  // A row's profile fits its entry.
  const sdk = (options.entry === "unstable" ? unstable : stable) as typeof unstable;
  const { command, args, client: profile, protocolVersion = sdk.PROTOCOL_VERSION } = options;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const record = new ClientRecord();
  const app = sdk.client({ name: "official-client" });
  const terminals = new PlainTerminals();
  const mcp = new unstable.McpOverAcpProvider();
  const hosts: Record<string, Host> = {
    "session/request_permission": (params) => ({
      outcome: { outcome: "selected", optionId: at(params, "options", 0, "optionId") },
    }),
    ...(profile.fs?.readTextFile ? { "fs/read_text_file": readTextFile } : {}),
    ...(profile.fs?.writeTextFile ? { "fs/write_text_file": writeTextFile } : {}),
    ...(profile.terminal ? terminals.handlers : {}),
    ...(profile.elicitation?.form || profile.elicitation?.url
      ? { "elicitation/create": () => ({ action: "cancel" }) }
      : {}),
    ...(options.entry === "unstable" && { "mcp/message": serveTools }),
  };
  for (const [method, host] of Object.entries(hosts)) {
    const register = app.onRequest as (method: string, handler: unknown) => unknown;
    register.call(app, method, (context: Context) => answer(method, host, context));
  }
  app.onRequest("_interop/echo", asObject, (context) => answer("_interop/echo", (params) => params, context));
  app.onNotification("_interop/note", asObject, ({ params }) => record.saw("_interop/note", params));
  app.onNotification("session/update", ({ params }) => record.sawUpdate(params));
  if (profile.elicitation?.url) {
    app.onNotification("elicitation/complete", ({ params }) => record.saw("elicitation/complete", params));
  }
  if (options.entry === "unstable") {
    app.onNotification("auth/status_update", ({ params }) => record.saw("auth/status_update", params));
  }
  // Its SDK has types for what a conductor handles, and no side that does: the method goes by the name of a custom one.
  const { proxy_successor: successor } = unstable.PROXY_METHODS;
  app.onRequest(successor, asObject, (context) => answer(successor, (params) => params, context));
  app.onNotification(successor, asObject, ({ params }) => record.saw(successor, params));

  function serveTools(_params: Json, context: Context): unknown {
    return mcp.handleRequest(context as acp.ClientRequestContext<acp.MessageMcpRequest>);
  }

  async function answer(method: string, host: Host, context: Context): Promise<unknown> {
    const { params, signal } = context;
    record.saw(method, params);
    // The official SDK aborts the signal of a handler that it has not called yet.
    void aborted(signal).then(() => record.saw("$/cancel_request", {}));
    try {
      const arranged = record.answerOf(method);
      return await (arranged === undefined ? host(asObject(params), context) : arranged(asObject(params), signal));
    } catch (error) {
      if (!(error instanceof ChosenFailure)) throw error;
      const { code, message, data } = error.failure;
      throw new sdk.RequestError(code, message, data);
    }
  }

  const connection = app.connect(
    sdk.ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  mcp.registerServer(agent, {
    name: "Tools",
    serverId: acpServer.serverId,
    handler: async ({ notify }) => {
      await notify(toolsProgress.method, toolsProgress.params);
      return { result: tools };
    },
  });
  try {
    const initialized: acp.InitializeResponse = await agent.request("initialize", {
      protocolVersion,
      clientCapabilities: profile,
      clientInfo,
    });
    return new OfficialPort(initialized, record, connection, child);
  } catch (error) {
    child.kill();
    throw error;
  }
};

class OfficialPort implements ClientPort {
  readonly details: AgentDetails;
  readonly record: ClientRecord;
  readonly closed: Promise<void>;
  readonly #connection: acp.ClientConnection;
  readonly #child: ChildProcess;

  constructor(
    details: acp.InitializeResponse,
    record: ClientRecord,
    connection: acp.ClientConnection,
    child: ChildProcess,
  ) {
    const { protocolVersion, agentInfo, agentCapabilities, authMethods } = details;
    this.details = { protocolVersion, agentInfo, agentCapabilities, authMethods };
    this.record = record;
    this.closed = connection.closed;
    this.#connection = connection;
    this.#child = child;
  }

  async call(
    method: string,
    params: Json,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Json> {
    const options = signal === undefined ? {} : { cancellationSignal: signal };
    return settled(async () => asObject(await this.#connection.agent.request(method, params, options)));
  }

  async notify(method: string, params: Json): Promise<void> {
    return settled(() => this.#connection.agent.notify(method, params));
  }

  async prompt(params: Json, { cancel }: { readonly cancel?: AbortSignal | undefined } = {}): Promise<PortTurn> {
    const sessionId = String(params["sessionId"]);
    const before = this.record.updatesOf(sessionId).length;
    const answer = this.call("session/prompt", params);
    const stop = (): void => void this.notify("session/cancel", { sessionId });
    if (cancel?.aborted) stop();
    cancel?.addEventListener("abort", stop, { once: true });
    try {
      const response = await answer;
      // The official SDK settles a response before it has handled the notifications that came before it.
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { updates: this.record.updatesOf(sessionId).slice(before), response };
    } finally {
      cancel?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<AgentExit> {
    const exited = once(this.#child, "exit");
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill(), 5_000);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await exited;
    clearTimeout(timer);
    this.#connection.close();
    return { exitCode: this.#child.exitCode, signal: this.#child.signalCode };
  }
}

async function readTextFile(params: Json): Promise<Json> {
  const { path, line, limit } = params;
  const text = await readFile(String(path), "utf8").catch(() => {
    throw new ChosenFailure({ code: -32002, message: "No such file", data: { uri: path } });
  });
  const lines = text.split(/(?<=\n)/u);
  const from = typeof line === "number" ? line - 1 : 0;
  return { content: lines.slice(from, typeof limit === "number" ? from + limit : undefined).join("") };
}

async function writeTextFile({ path, content }: Json): Promise<void> {
  await writeFile(String(path), String(content));
}

async function settled<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof stable.RequestError)) {
      throw new CallFailure({ code: error instanceof Error ? error.name : "unknown", message: String(error) }, error);
    }
    throw new CallFailure({ code: error.code, message: error.message, data: error.data }, error);
  }
}
