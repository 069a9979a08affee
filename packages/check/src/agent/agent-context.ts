import type { BytePipe, Transport } from "@acp/core";
import { contentLength, type Framing, ndjson } from "@acp/framing";
import { at, fakeClient, type FakeClient, type FakeClientOptions, textAt } from "@acp/testing";
import { type Program, startProgram } from "@acp/testing/process";

import { type Check, NotReached, reach } from "../engine/check.ts";
import { quote } from "../engine/quote.ts";
import { exchangedOf } from "../engine/result.ts";
import type { CheckContext } from "../engine/run-checks.ts";

/** How an agent is started, or where it is. */
export type AgentTarget =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string | undefined>> | undefined;
    }
  | { readonly connect: () => Transport | BytePipe | Promise<Transport | BytePipe> };

/** What all checks of an agent have in common. */
export interface AgentSettings {
  readonly target: AgentTarget;
  readonly protocol: 1 | 2;
  readonly framing: "ndjson" | "content-length";
  /** The working directory of its sessions: an absolute path of a folder that is there. */
  readonly cwd: string;
  /** What it is prompted. */
  readonly prompts: AgentPrompts;
  /** The id of the method to log in with, if it wants that. */
  readonly login?: string | undefined;
  /** How long a single answer may take, in milliseconds. */
  readonly timeout: number;
  /** What random pieces are made of. */
  readonly seed: number;
}

/** Prompts that make an agent do what checks are about. `{number}` stands for a number, another one each time. */
export interface AgentPrompts {
  /** A prompt that is answered at once. Default: `Say hello.` */
  readonly short: string;
  /** One that keeps it busy for a while, and makes it write meanwhile. */
  readonly long?: string | undefined;
  /** One that makes it ask for permission, such as `Write {number} to the file notes.txt.` */
  readonly permission?: string | undefined;
  /** One that makes it read a file of its working directory, by the client if that can. */
  readonly read?: string | undefined;
}

/** An agent that a check has started, seen by a client that the check plays. */
export interface StartedAgent extends FakeClient {
  /** Its process; absent if it was reached over a network. */
  readonly program?: Program;
  /** The bytes between the two; absent if there are none. */
  readonly pipe?: BytePipe;
}

/** A session of such an agent. */
export interface OpenedAgent {
  readonly client: StartedAgent;
  readonly sessionId: string;
  /** What `initialize` resulted in. */
  readonly initialized: unknown;
  /** What `session/new` resulted in. */
  readonly opened: unknown;
}

/** What a check of an agent works with. */
export interface AgentContext extends CheckContext {
  readonly settings: AgentSettings;
  /** Starts the agent anew. Nothing is sent. */
  start(options?: Partial<FakeClientOptions>): Promise<StartedAgent>;
  /** Starts it, and initializes it, and logs in if that was asked for. */
  initialize(options?: Partial<FakeClientOptions>): Promise<Pick<OpenedAgent, "client" | "initialized">>;
  /** The same, and opens a session. */
  open(options?: Partial<FakeClientOptions>): Promise<OpenedAgent>;
}

/** An agent's check. */
export type AgentCheck = Check<AgentContext>;

/** Creates what one run of a check works with. */
export function createAgentContext(settings: AgentSettings): AgentContext {
  const started: StartedAgent[] = [];
  const starting = new Set<Promise<Program>>();
  let isClosed = false;
  const { target, protocol, timeout, cwd } = settings;
  const framing: Framing = settings.framing === "ndjson" ? ndjson : contentLength;

  const context: AgentContext = {
    settings,
    async start(options) {
      if (isClosed) throw new NotReached("The run has ended");
      const all = { protocol, timeout, cwd, framing, ...options };
      if ("connect" in target) {
        const reached = await target.connect();
        const client: StartedAgent = Object.assign(
          fakeClient(reached, all),
          "send" in reached ? {} : { pipe: reached },
        );
        started.push(client);
        return client;
      }
      // Longer than a check waits, so that a program which has to be killed has not ended by itself.
      const begun = startProgram({ ...target, grace: 2 * timeout });
      starting.add(begun);
      const program = await begun;
      const client: StartedAgent = Object.assign(fakeClient(program, all), { program, pipe: program });
      started.push(client);
      return client;
    },
    async initialize(options) {
      const client = await context.start(options);
      const initialized = await reach(client.initialize(), "The agent did not initialize");
      const spoken = at(initialized, "protocolVersion");
      if (spoken !== protocol) throw new NotReached(`The agent speaks version ${quote(spoken)}, not ${protocol}`);
      const { login } = settings;
      const method = protocol === 1 ? "authenticate" : "auth/login";
      if (login !== undefined)
        await reach(client.call(method, { methodId: login }), "The agent did not let the check log in");
      return { client, initialized };
    },
    async open(options) {
      const { client, initialized } = await context.initialize(options);
      const params = { cwd, mcpServers: [] };
      const opened = await reach(client.call("session/new", params), "The agent opened no session").catch(withLogin);
      const sessionId = textAt(opened, "sessionId");
      if (sessionId === undefined) throw new NotReached("The agent gave its session no id");
      return { client, sessionId, initialized, opened };
    },
    exchanged: () =>
      started.flatMap(({ peer }, number) => peer.traffic.map((message) => exchangedOf(message, "client", number))),
    stderr: () => started.flatMap(({ program }) => program?.stderr() ?? []).join(""),
    close: async () => {
      isClosed = true;
      // A run that is ended early leaves none behind, not even one that is just being started.
      await Promise.allSettled([...starting].map(async (begun) => (await begun).kill()));
      await Promise.all(started.map((client) => client.program?.kill() ?? client.close()));
    },
  };
  return context;
}

function withLogin(error: unknown): never {
  if (error instanceof NotReached && error.message.includes("-32000"))
    throw new NotReached(`${error.message}. Log in before you check it, or name a method with --login`);
  throw error;
}
