import type { SpawnAgentOptions } from "#runtime";

import type { Agent } from "../protocol/agent.ts";
import type { ClientEvents } from "../protocol/client-events.ts";
import { connect } from "../protocol/connect.ts";
import type { FailureContext } from "../protocol/failure.ts";
import type { LateMessages } from "../protocol/late-messages.ts";
import type { TraceFile } from "../protocol/trace-file.ts";
import { openTraces } from "../protocol/trace-page.ts";
import type { LaunchSettings } from "./launch-settings.ts";

export interface ConnectionOptions extends Pick<LaunchSettings, "agent" | "framing" | "protocol" | "setup"> {
  /** How long the agent may take to start, in milliseconds. */
  readonly startTimeout: number;
  readonly verbose?: boolean;
  /** The file that receives all messages. */
  readonly trace?: string | undefined;
  /** The file that receives a page of all messages in the end. */
  readonly traceHtml?: string | undefined;
  readonly withSecrets?: boolean;
}

/** What starts and ends an agent, and hears what it does. */
export interface ConnectionHost {
  readonly events: ClientEvents;
  readonly quit: AbortSignal;
  /** Ends an agent that does not end by itself. */
  readonly kill?: AbortSignal;
  /** Reads what the agent says while it is closed. */
  readonly late?: LateMessages;
  /** A detail for `--verbose`, such as a line of stderr. */
  detail?(label: string, line: string): void;
}

/** Starts an agent, again if it has ended, and keeps what helps to explain a failure. */
export class AgentConnection {
  readonly #options: ConnectionOptions;
  readonly #host: ConnectionHost;
  /** The first text on its stdout that was no message. */
  #noise: string | undefined;
  #traces: readonly TraceFile[] | undefined;

  constructor(options: ConnectionOptions, host: ConnectionHost) {
    this.#options = options;
    this.#host = host;
  }

  async open(): Promise<Agent> {
    const { agent, framing, protocol, setup, startTimeout, verbose = false, withSecrets = false } = this.#options;
    const { events, quit, kill, late, detail = () => {} } = this.#host;
    const traces = (this.#traces ??= await this.#openTraces(withSecrets));
    this.#noise = undefined;
    const launch: SpawnAgentOptions = {
      ...agent,
      framing,
      startTimeout,
      signal: quit,
      shutdown: kill && { kill },
      onDiagnostic: (diagnostic) => {
        const { level, type, message } = diagnostic;
        if (type === "noise") this.#noise ??= diagnostic.received;
        if (verbose) detail(`[${level}] ${type}:`, message);
      },
      onTraffic:
        traces.length === 0 && late === undefined
          ? undefined
          : (direction, message) => {
              for (const trace of traces) trace.write(direction, message);
              late?.read(direction, message);
            },
      onStderr: verbose ? (line) => detail("[agent]", line) : undefined,
    };
    return connect(protocol, events, launch, setup);
  }

  /** What is known when something fails. */
  context(logins: Agent["logins"] = []): FailureContext {
    const { framing, verbose: isVerbose = false } = this.#options;
    return { logins, noise: this.#noise, framing: framing.name, isVerbose };
  }

  /** The agent has ended: ends the traces. */
  async close(): Promise<void> {
    await Promise.all((this.#traces ?? []).map((trace) => trace.close()));
  }

  async #openTraces(withSecrets: boolean): Promise<readonly TraceFile[]> {
    const { trace, traceHtml: page } = this.#options;
    return openTraces({ trace, page, pageOption: "--trace-html", withSecrets });
  }
}
