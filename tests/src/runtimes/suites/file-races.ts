/** Files of a session while another process replaces what is on the way to them. */
import { readdirSync } from "node:fs";

import { eventually, expectEqual } from "../check.ts";
import { argument, hasFlag } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import { join, mkdir, process, programOn, readText, RunningProgram, runShell, writeFile } from "../platform.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

/** How many swaps at least. `--swaps` says how many more. */
const leastSwaps = hasFlag("swaps") ? Number(argument("swaps")) : 1_000;

/** Uses a path again and again while a folder, or a file, is swapped for a link to outside; at least once with success. */
async function whileSwapped(
  { runtimeName, directory }: ScenarioContext,
  what: "folder" | "file",
  success: string,
  use: (session: ReturnType<typeof testSession>, inside: string, round: number) => Promise<{ content?: string }>,
): Promise<Tally> {
  const [inside, outside] = [join(directory, "inside"), join(directory, "outside")];
  await Promise.all([mkdir(inside).then(() => mkdir(join(inside, "folder"))), mkdir(outside)]);
  for (const path of [join(inside, "folder/file"), join(inside, "file")]) await writeFile(path, "inside");
  await writeFile(join(outside, "file"), "outside");
  runShell('mkfifo "$0"', join(directory, "pipe"));
  const tally = new Tally();
  const swapper = new RunningProgram(programOn(runtimeName, "swapper", ["--directory", directory, "--what", what]));
  const swaps = (): number => Number(swapper.lines.at(-1) ?? 0);
  try {
    await eventually(() => swaps() > 0, "the swapper swaps");
    for (let round = 0; swaps() < leastSwaps || tally.of(success) === 0; round += 1)
      await tally.add(use(testSession(inside), inside, round));
  } finally {
    swapper.end();
    expectEqual(await swapper.ended, 0, swapper.stderr);
  }
  if (hasFlag("swaps")) console.error(`${swaps()} swaps of a ${what}: ${tally.text}`);
  expectEqual(tally.of("outside"), 0, tally.text);
  expectEqual([await readText(join(outside, "file")), readdirSync(outside)], ["outside", ["file"]], "what is outside");
  return tally;
}

/** What happened, and how often. */
class Tally {
  readonly #counts = new Map<string, number>();

  async add(attempt: Promise<{ readonly content?: string }>): Promise<void> {
    const outcome = await attempt.then(
      ({ content }) => content ?? "written",
      (error: { readonly wire?: { readonly data?: { readonly reason?: string } } }) => {
        if (error.wire?.data?.reason === undefined) throw error;
        return error.wire.data.reason;
      },
    );
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  of(outcome: string): number {
    return this.#counts.get(outcome) ?? 0;
  }

  get text(): string {
    return JSON.stringify(Object.fromEntries(this.#counts));
  }
}

const scenariosOfLinux: readonly Scenario[] = [
  ...(["folder", "file"] as const).flatMap((what): readonly Scenario[] => [
    test(`FS-08: a read never leaves the session's directories while a ${what} on the way is swapped for a link`, async (context) => {
      const files = context.runtime.fileSystem();
      const path = what === "folder" ? "folder/file" : "file";
      await whileSwapped(context, what, "inside", (session, inside) =>
        files["fs/read_text_file"]({ path: join(inside, path) }, session),
      );
    }),
    test(`FS-08: a write never leaves the session's directories while a ${what} on the way is swapped for a link`, async (context) => {
      const files = context.runtime.fileSystem();
      await whileSwapped(context, what, "written", (session, inside, round) => {
        // A file that is there, a new one, and one in a new folder.
        const names = ["folder/file", `folder/new-${round}`, `folder/new-folder-${round}/file`];
        const path = join(inside, what === "file" ? "file" : (names[round % names.length] ?? ""));
        return files["fs/write_text_file"]({ path, content: "inside" }, session);
      });
    }),
  ]),
  test("a command that a policy allows in a folder never runs elsewhere while that folder is swapped for a link", async (context) => {
    const inside = join(context.directory, "inside");
    const policy = context.runtime.permissionPolicy({ rules: [{ kind: "execute", within: inside, then: "allow" }] });
    const terminals = context.runtime.terminals({ policy });
    const command = { sessionId: "session", command: "cat", args: ["file"], cwd: join(inside, "folder") };
    await whileSwapped(context, "folder", "inside", async (session) => {
      const { terminalId } = await terminals["terminal/create"](command, session);
      await terminals["terminal/wait_for_exit"]({ sessionId: "session", terminalId }, session);
      return { content: terminals["terminal/output"]({ sessionId: "session", terminalId }, session).output };
    });
  }),
];

export const scenarios: readonly Scenario[] = scenariosOfLinux.map((scenario) => ({
  ...scenario,
  except: ["windows"],
  // Other systems cannot say where an open file is.
  run: async (context) => (process.platform === "linux" ? scenario.run(context) : undefined),
}));
