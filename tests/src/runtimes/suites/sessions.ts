/** Sessions that outlive the agent's process. */
import { createFileStore } from "@acp/sessions";

import { eventually, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { programOn, RunningProgram } from "../platform.ts";
import { type Scenario, test } from "../scenario.ts";

const kills = 10;

async function entriesOf(folder: string): Promise<readonly number[]> {
  const session = await createFileStore<number>(folder).open("one");
  const numbers: number[] = [];
  for await (const entry of session?.entries() ?? []) numbers.push(entry);
  await session?.close();
  return numbers;
}

export const scenarios: readonly Scenario[] = [
  test("a process that is killed loses no entry that was safe, and frees its session", async ({
    runtimeName,
    directory,
  }) => {
    for (let round = 1; round <= kills; round += 1) {
      const writer = new RunningProgram(programOn(runtimeName, "journal", ["--folder", directory]));
      const safe = (): number => Number(writer.lines.at(-1) ?? 0);
      await eventually(() => safe() > 0, `it writes: ${writer.stderr}`);
      writer.kill("SIGKILL");
      await writer.ended;
      const numbers = await entriesOf(directory);
      expectEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
      expectTrue(numbers.length >= safe(), `${numbers.length} entries of ${safe()}`);
    }
  }),
  test("a session is open in one process at a time", async ({ runtimeName, directory }) => {
    const writer = new RunningProgram(programOn(runtimeName, "journal", ["--folder", directory]));
    await eventually(() => writer.lines.length > 0, `it writes: ${writer.stderr}`);
    const store = createFileStore<number>(directory);
    const error = await rejectionOf(store.open("one"));
    expectTrue(String(error).includes("The session is open in another process"), String(error));
    expectEqual((await store.list()).length, 1);
    writer.kill("SIGKILL");
    await writer.ended;
    expectTrue((await entriesOf(directory)).length > 0, "it can be opened");
    await store.delete("one");
    expectEqual(await store.list(), []);
  }),
];
