/**
 * The program `acp-inspect` for programs that have it as a command, such as `acp inspect`. It is for the packages of this
 * repository, and outside of semantic versioning.
 *
 * @module
 */
import type { Framing } from "@acp/framing";
import { requireArgument, readMember } from "@acp/core/internal";

/** Runs the program with its arguments, and returns the exit code. `name` is how its messages call it. */
export async function runInspect(args: readonly string[], name: string): Promise<number> {
  requireArgument(Array.isArray(args), "runInspect() takes the list of arguments", args);
  const { runProgram } = await import("./run-program.ts");
  return runProgram(args, name);
}

/** What {@link recordAgent} records, and how. */
export interface RecordedAgent {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly framing: Framing;
  /** The file of the recording; it is replaced. */
  readonly file: string;
  /** Keeps passwords and tokens. */
  readonly withSecrets: boolean;
}

/**
 * Starts an agent, relays between it and the client on stdin and stdout, and records all messages. Returns the exit code of the
 * agent. `name` is how messages on stderr call this program.
 */
export async function recordAgent(recorded: RecordedAgent, name: string): Promise<number> {
  requireArgument(
    typeof readMember(recorded, "command") === "string",
    "recordAgent() takes { command, file }",
    recorded,
  );
  const { tap } = await import("./tap/tap.ts");
  const { framing, file, withSecrets, ...agent } = recorded;
  const settings = { agent, record: file, framing, withSecrets, log: false, isFull: false, stable: false } as const;
  return tap(settings, name);
}
