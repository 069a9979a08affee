/** A client written with the official SDK, behind the port of the rows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

import type { AgentDetails, AgentExit, ClientPort, OpenClient, OpenOptions, PortTurn } from "../client-port.ts";
import { ClientRecord } from "../client-record.ts";
import { CallFailure, ChosenFailure } from "../failure.ts";
import { asObject, at, type Json } from "../json.ts";
import { clientInfo } from "../profile.ts";
import { PlainTerminals } from "./plain-terminals.ts";

type Host = (params: Json, signal: AbortSignal) => unknown;

/** Starts an agent and connects to it. */
export const openOfficialClient: OpenClient = async (options: OpenOptions) => {
  const { command, args, client: profile, protocolVersion = acp.PROTOCOL_VERSION } = options;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const record = new ClientRecord();
  const app = acp.client({ name: "official-client" });
  const terminals = new PlainTerminals();
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
  };
  for (const [method, host] of Object.entries(hosts)) {
    const register = app.onRequest as (method: string, handler: unknown) => unknown;
    register.call(app, method, (context: acp.ClientRequestContext<unknown>) => answer(method, host, context));
  }
  app.onRequest("_interop/echo", asObject, (context) => answer("_interop/echo", (params) => params, context));
  app.onNotification("_interop/note", asObject, ({ params }) => record.saw("_interop/note", params));
  app.onNotification("session/update", ({ params }) => record.sawUpdate(params));
  if (profile.elicitation?.url) {
    app.onNotification("elicitation/complete", ({ params }) => record.saw("elicitation/complete", params));
  }

  async function answer(method: string, host: Host, context: acp.ClientRequestContext<unknown>): Promise<unknown> {
    const { params, signal } = context;
    record.saw(method, params);
    signal.addEventListener("abort", () => record.saw("$/cancel_request", {}), { once: true });
    try {
      return await (record.answerOf(method) ?? host)(asObject(params), signal);
    } catch (error) {
      if (!(error instanceof ChosenFailure)) throw error;
      const { code, message, data } = error.failure;
      throw new acp.RequestError(code, message, data);
    }
  }

  const connection = app.connect(
    acp.ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
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
    if (!(error instanceof acp.RequestError)) {
      throw new CallFailure({ code: error instanceof Error ? error.name : "unknown", message: String(error) }, error);
    }
    throw new CallFailure({ code: error.code, message: error.message, data: error.data }, error);
  }
}
