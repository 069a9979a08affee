import { describeError } from "../../describe-error.ts";
import type { Task } from "../task.ts";
import type { CommandLine } from "../../workspace/command-line.ts";
import { displayPath } from "../../workspace/project-path.ts";
import { type Candidate, generateCandidates } from "./candidates.ts";
import { createScratchCopy, type ScratchCopy } from "./scratch-copy.ts";
import type { Suspect } from "./suspects.ts";

/** The number of repairs to try before giving up. */
const maxAttempts = 60;

/**
 * Tries known repairs in a scratch copy of the project, until the tests pass there. A single tool call shows all attempts.
 * Returns `undefined` if no repair makes the tests pass.
 */
export async function findRepair(
  task: Task,
  suspects: readonly Suspect[],
  test: CommandLine,
): Promise<Candidate | undefined> {
  const call = await task.toolCall({
    title: "Try repairs in a scratch copy of the project",
    name: "try_repairs",
    kind: "think",
    locations: suspects.map(({ path }) => ({ path })),
  });
  const attempts: string[] = [];
  let scratch: ScratchCopy;
  try {
    scratch = await createScratchCopy(task.session.cwd);
  } catch (error) {
    await call.fail(describeError(error));
    return undefined;
  }
  try {
    for (const candidate of generateCandidates(suspects)) {
      if (attempts.length === maxAttempts) break;
      // One at a time: all attempts share the copy.
      const works = await tryCandidate(scratch, candidate, suspects, test, task.signal);
      attempts.push(describeAttempt(task, candidate, works));
      await call.update({ content: `${attempts.join("\n")}\n` });
      if (!works) continue;
      await call.complete();
      return candidate;
    }
    if (attempts.length === 0) await call.fail("No known repair fits these lines");
    else await call.fail();
    return undefined;
  } catch (error) {
    await (task.signal.aborted ? call.cancel("cancelled") : call.fail());
    throw error;
  } finally {
    await scratch.remove();
  }
}

async function tryCandidate(
  scratch: ScratchCopy,
  { path, newText }: Candidate,
  suspects: readonly Suspect[],
  test: CommandLine,
  signal: AbortSignal,
): Promise<boolean> {
  // Writes all suspects: this undoes the previous attempt, and copies changes that the user has not saved.
  await Promise.all(suspects.map((suspect) => scratch.write(suspect.path, suspect.text)));
  await scratch.write(path, newText);
  const { exitCode } = await scratch.run(test, signal);
  signal.throwIfAborted();
  return exitCode === 0;
}

function describeAttempt(task: Task, { path, line, after }: Candidate, works: boolean): string {
  const place = `${displayPath(task.session.cwd, path)}:${line}`;
  return works ? `✓ tests pass  ${place}  ${after}` : `✗ tests fail  ${place}  ${after}`;
}
