import { RequestError } from "@acp/core";
import type { Forward, Intercept, ProxyMessage, ProxyPeer } from "@acp/proxy";
import { decode, type Decoder } from "@acp/schema";
import {
  decodeCreateTerminalRequest,
  decodeKillTerminalRequest,
  decodeReadTextFileRequest,
  decodeReleaseTerminalRequest,
  decodeTerminalOutputRequest,
  decodeWaitForTerminalExitRequest,
  decodeWriteTextFileRequest,
} from "@acp/schema/v1";
import { fileSystem, type HostContext, permissionPolicy, type PermissionRule, terminals } from "#runtime";

import { membersOf } from "../../text/json-text.ts";
import { askClient } from "./ask-client.ts";
import { createLentOutput, type LentOutput } from "./lent-output.ts";
import { requireInside, LentSessions } from "./lent-sessions.ts";

export interface LendOptions {
  /** The directory whose files are lent; absolute. */
  readonly files: string | undefined;
  readonly terminals: boolean;
  /** What is allowed without a question. */
  readonly rules: readonly PermissionRule[];
  /** Allow everything that is lent. */
  readonly allowsAll: boolean;
}

/** The intercepts of a proxy that lends, for one connection. */
export interface Lender {
  readonly fromClient: Intercept;
  readonly fromAgent: Intercept;
  /** Ends all sessions, and with them their terminals. */
  close(): void;
}

type Members = Readonly<Record<string, unknown>>;
type Handle = (params: unknown, context: HostContext) => unknown;

/**
 * Lends the files and terminals of this machine to a client that has none, such as a page: tells the agent that the client has
 * them, and answers the agent in the client's place. Only in version 1: in version 2 agents use their own.
 */
export function createLender(options: LendOptions): Lender {
  const sessions = new LentSessions();
  let client: ProxyPeer | undefined;
  const output = createLentOutput(() => client);
  const handlers = createHandlers(options, () => client, output);
  /** Whether the agent speaks version 1. */
  let lends = false;

  return {
    async fromClient(message, forward, peers) {
      client = peers.client;
      const { method } = message;
      const params = membersOf(message.params);
      if (method === "initialize" && params["protocolVersion"] === 1) {
        const answer = await forward({ method, params: { ...params, clientCapabilities: lentTo(params, options) } });
        lends = membersOf(answer)["protocolVersion"] === 1;
        return answer;
      }
      if (!lends) return forward(message);
      const opened = directoriesOf(method, params);
      if (opened === undefined) {
        const answer = await forward(message);
        if (/^session\/(?:close|delete)$/u.test(method)) sessions.close(String(params["sessionId"]));
        return answer;
      }
      if (options.files !== undefined) await requireInside(options.files, opened);
      const [cwd = "", ...more] = opened;
      // The agent may ask for files before it answers, as it repeats the history.
      const known = params["sessionId"];
      const isOpened = typeof known === "string" && method !== "session/fork";
      if (isOpened) sessions.open(known, cwd, more);
      const answer = await forward(message).catch((error: unknown) => {
        if (isOpened) sessions.close(known);
        throw error;
      });
      const made = membersOf(answer)["sessionId"];
      if (typeof made === "string") sessions.open(made, cwd, more);
      return answer;
    },
    fromAgent(message, forward, { signal }) {
      const handle = lends && message.kind === "request" ? handlers.get(message.method) : undefined;
      if (handle === undefined) return passOn(message, forward, output);
      const session = sessions.get(String(membersOf(message.params)["sessionId"]));
      return handle(message.params, { session, signal });
    },
    close: () => sessions.closeAll(),
  };
}

/** Passes a message of the agent on. The client learns of a call before it learns what the call's terminals print. */
async function passOn(message: ProxyMessage, forward: Forward, output: LentOutput): Promise<unknown> {
  const answer = await forward(message);
  if (message.method === "session/update") output.look(message.params);
  return answer;
}

/** The capabilities of the client, with what is lent to it. */
function lentTo(params: Members, { files, terminals: lendsTerminals }: LendOptions): object {
  return {
    ...membersOf(params["clientCapabilities"]),
    ...(files === undefined ? {} : { fs: { readTextFile: true, writeTextFile: true } }),
    ...(lendsTerminals ? { terminal: true } : {}),
  };
}

/** The directories of a session that a request opens; `undefined` for other requests. */
function directoriesOf(method: string, params: Members): string[] | undefined {
  if (!/^session\/(?:new|load|resume|fork)$/u.test(method)) return undefined;
  const { cwd, additionalDirectories } = params;
  const more: unknown[] = Array.isArray(additionalDirectories) ? additionalDirectories : [];
  return [cwd, ...more].map(String);
}

/** What answers the agent, by method. */
function createHandlers(
  { files, terminals: lendsTerminals, rules, allowsAll }: LendOptions,
  client: () => ProxyPeer | undefined,
  output: LentOutput,
): ReadonlyMap<string, Handle> {
  const own: PermissionRule[] = files === undefined ? [] : [{ kind: "read", within: files, then: "allow" }];
  const policy = permissionPolicy({
    rules: [...rules, ...own],
    otherwise: allowsAll ? "allow" : "reject",
    ...(allowsAll ? {} : { ask: (action, session, signal) => askClient(client(), action, session, signal) }),
  });
  const handlers = new Map<string, Handle>();
  const add = <Params>(
    method: string,
    decoder: Decoder<Params>,
    handler: (params: Params, context: HostContext) => unknown,
  ): void => {
    handlers.set(method, (params, context) => handler(decoded(decoder, params), context));
  };
  if (files !== undefined) {
    const host = fileSystem({ roots: [files], policy });
    add("fs/read_text_file", decodeReadTextFileRequest, host["fs/read_text_file"]);
    add("fs/write_text_file", decodeWriteTextFileRequest, host["fs/write_text_file"]);
  }
  if (lendsTerminals) {
    const host = terminals({ policy, onCreate: output.add });
    add("terminal/create", decodeCreateTerminalRequest, host["terminal/create"]);
    add("terminal/output", decodeTerminalOutputRequest, host["terminal/output"]);
    add("terminal/wait_for_exit", decodeWaitForTerminalExitRequest, host["terminal/wait_for_exit"]);
    add("terminal/kill", decodeKillTerminalRequest, host["terminal/kill"]);
    add("terminal/release", decodeReleaseTerminalRequest, host["terminal/release"]);
  }
  return handlers;
}

/** @throws {RequestError} `-32602` for params of another shape. */
function decoded<Params>(decoder: Decoder<Params>, params: unknown): Params {
  const result = decode(decoder, params);
  if (!result.ok) throw RequestError.invalidParams("The params do not fit the method");
  return result.value;
}
