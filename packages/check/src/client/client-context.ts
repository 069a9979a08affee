import { contentLength, ndjson } from "@acp/framing";
import { fakeAgent, type FakeAgent, type FakeAgentOptions, type Peer, type PromptScript } from "@acp/testing";
import { agentCommand, type AgentCommand, type FakeProcess } from "@acp/testing/process";
import { type Check, CheckFailure, expectThat, NotApplicable, NotReached } from "../engine/check.ts";
import { isLeftRunning } from "./left-running.ts";
import { exchangedOf } from "../engine/result.ts";
import type { CheckContext } from "../engine/run-checks.ts";
import type { ProgramEnd } from "../engine/not-started.ts";
import { type ClientProgram, startClient } from "./client-program.ts";
import { type ClientSettings, linesOf, takesOnePrompt } from "./client-settings.ts";

/** A client that plays with a scripted agent. */
export interface ClientRun {
  readonly agent: FakeAgent;
  readonly program: ClientProgram;
  /** The agent's process, as soon as the client has started it. */
  process(): Promise<FakeProcess>;
  /** Waits until the agent has been prompted. What keeps the client from that is not what is checked. */
  prompted(): Promise<void>;
  /** Waits for the same, where that is what is checked. */
  goesOn(): Promise<void>;
  /** Waits until the client has shown texts, wherever they are in its output. */
  shows(...texts: readonly string[]): Promise<void>;
  /** Settles as `waited` does; the client fails if that takes too long. */
  soon<T>(waited: Promise<T>, what: string): Promise<T>;
  /** The same; the client also fails if it ends before. */
  within<T>(waited: Promise<T>, what: string): Promise<T>;
  /** Waits until the client has ended, which it is told to if it takes several prompts, and has left no agent running. */
  ends(): Promise<ProgramEnd>;
  /** Waits for the same after a cancel. Cancels once more after a while, as a user does who cannot wait any longer. */
  endsOnCancel(): Promise<ProgramEnd>;
  /** Waits for the same after a turn that ended well. */
  endsWell(): Promise<void>;
  /** Waits for the same after something went wrong: the client has to say so, by more than the texts that the agent said. */
  endsWithReason(...said: readonly string[]): Promise<void>;
  /** Prompts once more. */
  prompt(text: string): void;
  /** Tells the client to cancel, as its user would. */
  cancel(): void;
  /** How an open question for permission comes to its answer. */
  readonly answers: "by itself" | "as told" | "by a person";
  /**
   * Answers the question for permission that is shown, as its user would, once it is: by an option and its place. Does
   * nothing unless the checker knows how.
   */
  answer(title: string, option: string, place: number): Promise<void>;
}

/** What a check of a client works with. */
export interface ClientContext extends CheckContext {
  readonly settings: ClientSettings;
  /** Starts the client with an agent that follows a script. It is prompted once, by itself. */
  play(script: PromptScript, options?: FakeAgentOptions, process?: AgentProcessOptions): Promise<ClientRun>;
  /** The client that was started last. */
  run(): ClientRun;
  /** The connection of the agent that was started last. */
  peer(): Peer;
}

/** How the agent's process behaves. */
export interface AgentProcessOptions {
  /** Whether it goes on when it gets SIGTERM, SIGINT or SIGHUP. Default: `false`. */
  readonly ignoresSignals?: boolean | undefined;
}

/** A client's check. */
export type ClientCheck = Check<ClientContext>;

/** What the client is told to prompt. */
const promptText = "Say hello.";

