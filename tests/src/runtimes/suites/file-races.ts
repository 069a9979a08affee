/** Files of a session while another process replaces what is on the way to them. */
import { readdirSync } from "node:fs";

import { eventually, expectEqual, expectTrue } from "../check.ts";
import { argument, hasFlag } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import { join, mkdir, process, programOn, readText, RunningProgram, runShell, writeFile } from "../platform.ts";
import type { Scenario, ScenarioContext } from "../scenario.ts";

/** How many reads, and how many writes. `--rounds` says how many more. */
const rounds = hasFlag("rounds") ? Number(argument("rounds")) : 400;

type Files = ReturnType<ScenarioContext["runtime"]["fileSystem"]>;

/** Uses files while a folder, or a file, is swapped for a link to outside. Returns how often it was. */
async function whileSwapped(
  { runtime, runtimeName, directory }: ScenarioContext,
  what: "folder" | "file",
  use: (files: Files, session: ReturnType<typeof testSession>, inside: string) => Promise<void>,
): Promise<number> {
  const [inside, outside] = [join(directory, "inside"), join(directory, "outside")];
  await Promise.all([mkdir(inside).then(() => mkdir(join(inside, "folder"))), mkdir(outside)]);
  for (const path of [join(inside, "folder/file"), join(inside, "file")]) await writeFile(path, "inside");
  await writeFile(join(outside, "file"), "outside");
  runShell('mkfifo "$0"', join(directory, "pipe"));
  const swapper = new RunningProgram(programOn(runtimeName, "swapper", ["--directory", directory, "--what", what]));
  try {
    await eventually(() => swapper.lines.length > 0, "the swapper swaps");
    await use(runtime.fileSystem(), testSession(inside), inside);
  } finally {
    swapper.end();
    expectEqual(await swapper.ended, 0, swapper.stderr);
  }
  expectEqual([await readText(join(outside, "file")), readdirSync(outside)], ["outside", ["file"]], "what is outside");
  return Number(swapper.lines[1]);
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

const scenariosOfLinux: readonly Scenario[] = (["folder", "file"] as const).flatMap((what) => {
  const path = what === "folder" ? "folder/file" : "file";
  return [
    {
      name: `FS-08: a read never leaves the session's directories while a ${what} on the way is swapped for a link`,
      async run(context: ScenarioContext) {
        const tally = new Tally();
        const swapped = await whileSwapped(context, what, async (files, session, inside) => {
          for (let round = 0; round < rounds; round += 1)
            await tally.add(files["fs/read_text_file"]({ path: join(inside, path) }, session));
        });
        report(`${rounds} reads, ${swapped} swaps of a ${what}: ${tally.text}`);
        expectEqual(tally.of("outside"), 0, `reads outside: ${tally.text}`);
        expectTrue(tally.of("inside") > 0, `some reads succeed: ${tally.text}`);
      },
    },
    {
      name: `FS-08: a write never leaves the session's directories while a ${what} on the way is swapped for a link`,
      async run(context: ScenarioContext) {
        const tally = new Tally();
        const swapped = await whileSwapped(context, what, async (files, session, inside) => {
          for (let round = 0; round < rounds; round += 1) {
            // A file that is there, a new one, and one in a new folder.
            const names = what === "file" ? [path] : [path, `folder/new-${round}`, `folder/new-folder-${round}/file`];
            const name = names[round % names.length] ?? path;
            await tally.add(files["fs/write_text_file"]({ path: join(inside, name), content: "inside" }, session));
          }
        });
        report(`${rounds} writes, ${swapped} swaps of a ${what}: ${tally.text}`);
        expectTrue(tally.of("written") > 0, `some writes succeed: ${tally.text}`);
      },
    },
  ];
});

/** For whoever counts more than usual. */
function report(line: string): void {
  if (hasFlag("rounds")) console.error(line);
}

export const scenarios: readonly Scenario[] = scenariosOfLinux.map((scenario) => ({
  ...scenario,
  except: ["windows"],
  // Other systems cannot say where an open file is.
  run: async (context) => (process.platform === "linux" ? scenario.run(context) : undefined),
}));
