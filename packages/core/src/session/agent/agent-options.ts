import type { Awaitable } from "../../rpc/methods.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { MessageValidator } from "../../transport/message-validator.ts";
import type { GateMode } from "../rules/call-rules.ts";
import type { OverlappingPrompts } from "./prompt-queue.ts";

// What an agent says and hears, whatever the version of the protocol. Each version has typed views of the same names.

/** What the client said about itself in `initialize`. */
export interface ClientDetails {
  readonly capabilities: object;
  readonly info: object | undefined;
  readonly meta: { readonly [key: string]: unknown };
}

/** A way to log in. */
export interface AuthMethod {
  readonly type?: string;
}

/** An MCP server that a session is opened with. */
export interface McpServer {
  readonly type?: string;
}

/** An update of a session. */
export interface SessionUpdate {
  readonly sessionUpdate: string;
}

/** What a session is opened with. */
export interface SessionSetup {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly signal: AbortSignal;
}

/** The type of a method, so that a function with narrower params is one, too: the decoders of a protocol vouch for them. */
type Listener<P extends readonly unknown[], R> = { call(...args: P): R }["call"];

/** What an agent is made from. */
export interface AgentOptions {
  readonly info: object;
  readonly connected?: Listener<[client: object, signal: AbortSignal], Awaitable<void>> | undefined;
  readonly session?: Listener<[setup: object], unknown> | undefined;
  readonly sessionId?: (() => string) | undefined;
  readonly capabilities?: object | undefined;
  readonly authMethods?:
    | readonly AuthMethod[]
    | Listener<[capabilities: object], Awaitable<readonly AuthMethod[]>>
    | undefined;
  readonly handlers: object;
  readonly onUpdate?: Listener<[update: unknown, session: object], void> | undefined;
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
  readonly _meta?: MetaOptions["_meta"];
  readonly gate?: GateMode | undefined;
  readonly validate?: MessageValidator | undefined;
  readonly onDiagnostic?: DiagnosticListener | undefined;
}
