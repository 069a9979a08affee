import type { LaunchSource } from "../agents/launch.ts";
import type { Failure } from "../protocol/failure.ts";

/** What `acp doctor` has found out, as `--json` prints it; the README describes it. What is `undefined` is not known. */
export interface Report {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly launch: ProgramFacts;
  /** What the agent said of itself; `undefined` if it did not get that far. */
  readonly agent: AgentFacts | undefined;
  /** The version of the sessions, and what it answers to each version that is offered. */
  readonly protocol: { readonly used: number | undefined; readonly offers: readonly Offer[] };
  readonly milliseconds: {
    /** Until the process was there. */
    readonly start: number | undefined;
    /** From then until the answer to `initialize`. */
    readonly handshake: number | undefined;
    /** From the request for the first session until its answer. */
    readonly session: number | undefined;
  };
  readonly checks: readonly Check[];
  readonly problems: readonly Problem[];
  /** Where it differs from the protocol, without failing: a sentence each. */
  readonly remarks: readonly string[];
  /** The end of its stderr, redacted. */
  readonly stderr: readonly string[];
}

export interface ProgramFacts {
  readonly name: string | undefined;
  readonly source: LaunchSource["kind"];
  readonly from: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  /** The file that is run. */
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
  readonly error: string | undefined;
}

export interface Check {
  /** The method, or what is tried with it. */
  readonly name: string;
  /** `unclear`: it failed in a way that need not be a mistake of the agent. */
  readonly status: "ok" | "failed" | "unclear";
  /** What came out, or why it failed. */
  readonly detail: string | undefined;
  readonly milliseconds: number;
}

/** What is wrong, and what to do. */
export interface Problem {
  /** A warning does not change the exit code. */
  readonly level: "error" | "warning";
  readonly message: string;
  readonly advice: string | undefined;
}

export function problemOf({ message, advice = "", details }: Failure): Problem {
  const lines = [advice, ...details].filter((line) => line.trim() !== "").map((line) => line.trimEnd());
  return { level: "error", message, advice: lines.join("\n") || undefined };
}