/** Creates what one run of a check works with. */
export function createClientContext(settings: ClientSettings): ClientContext {
  const agents: FakeAgent[] = [];
  const commands: AgentCommand[] = [];
  const programs: ClientProgram[] = [];
  const runs: ClientRun[] = [];
  const starting = new Set<Promise<ClientProgram>>();
  let isClosed = false;
  const framing = settings.framing === "ndjson" ? ndjson : contentLength;
  return {
    settings,
    async play(script, options, process) {
      const { protocol, timeout } = settings;
      const agent = fakeAgent(script, { protocol, framing, timeout, ...options });
      const command = await agentCommand(agent, process);
      agents.push(agent);
      commands.push(command);
      if (isClosed) throw new NotReached("The run has ended");
      const begun = startClient(settings, command, promptText);
      starting.add(begun);
      const program = await begun;
      programs.push(program);
      const staysBehind = options?.onInputEnd === "stay";
      const run = createRun(settings, { agent, command, program, staysBehind, ...process });
      runs.push(run);
      return run;
    },
    run() {
      const run = runs.at(-1);
      if (run === undefined) throw new NotReached("The client was not started");
      return run;
    },
    peer() {
      const peer = agents.at(-1)?.connections.at(-1);
      if (peer === undefined) throw new NotReached("The client has not started its agent");
      return peer;
    },
    exchanged: () =>
      agents
        .flatMap(({ connections }) => connections)
        .flatMap(({ traffic }, at) => traffic.map((message) => exchangedOf(message, "agent", at))),
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

function createRun(settings: ClientSettings, parts: RunParts): ClientRun {
  const { agent, command, program, staysBehind, ignoresSignals = false } = parts;
  const { timeout } = settings;
  const lines = linesOf(settings);
  const isOneShot = takesOnePrompt(settings);
  const seconds = timeout / 1000;
  const inTime = <T>(waited: Promise<T>, late: () => Error, limit = timeout): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), limit);
      waited.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  const left = program.atExit(async () => {
    const agents = staysBehind ? command.processes : [];
    return (await Promise.all(agents.map((one) => isLeftRunning(one, ignoresSignals)))).includes(true);
  });
  const goesOn = async (): Promise<void> => {
    const prompted = program.untilEnded(agent.next("session/prompt"));
    await inTime(prompted, () => new Error(`The client did not prompt its agent within ${seconds} s`)).catch(
      (error: unknown) => {
        throw new CheckFailure(error instanceof Error ? error.message : String(error));
      },
    );
  };
  const ends = async (limit = timeout): Promise<ProgramEnd> => {
    if (!isOneShot && lines.close !== undefined) program.type(lines.close);
    if (!isOneShot) program.endInput();
    const late = (): Error => new CheckFailure(`The client did not end within ${limit / 1000} s`);
    const end = await inTime(program.exited, late, limit);
    expectThat(!(await left), "The client has ended, and left its agent running, which goes on when its stdin ends");
    const ended = Promise.all(command.processes.map((agentProcess) => agentProcess.ended));
    await inTime(ended, () => new CheckFailure("The client has ended, and left its agent running"));
    // What it has started may hold its stdout open.
    await within(program.read, timeout / 4);
    return end;
  };
  const cancel = (): void => {
    if (settings.driver !== true && lines.cancel.startsWith("SIG")) program.signal(lines.cancel);
    else program.type(lines.cancel);
  };
  return {
    agent,
    program,
    process: () => {
      const [first] = command.processes;
      const started = first === undefined ? program.untilEnded(command.started()) : Promise.resolve(first);
      const failed = started.catch((error: unknown) => {
        throw new NotReached(
          `The client did not start its agent: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      return inTime(failed, () => new NotReached(`The client did not start its agent within ${seconds} s`));
    },
    prompted: async () => {
      await goesOn().catch((error: unknown) => {
        throw new NotReached(error instanceof Error ? error.message : String(error));
      });
    },
    goesOn,
    shows: async (...texts) => {
      for (const text of texts) {
        await inTime(
          program.untilShown(text),
          () => new CheckFailure(`The client did not show ${JSON.stringify(text)} within ${seconds} s`),
        );
      }
    },
    soon: (waited, what) => inTime(waited, () => new CheckFailure(`${what}: nothing within ${seconds} s`)),
    within: (waited, what) =>
      inTime(
        program.untilEnded(waited).catch((error: unknown) => {
          if (error instanceof CheckFailure || error instanceof NotApplicable || error instanceof NotReached)
            throw error;
          throw new CheckFailure(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        }),
        () => new CheckFailure(`${what}: nothing within ${seconds} s`),
      ),
    // A client may take some seconds for each step: the end of stdin, SIGTERM, SIGKILL.
    ends: () => ends(staysBehind ? 3 * timeout : timeout),
    endsOnCancel: async () => {
      const again = setTimeout(cancel, timeout / 4);
      return await ends(2 * timeout).finally(() => clearTimeout(again));
    },
    endsWell: async () => {
      const { exitCode, signal } = await ends();
      expectThat(
        signal === null && exitCode === 0,
        `The turn ended well, and the client with ${signal ?? `exit code ${exitCode}`}`,
      );
    },
    endsWithReason: async (...said) => {
      const { exitCode, signal } = await ends();
      expectThat(signal === null, `The client was ended by ${signal}`);
      expectThat(!isOneShot || exitCode !== 0, "The client ended with exit code 0, as if all were well");
      let told = program.shown();
      for (const text of [...said, promptText]) told = told.replaceAll(text, "");
      expectThat(/\w{3}/u.test(told + program.stderr()), "The client did not say what went wrong");
    },
    prompt: (text) => {
      if (isOneShot) throw new NotApplicable("The client takes one prompt only");
      program.type(lines.prompt(text));
    },
    cancel,
    answers: lines.answer !== undefined ? "as told" : isOneShot ? "by itself" : "by a person",
    answer: async (title, option, place) => {
      if (lines.answer === undefined) return;
      // A client that shows something else than the title gets the answer a little later.
      await within(
        program.untilShown(title).catch(() => {}),
        timeout / 4,
      );
      program.type(lines.answer(option, place));
    },
  };
}

interface RunParts extends AgentProcessOptions {
  readonly agent: FakeAgent;
  readonly command: AgentCommand;
  readonly program: ClientProgram;
  /** Whether the agent goes on when its stdin ends. */
  readonly staysBehind: boolean;
}

/** Waits for a time at most. */
async function within(waited: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([waited, new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
