import type { Launch } from "../agents/launch.ts";
import type { Failure } from "../protocol/failure.ts";

/** What `acp doctor` has found out. */
export interface Report {
  readonly launch: Launch;
  readonly program: ProgramFacts;
  /** What the agent said of itself; `undefined` if it did not get that far. */
  readonly agent: AgentFacts | undefined;
  /** What it answers to each version that is offered. */
  readonly offers: readonly Offer[];
  readonly times: Times;
  readonly checks: readonly Check[];
  /** The end of its stderr, redacted. */
  readonly stderr: readonly string[];
  /** Where it differs from the protocol, without failing: a sentence each. */
  readonly remarks: readonly string[];
  readonly problems: readonly Problem[];
  readonly exitCode: number;
}

export interface ProgramFacts {
  /** The file that is run; `undefined` if it was not found. */
  readonly path: string | undefined;
  /** The version in its package, where it has one. */
  readonly version: string | undefined;
}

export interface AgentFacts {
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly protocol: number;
  readonly logins: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string | undefined;
    readonly terminal: boolean;
  }[];
  readonly capabilities: unknown;
}

export interface Offer {
  readonly offered: 1 | 2;
  readonly answered: number | undefined;
  /** Why there is no answer. */
  readonly failure: string | undefined;
}

/** Times in milliseconds; `undefined` if it did not come that far. */
export interface Times {
  /** Until the process was there. */
  readonly start: number | undefined;
  /** From then until the answer to `initialize`. */
  readonly handshake: number | undefined;
  /** From the request for the first session until its answer. */
  readonly session: number | undefined;
}

export interface Check {
  /** The method, or what is tried with it. */
  readonly name: string;
  /** `unclear`: it failed in a way that need not be a mistake of the agent. */
  readonly status: "ok" | "failed" | "unclear" | "skipped";
  readonly milliseconds: number | undefined;
  /** What came out, or why it failed. */
  readonly detail: string | undefined;
}

/** What is wrong, and what to do. */
export interface Problem {
  /** A warning does not change the exit code. */
  readonly level: "error" | "warning";
  readonly message: string;
  readonly advice: string | undefined;
}

export function problemOf({ message, advice, details }: Failure): Problem {
  const more = details.filter((line) => line.trim() !== "").map((line) => line.trimEnd());
  return {
    level: "error",
    message,
    advice: [...(advice === undefined ? [] : [advice]), ...more].join("\n") || undefined,
  };
}

/** The report as `acp doctor --json` prints it; the README describes it. What is not known is left out. */
export function reportAsJson(report: Report): object {
  const { launch, program, agent, offers, times, checks, stderr, remarks, problems, exitCode } = report;
  return {
    ok: exitCode === 0,
    exitCode,
    launch: {
      name: launch.name,
      source: launch.source.kind,
      from: launch.source.from,
      command: launch.command,
      args: launch.args,
      path: program.path,
      version: program.version,
    },
    agent,
    protocol: {
      used: agent?.protocol,
      offers: offers.map(({ offered, answered, failure }) => ({ offered, answered, error: failure })),
    },
    milliseconds: { start: round(times.start), handshake: round(times.handshake), session: round(times.session) },
    checks: checks.map(({ milliseconds, ...check }) => ({ ...check, milliseconds: round(milliseconds) })),
    problems,
    remarks,
    stderr,
  };
}

function round(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
