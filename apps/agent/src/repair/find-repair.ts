import { failureReason } from "../failure-reason.ts";
import type { Task } from "../task.ts";
import type { CommandLine } from "../tools/command-line.ts";
import { displayPath } from "../tools/project-path.ts";
import { type Candidate, candidates } from "./candidates.ts";
import { createScratchCopy, type ScratchCopy } from "./scratch-copy.ts";
import type { Suspect } from "./suspects.ts";

/** After so many attempts we give up. */
const maxAttempts = 60;

/**
 * Tries the known repairs one by one in a scratch copy of the project until the tests pass there, and
 * reports that as one tool call.
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
    await call.fail(failureReason(error));
    return undefined;
  }
  try {
    for (const candidate of candidates(suspects)) {
      if (attempts.length === maxAttempts) break;
      // One at a time: they share the copy.
      const works = await attempt(scratch, candidate, suspects, test, task.signal);
      attempts.push(describe(task, candidate, works));
      await call.update({ content: `${attempts.join("\n")}\n` });
      if (!works) continue;
      await call.complete();
      return candidate;
    }
    if (attempts.length === 0) await call.fail("No known repair fits these lines");
    else await call.fail();
    return undefined;
  } catch (error) {
    await (task.signal.aborted ? call.giveUp("cancelled") : call.fail());
    throw error;
  } finally {
    await scratch.remove();
  }
}

async function attempt(
  scratch: ScratchCopy,
  { path, newText }: Candidate,
  suspects: readonly Suspect[],
  test: CommandLine,
  signal: AbortSignal,
): Promise<boolean> {
  // All of them: what the user has not saved yet counts, too, and the attempt before is undone.
  await Promise.all(suspects.map((suspect) => scratch.write(suspect.path, suspect.text)));
  await scratch.write(path, newText);
  const { exitCode } = await scratch.run(test, signal);
  signal.throwIfAborted();
  return exitCode === 0;
}

function describe(task: Task, { path, line, after }: Candidate, works: boolean): string {
  const place = `${displayPath(task.session.cwd, path)}:${line}`;
  return works ? `✓ tests pass  ${place}  ${after}` : `✗ tests fail  ${place}  ${after}`;
}
