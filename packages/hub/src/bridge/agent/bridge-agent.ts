import { type AgentDefinition, RequestError, UsageError } from "@acp/core";
import type { FileSystemHandlers, TerminalHandlers, TerminalsOptions } from "@acp/host/types";
import { createProxy, type Forward, type ProxyContext, type ProxyMessage, type ProxyOptions } from "@acp/proxy";
import { decode } from "@acp/schema";
import { decodeInitializeRequest as decodeRequest1, decodeInitializeResponse as decodeResponse1 } from "@acp/schema/v1";
import { decodeInitializeRequest as decodeRequest2, decodeInitializeResponse as decodeResponse2 } from "@acp/schema/v2";
import { convertKnown } from "../convert-known.ts";
import { initializeAnswerDown, initializeAnswerUp, initializeDown, initializeUp } from "../setup.ts";
import { type BridgeSide, type Members, membersOf } from "./bridge-side.ts";
import { NewerAgent } from "./newer-agent.ts";
import { OlderAgent } from "./older-agent.ts";
import { servedMethods } from "./served-methods.ts";

/** Options of {@link bridgeAgent}. */
export interface BridgeOptions extends Omit<ProxyOptions, "fromClient" | "fromAgent"> {
  /**
   * Makes what reads and writes files for an agent of version 1 whose client speaks version 2, such as `fileSystem` of
   * `@acp/node`. Called once for each connection. Default: the agent has no files of its client.
   */
  readonly fileSystem?: (() => FileSystemHandlers) | undefined;
  /**
   * The same for commands, such as `terminals` of `@acp/node`. Pass on `onCreate`, by which clients see their output.
   * Default: the agent has no terminals of its client.
   */
  readonly terminals?: ((options: Required<Pick<TerminalsOptions, "onCreate">>) => TerminalHandlers) | undefined;
}

/**
 * Creates an agent for clients of version 1 and of version 2, from an agent that may speak only one of them.
 *
 * ```ts
 * import { bridgeAgent } from "@acp/hub/bridge";
 * import { fileSystem, serveStdio, spawnTransport, terminals } from "@acp/node";
 *
 * await serveStdio(bridgeAgent({ connect: () => spawnTransport({ command: "my-agent" }), fileSystem, terminals }));
 * ```
 *
 * If the agent speaks the version of its client, everything passes as through `createProxy` of `@acp/proxy`, and the client
 * answers for its own files and terminals. Otherwise messages are converted; `methodLosses` and `updateLosses` say what that
 * loses. Logins in a terminal are not offered: they start the agent's program, which the client does not know.
 *
 * @throws {UsageError} without the option `connect`, and for an invalid limit.
 */
export function bridgeAgent(options: BridgeOptions): AgentDefinition {
  if (typeof options?.connect !== "function")
    throw new UsageError("A bridge needs the option `connect`: a function that opens the connection to the agent");
  const { fileSystem, terminals, ...proxyOptions } = options;
  // Checks the limits.
  createProxy(proxyOptions);
  return {
    role: "agent",
    onDiagnostic: options.onDiagnostic,
    connect(transport, connectOptions) {
      const bridge = new Bridge(fileSystem, terminals);
      const proxy = createProxy({
        ...proxyOptions,
        fromClient: (...message) => bridge.fromClient(...message),
        fromAgent: (...message) => bridge.fromAgent(...message),
      });
      const connection = proxy.connect(transport, connectOptions);
      void connection.closed.then(() => bridge.end());
      return connection;
    },
  };
}

/** One connection. */
class Bridge {
  readonly #fileSystem: BridgeOptions["fileSystem"];
  readonly #terminals: BridgeOptions["terminals"];
  /** Converts; `undefined` while the versions are unknown, and if they are the same. */
  #side: BridgeSide | undefined;
  #opening: Promise<void> | undefined;

  constructor(fileSystem: BridgeOptions["fileSystem"], terminals: BridgeOptions["terminals"]) {
    this.#fileSystem = fileSystem;
    this.#terminals = terminals;
  }

