/** Files have the old or the new content, whatever happens while they are written. */
import { readdirSync } from "node:fs";

import { eventually, expectEqual, expectTrue, sleep } from "../check.ts";
import { argument, hasFlag } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import {
  chmod,
  join,
  link,
  process,
  programOn,
  readText,
  RunningProgram,
  stat,
  symlink,
  writeFile,
} from "../platform.ts";
import { executableOf } from "../../support/runtimes.ts";
import { type Scenario, test } from "../scenario.ts";

/** How many writers are killed. `--kills` says how many more. */
const kills = hasFlag("kills") ? Number(argument("kills")) : 20;

/** Fails unless it is one of what `programs/writing.ts` writes. */
function expectWhole(text: string): void {
  const letter = text[0] ?? "";
  const length = 4 * 1024 * 1024 + "abcdefgh".indexOf(letter);
  const what = `${text.length} of ${length}, ${JSON.stringify(letter)} to ${JSON.stringify(text.at(-1))}`;
  expectTrue(text.length === length && text === letter.repeat(length), `the file is whole: ${what}`);
}

function temporaryFiles(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith(".acp-write-"));
}

const scenariosOfLinux: readonly Scenario[] = [
  test("a client that is killed leaves a whole file, and the next write removes its remains", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const path = join(directory, "file");
    let left = 0;
    for (let round = 0; round < kills; round += 1) {
      const program = new RunningProgram(programOn(runtimeName, "writing", ["--path", path]));
      const before = temporaryFiles(directory);
      let end: number | string | undefined;
      void program.ended.then((status) => (end = status));
      await eventually(() => {
        expectEqual(end, undefined, program.stderr);
        return temporaryFiles(directory).some((name) => !before.includes(name));
      }, "it writes");
      // At any moment of a write, or just after it.
      if (round % 2 === 1) await sleep(Math.random() * 20);
      program.kill("SIGKILL");
      await program.ended;
      left = Math.max(left, temporaryFiles(directory).length);
      if (readdirSync(directory).includes("file")) expectWhole(await readText(path));
    }
    if (hasFlag("kills")) console.error(`${kills} killed, at most ${left} temporary files at once`);
    expectTrue(left > 0, "some were killed in the middle");
    await runtime.fileSystem()["fs/write_text_file"]({ path, content: "next" }, testSession(directory));
    expectEqual([readdirSync(directory), await readText(path)], [["file"], "next"]);
  }),
  test("a reader of a file sees the old or the new content during a write", async ({ runtimeName, directory }) => {
    const path = join(directory, "file");
    const program = new RunningProgram(programOn(runtimeName, "writing", ["--path", path]));
    try {
      await eventually(() => readdirSync(directory).includes("file"), "it has written");
      const seen = new Set<string>();
      await eventually(async () => {
        const text = await readText(path);
        expectWhole(text);
        seen.add(text.slice(0, 1));
        return seen.size > 4;
      }, "several contents");
    } finally {
      program.kill("SIGKILL");
      await program.ended;
    }
  }),
  test("a file that is replaced keeps its mode, its attributes and its access control list, and links lead to it", async ({
    runtime,
    directory,
  }) => {
    const [path, soft] = [join(directory, "file"), join(directory, "soft")];
    await writeFile(path, "old");
    await chmod(path, 0o640);
    await symlink("file", soft);
    const attributes = async (what: "set" | "get"): Promise<readonly string[]> => {
      const file = programOn("bun", "attributes").args[1] ?? "";
      const program = new RunningProgram({ command: executableOf("bun"), args: ["--no-install", file, what, path] });
      expectEqual(await program.ended, 0, program.stderr);
      return program.lines;
    };
    await attributes("set");
    let last = await stat(path);
    const files = runtime.fileSystem();
    for (const content of ["new", ""]) {
      await files["fs/write_text_file"]({ path: soft, content }, testSession(directory));
      const now = await stat(path);
      expectEqual([await readText(path), now.mode, now.uid, now.gid], [content, last.mode, last.uid, last.gid]);
      expectTrue(now.ino !== last.ino, "it was replaced");
      expectTrue(now.mtimeMs > last.mtimeMs, "its time is new");
      last = now;
      expectEqual(await attributes("get"), ["user.acp-test: kept", "system.posix_acl_access: kept"]);
    }
    expectEqual(readdirSync(directory), ["file", "soft"]);
  }),
  test("a file with several names is written in place, and one that must not be written is not replaced either", async ({
    runtime,
    directory,
  }) => {
    const [path, hard] = [join(directory, "file"), join(directory, "hard")];
    await writeFile(path, "old");
    await link(path, hard);
    const files = runtime.fileSystem();
    await files["fs/write_text_file"]({ path, content: "new" }, testSession(directory));
    expectEqual([await readText(hard), (await stat(path)).ino === (await stat(hard)).ino], ["new", true]);
  }),
  test("a write does not touch the draft of a living writer", async ({ runtime, runtimeName, directory }) => {
    const path = join(directory, "file");
    const program = new RunningProgram(programOn(runtimeName, "writing", ["--path", path]));
    try {
      await eventually(() => readdirSync(directory).includes("file"), "it has written");
      const files = runtime.fileSystem();
      for (let round = 0; round < 30; round += 1)
        await files["fs/write_text_file"]({ path: join(directory, "other"), content: "x" }, testSession(directory));
      expectEqual([program.stderr, await readText(join(directory, "other"))], ["", "x"]);
      expectWhole(await readText(path));
    } finally {
      program.kill("SIGKILL");
      await program.ended;
    }
  }),
];

export const scenarios: readonly Scenario[] = scenariosOfLinux.map((scenario) => ({
  ...scenario,
  except: ["windows"],
  // Elsewhere files are written in place.
  run: async (context) => (process.platform === "linux" ? scenario.run(context) : undefined),
}));
