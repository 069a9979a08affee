import { contentLength, ndjson } from "@acp/framing";
import { fakeAgent, type FakeAgent, type FakeAgentOptions, type PromptScript } from "@acp/testing";
import { agentCommand, type AgentCommand, type FakeProcess } from "@acp/testing/process";
import { type Check, CheckFailure, NotReached } from "../engine/check.ts";
import type { Exchanged } from "../engine/result.ts";
import type { CheckContext } from "../engine/run-checks.ts";
import { type ClientProgram, startClient } from "./client-program.ts";
import type { ClientSettings } from "./client-settings.ts";

/** A client that plays with a scripted agent. */
export interface ClientRun {
  readonly agent: FakeAgent;
  readonly program: ClientProgram;
  /** The agent's process, as soon as the client has started it. */
  process(): Promise<FakeProcess>;
  /** Waits until the agent has been prompted. */
  prompted(): Promise<void>;
  /** Waits until the client has shown a text, wherever it is in its output. */
  shows(text: string): Promise<void>;
  /** Waits until the client has ended, and resolves with its exit code; `null` if a signal ended it. */
  ended(): Promise<number | null>;
  /** Tells the client to cancel, as its user would. */
  cancel(): void;
}

/** What a check of a client works with. */
export interface ClientContext extends CheckContext {
  readonly settings: ClientSettings;
  /** Starts the client with an agent that follows a script. It is prompted once, by itself. */
  play(script: PromptScript, options?: FakeAgentOptions): Promise<ClientRun>;
}

/** A client's check. */
export type ClientCheck = Check<ClientContext>;

/** What the client is told to prompt. */
export const promptText = "Say hello.";

/** Creates what one run of a check works with. */
export function createClientContext(settings: ClientSettings): ClientContext {
  const agents: FakeAgent[] = [];
  const commands: AgentCommand[] = [];
  const programs: ClientProgram[] = [];
  const starting = new Set<Promise<ClientProgram>>();
  let isClosed = false;
  const framing = settings.framing === "ndjson" ? ndjson : contentLength;
  return {
    settings,
    async play(script, options) {
      const agent = fakeAgent(script, { protocol: settings.protocol, framing, ...options });
      const command = await agentCommand(agent);
      agents.push(agent);
      commands.push(command);
      if (isClosed) throw new NotReached("The run has ended");
      const begun = startClient(settings, command, promptText);
      starting.add(begun);
      const program = await begun;
      programs.push(program);
      return createRun(settings, agent, command, program);
    },
    exchanged: () =>
      agents.flatMap(({ connections }) => connections.flatMap(({ traffic }) => traffic.map(exchangedOf))),
    shown: () => programs.map(({ shown }) => shown()).join(""),
    stderr: () => programs.map(({ stderr }) => stderr()).join(""),
    close: async () => {
      // A run that is ended early leaves none behind, not even one that is just being started.
      isClosed = true;
      await Promise.allSettled([...starting].map(async (begun) => (await begun).kill()));
      await Promise.all(commands.map((command) => command.close()));
    },
  };
}

function createRun(
  { timeout, cancel }: ClientSettings,
  agent: FakeAgent,
  command: AgentCommand,
  program: ClientProgram,
): ClientRun {
  const inTime = <T>(waited: Promise<T>, late: () => Error): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), timeout);
      waited.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  const seconds = timeout / 1000;
  return {
    agent,
    program,
    process: () => {
      const [first] = command.processes;
      const started = first === undefined ? command.started() : Promise.resolve(first);
      return inTime(started, () => new NotReached(`The client did not start its agent within ${seconds} s`));
    },
    prompted: async () => {
      const prompted = program.untilEnded(agent.next("session/prompt"));
      await inTime(prompted, () => new NotReached(`The client did not prompt its agent within ${seconds} s`)).catch(
        (error: unknown) => {
          throw error instanceof NotReached ? error : new NotReached(String(error));
        },
      );
    },
    shows: (text) =>
      inTime(program.untilShown(text), () => new CheckFailure(`The client did not show ${JSON.stringify(text)}`)),
    ended: () =>
      inTime(
        program.exited.then(({ exitCode }) => exitCode),
        () => new CheckFailure(`The client did not end within ${seconds} s`),
      ),
    cancel: () => {
      if (cancel.startsWith("SIG")) program.signal(cancel);
      else program.type(`${cancel}\n`);
    },
  };
}

function exchangedOf({ direction, text }: { readonly direction: string; readonly text: string }): Exchanged {
  return { from: direction === "sent" ? "agent" : "client", text: text.slice(0, 4000) };
}