  fromClient(message: ProxyMessage, forward: Forward, context: ProxyContext): unknown {
    const side = this.#side;
    if (message.method === "initialize" && message.kind === "request") {
      if (side !== undefined) throw new RequestError({ code: -32_600, message: "initialize was called already" });
      const answer = this.#initialize(message, forward, context);
      const opening = answer.then(
        () => {},
        () => {},
      );
      this.#opening = opening;
      void opening.then(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
      return answer;
    }
    if (this.#opening === undefined)
      return side === undefined ? forward(message) : side.fromClient(message, forward, context);
    // Which versions are spoken decides how it passes.
    return this.#opening.then(() => this.fromClient(message, forward, context));
  }

  fromAgent(message: ProxyMessage, forward: Forward, context: ProxyContext): unknown {
    return this.#side === undefined ? forward(message) : this.#side.fromAgent(message, forward, context);
  }

  end(): void {
    this.#side?.end();
  }

  async #initialize({ method, params }: ProxyMessage, forward: Forward, context: ProxyContext): Promise<unknown> {
    const call = (own: object): Promise<unknown> => forward({ method, params: own });
    const members = membersOf(params);
    const asked = members["protocolVersion"];
    // The agent refuses it as it does.
    if (typeof asked !== "number" || !Number.isInteger(asked) || asked < 0) return call(members);
    if (asked === 0) throw refuseVersion(asked);
    return asked === 1 ? this.#openOlder(members, call, context) : this.#openNewer(members, call, context);
  }

  /** The client speaks version 1. */
  async #openOlder(
    members: Members,
    call: (params: object) => Promise<unknown>,
    { client }: ProxyContext,
  ): Promise<unknown> {
    const params = withoutTerminalLogin(members, "clientCapabilities");
    const read = decode(decodeRequest1, params);
    const answer = await call(params).catch((error: unknown) => {
      const code = error instanceof RequestError ? error.wire.code : undefined;
      if (!read.ok || (code !== unsupportedVersion && code !== invalidParams)) throw error;
      // An agent of version 2 alone. If it only misses members, it may be one of version 1 all the same.
      return call({ ...(code === invalidParams && params), ...initializeUp(read.value) });
    });
    if (membersOf(answer)["protocolVersion"] !== 2) return answer;
    this.#side = new NewerAgent(client, (read.ok && read.value.clientCapabilities) || {});
    return convertKnown(decodeResponse2, answer, initializeAnswerDown);
  }

  /** The client speaks version 2, and maybe later ones. */
  async #openNewer(
    members: Members,
    call: (params: object) => Promise<unknown>,
    { client }: ProxyContext,
  ): Promise<unknown> {
    const params = withoutTerminalLogin({ ...members, protocolVersion: 2 }, "capabilities");
    const [fileSystem, terminals] = [this.#fileSystem, this.#terminals];
    const served = { files: fileSystem != null, terminals: terminals != null };
    const older = convertKnown(decodeRequest2, params, (known) => initializeDown(known, served));
    // An agent reads the members of its version, and ignores the others.
    const answer = await call({ ...membersOf(older), ...params });
    if (membersOf(answer)["protocolVersion"] !== 1) return answer;
    return convertKnown(decodeResponse1, answer, (known) => {
      this.#side = new OlderAgent({
        capabilities: known.agentCapabilities ?? {},
        client,
        served: (onCreate) => servedMethods(fileSystem?.(), terminals?.({ onCreate })),
      });
      return initializeAnswerUp(known);
    });
  }
}

/** The errors by which an agent of version 2 may refuse version 1. */
const unsupportedVersion = -32_022;
const invalidParams = -32_602;

function refuseVersion(requested: number): RequestError {
  const message = `Unsupported protocol version: ${requested}. Versions 1 and 2 are supported`;
  return new RequestError({ code: unsupportedVersion, message, data: { requested, supported: [1, 2] } });
}

/** Params of `initialize` by which the agent offers no login in a terminal. */
function withoutTerminalLogin(params: Members, member: "capabilities" | "clientCapabilities"): Members {
  const capabilities = membersOf(params[member]);
  const auth = membersOf(capabilities["auth"]);
  if (auth["terminal"] == null) return params;
  const { terminal: _, ...others } = auth;
  return { ...params, [member]: { ...capabilities, auth: others } };
}
