import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { testSession } from "../host-session.ts";
import {
  chmod,
  existsSync,
  join,
  link,
  mkdir,
  openFiles,
  process,
  programOn,
  readText,
  RunningProgram,
  runShell,
  stat,
  symlink,
  systemFile,
  truncate,
  writeFile,
} from "../platform.ts";
import { expectWire, fileHost } from "../file-host.ts";
import { type Scenario, test } from "../scenario.ts";
import { scenarios as callbacks } from "./files/callbacks.ts";

export const scenarios: readonly Scenario[] = [
  test("FS-04: fs/read_text_file reads whole files and lines, with ends and byte order mark as they are", async (context) => {
    const { read } = fileHost(context);
    const path = join(context.directory, "a.txt");
    await writeFile(path, "\uFEFFone\r\ntwo\nthrée");
    expectEqual(await read(path), "\uFEFFone\r\ntwo\nthrée");
    expectEqual(await read(path, { line: null, limit: null }), "\uFEFFone\r\ntwo\nthrée");
    expectEqual(await read(path, { line: 2, limit: 1 }), "two\n");
    expectEqual(await read(path, { line: 3 }), "thrée");
    expectEqual(await read(path, { line: 0, limit: 1 }), "\uFEFFone\r\n");
    expectEqual(await read(path, { limit: 0 }), "");
    expectEqual(await read(path, { line: 9 }), "");
  }),
  test("FS-04: fs/read_text_file reads lines of a file that is too large as a whole, as far as it may read", async (context) => {
    const { read } = fileHost(context, { maxFileBytes: 1_000 });
    const path = join(context.directory, "large.log");
    await writeFile(path, Array.from({ length: 200_000 }, (_, line) => `line ${line + 1}\n`).join(""));
    expectEqual(await read(path, { line: 90, limit: 2 }), "line 90\nline 91\n");
    await expectWire(read(path), -32603, { path, reason: "too_large" });
    // What it skips has to be read as well.
    await expectWire(read(path, { line: 150_000, limit: 2 }), -32603, { path, reason: "too_large" });
    const generous = fileHost(context, { maxFileBytes: 10_000_000 });
    expectEqual(await generous.read(path, { line: 150_000, limit: 2 }), "line 150000\nline 150001\n");
  }),
  test("fs/read_text_file reports that a line alone is too large, and limits what an editor has alike", async (context) => {
    const [oneLine, lines] = [join(context.directory, "one-line"), join(context.directory, "lines")];
    const texts = { [oneLine]: "é".repeat(501), [lines]: `${"é".repeat(249)}\n`.repeat(4) };
    for (const [path, text] of Object.entries(texts)) await writeFile(path, text);
    const fromDisk = fileHost(context, { maxFileBytes: 1_000 });
    const fromEditor = fileHost(context, { maxFileBytes: 1_000, readOverlay: (path) => texts[path] });
    for (const { read } of [fromDisk, fromEditor]) {
      for (const range of [{}, { line: 1, limit: 1 }]) {
        expectContains((await rejectionOf(read(oneLine, range))).message, "Line 1 alone has more than 1000 bytes");
        await expectWire(read(oneLine, range), -32603, { path: oneLine, reason: "too_large" });
      }
      expectEqual(await read(lines, { line: 2, limit: 1 }), `${"é".repeat(249)}\n`);
      const refusals = [
        [{}, "read fewer lines with limit"],
        [{ line: 3, limit: 1 }, "Line 3 ends after more than 1000 bytes"],
        [{ line: 4, limit: 1 }, "Line 4 begins after more than 1000 bytes"],
      ] as const;
      for (const [range, message] of refusals) {
        expectContains((await rejectionOf(read(lines, range))).message, message);
        await expectWire(read(lines, range), -32603, { path: lines, reason: "too_large" });
      }
    }
  }),
  test("fs/read_text_file answers -32002 for a missing file", async (context) => {
    const { read } = fileHost(context);
    const path = join(context.directory, "missing.txt");
    await expectWire(read(path), -32002, { path, reason: "not_found" });
    await writeFile(path, "");
    await expectWire(read(join(path, "below")), -32002, { path: join(path, "below"), reason: "not_found" });
  }),
  test("fs/read_text_file explains when a path is not a text file", async (context) => {
    const { read } = fileHost(context);
    await expectWire(read(context.directory), -32603, { path: context.directory, reason: "is_directory" });
    const path = join(context.directory, "binary");
    await writeFile(path, Uint8Array.of(0x61, 0xff, 0x62));
    await expectWire(read(path), -32603, { path, reason: "invalid_utf8" });
    await writeFile(path, Uint8Array.of(0x61, 0xe2, 0x82));
    await expectWire(read(path), -32603, { path, reason: "invalid_utf8" });
  }),
  test("FS-07/client: fs/* answers -32602 when the path is not absolute", async (context) => {
    const { read, write } = fileHost(context);
    await expectWire(read("a.txt"), -32602, { path: "a.txt", reason: "invalid_path" });
    await expectWire(write("./a.txt", ""), -32602, { path: "./a.txt", reason: "invalid_path" });
  }),
  test(
    "FS-08: fs/* keeps to the session's directories, through links and ..",
    { except: ["windows"] },
    async (context) => {
      const inside = join(context.directory, "inside");
      const outside = join(context.directory, "outside");
      await Promise.all([mkdir(inside), mkdir(outside)]);
      await writeFile(join(outside, "secret"), "secret");
      await symlink(outside, join(inside, "directory-link"));
      await symlink(join(outside, "secret"), join(inside, "file-link"));
      await symlink(join(outside, "new"), join(inside, "dangling-link"));
      const { read, write } = fileHost({ ...context, directory: inside });
      const paths = [
        join(outside, "secret"),
        `${inside}/../outside/secret`,
        `${inside}/directory-link/secret`,
        `${inside}/directory-link/new`,
        `${inside}/file-link`,
        `${inside}/dangling-link`,
      ];
      for (const path of paths) {
        // Each on its own, so that a failure names its path.
        await expectWire(read(path), -32602, { path, reason: "outside_roots" });
        await expectWire(write(path, "overwritten"), -32602, { path, reason: "outside_roots" });
      }
      expectEqual(await readText(join(outside, "secret")), "secret");
      expectTrue(!existsSync(join(outside, "new")), "nothing was created outside");
    },
  ),
  test(
    "FS-08: fs/* reaches additional directories, links between roots, and roots of the host's choice",
    { except: ["windows"] },
    async (context) => {
      const [one, two] = [join(context.directory, "one"), join(context.directory, "two")];
      await Promise.all([mkdir(one), mkdir(two)]);
      await writeFile(join(two, "a.txt"), "a");
      await symlink(two, join(one, "two"));
      const session = testSession(one, [two]);
      const files = context.runtime.fileSystem();
      const both = await files["fs/read_text_file"]({ path: join(one, "two", "a.txt") }, session);
      expectEqual(both.content, "a");
      const chosen = context.runtime.fileSystem({ roots: ({ cwd }) => [`${cwd}/sub`] });
      const path = join(one, "a.txt");
      await expectWire(chosen["fs/write_text_file"]({ path, content: "" }, session), -32602, {
        path,
        reason: "outside_roots",
      });
      await expectWire(context.runtime.fileSystem({ roots: [] })["fs/read_text_file"]({ path }, session), -32602, {
        path,
        reason: "outside_roots",
      });
    },
  ),
  test("FS-05, FS-06/client: fs/write_text_file creates file and directories, and answers an empty object", async (context) => {
    const { read, write } = fileHost(context);
    const path = join(context.directory, "new/deep/a.txt");
    expectEqual(await write(path, "é\r\n"), {});
    expectEqual(await read(path), "é\r\n");
    expectEqual(await write(path, ""), {});
    expectEqual(await read(path), "");
  }),
  test("fs/write_text_file keeps links and permissions", { except: ["windows"] }, async (context) => {
    const { write } = fileHost(context);
    const path = join(context.directory, "script.sh");
    await writeFile(path, "old");
    await chmod(path, 0o755);
    await link(path, join(context.directory, "hard"));
    await symlink(path, join(context.directory, "soft"));
    await write(join(context.directory, "soft"), "new");
    expectEqual(await readText(join(context.directory, "hard")), "new");
    expectEqual((await stat(path)).mode & 0o777, 0o755);
  }),
  test("fs/write_text_file explains why when it cannot write", async (context) => {
    const { write } = fileHost(context);
    await expectWire(write(context.directory, ""), -32603, { path: context.directory, reason: "is_directory" });
    const file = join(context.directory, "file");
    await writeFile(file, "");
    const path = join(file, "below");
    const error = await rejectionOf(write(path, ""));
    expectEqual(Object.keys((error["wire"] as { data: object }).data), ["path", "reason"]);
  }),
  test(
    "fs/write_text_file keeps files unchanged when the new text does not fit",
    { except: ["windows"] },
    async ({ runtimeName, directory }) => {
      for (const name of ["longer", "shorter"]) await writeFile(join(directory, name), "old".repeat(100_000));
      const disk = join(directory, "disk");
      await mkdir(disk);
      // No file may be larger than 1 MiB; or the disk has 1 MiB, where this user may make one.
      const limited = 'cp longer shorter disk; trap "" XFSZ; ulimit -f 2048; exec "$@"';
      const full = 'mount -t tmpfs -o size=1m tmpfs disk && cp longer shorter disk/ || exit 42; exec "$@"';
      const { command, args } = programOn(runtimeName, "no-room", ["--directory", disk]);
      for (const start of [
        ["sh", "-c", limited],
        ["unshare", "-rm", "sh", "-c", full],
      ]) {
        const here = ["-c", 'cd "$0" && exec "$@"', directory, ...start, "sh", command, ...args];
        const program = new RunningProgram({ command: "/bin/sh", args: here });
        const ended = await program.ended;
        if (start[0] === "unshare" && ended !== 0 && program.lines.length === 0) return;
        expectEqual(ended, 0, program.stderr);
        expectEqual(JSON.parse(program.lines.join("")), {
          longer: "failed: 300000 of old",
          shorter: "written: the new text",
          new: "failed: 0 of ",
          files: ["longer", "shorter"],
        });
      }
    },
  ),
  test("fs/* neither reads nor writes a path that is not a regular file", { except: ["windows"] }, async (context) => {
    const { read, write } = fileHost(context, { roots: ["/dev"] });
    const answered = { path: "/dev/null", reason: "not_a_file" };
    await expectWire(read("/dev/null"), -32603, answered);
    await expectWire(write("/dev/null", ""), -32603, answered);
  }),
  test("concurrent writes to one file leave one of the contents, and a read sees the text written before it", async (context) => {
    const { read, write } = fileHost(context);
    const path = join(context.directory, "a.txt");
    const contents = Array.from({ length: 50 }, (_, index) => String(index).repeat(index % 2 === 0 ? 200_000 : 10));
    const writes = contents.map((content) => write(path, content));
    const seen = read(path);
    await Promise.all(writes);
    expectTrue((await seen) === contents.at(-1), "the read saw the last write");
    expectTrue((await readText(path)) === contents.at(-1), "the last write won");
  }),
  test("FS-03: readOverlay serves unsaved text, also of files that do not exist", async (context) => {
    const unsaved = join(context.directory, "unsaved.txt");
    const saved = join(context.directory, "saved.txt");
    await writeFile(saved, "on disk");
    const { read } = fileHost(context, { readOverlay: (path) => (path === unsaved ? "a\nb\n" : undefined) });
    expectEqual(await read(`${context.directory}/x/../unsaved.txt`, { line: 2, limit: 1 }), "b\n");
    expectEqual(await read(saved), "on disk");
    const everything = fileHost(context, { readOverlay: () => "leak" });
    await expectWire(everything.read(systemFile), -32602, { path: systemFile, reason: "outside_roots" });
  }),
  test("a path through a name that is not UTF-8 is refused: it could be confused with another name", async ({
    runtime,
    directory,
  }) => {
    // Elsewhere there are no such names.
    if (process.platform !== "linux") return;
    const [inside, outside] = [join(directory, "inside"), join(directory, "outside")];
    const [file, secret] = [join(inside, "a.txt"), join(outside, "secret")];
    await Promise.all([mkdir(inside), mkdir(outside)]);
    await Promise.all([writeFile(file, "a"), writeFile(secret, "secret")]);
    // Read as UTF-8, the first name becomes the second one.
    runShell(
      `cd "$0" && mkdir "$(printf 'x\\377')" && echo decoy > "$(printf 'x\\377/secret')" &&
        ln -s "$(printf 'x\\377')" link && ln -s ../outside "$(printf 'x\\357\\277\\275')" &&
        echo right > "$(printf 'y\\357\\277\\275')"`,
      inside,
    );
    const files = runtime.fileSystem();
    const session = testSession(inside);
    const path = join(inside, "link/secret");
    const requests = [
      files["fs/read_text_file"]({ path }, session),
      files["fs/write_text_file"]({ path, content: "" }, session),
      files["fs/write_text_file"]({ path: join(inside, "link/new"), content: "" }, session),
    ];
    for (const error of await Promise.all(requests.map(rejectionOf))) {
      const { code, data } = error["wire"] as { code: number; data: { reason: string } };
      expectEqual([code, data.reason], [-32602, "invalid_path"]);
      expectContains(error.message, "not UTF-8");
    }
    expectEqual(await readText(secret), "secret");
    expectEqual((await files["fs/read_text_file"]({ path: file }, session)).content, "a");
    // It is the name of this file, and no sign of another one.
    const right = await files["fs/read_text_file"]({ path: join(inside, "y\uFFFD") }, session);
    expectEqual(right.content, "right\n");
  }),
  test("reading stops when the request is cancelled or the session ends, and the file is closed", async ({
    runtime,
    directory,
  }) => {
    const path = join(directory, "large");
    await writeFile(path, "");
    // Nothing of it is on the disk, and to read it takes longer than anybody waits.
    await truncate(path, 2 ** 40);
    const bounded = runtime.fileSystem()["fs/read_text_file"]({ path, line: 2 }, testSession(directory));
    await expectWire(bounded, -32603, { path, reason: "too_large" });
    const files = runtime.fileSystem({ maxFileBytes: Infinity });
    const request = new AbortController();
    const ending = testSession(directory);
    const reads = [
      { context: { ...testSession(directory), signal: request.signal }, end: () => request.abort(), code: undefined },
      { context: ending, end: () => ending.close(), code: -32800 },
    ];
    for (const { context, end, code } of reads) {
      const read = rejectionOf(files["fs/read_text_file"]({ path, line: 2 }, context));
      if (process.platform === "linux") await eventually(() => openFiles().includes(path), "the file is being read");
      end();
      const error = await read;
      expectEqual(
        [error.name, (error["wire"] as { code?: number } | undefined)?.code],
        [code === undefined ? "AbortError" : "RequestError", code],
      );
      if (process.platform === "linux") await eventually(() => !openFiles().includes(path), "the file is closed");
    }
    // Nobody is held up by what is over.
    await files["fs/write_text_file"]({ path, content: "new" }, testSession(directory));
    expectEqual(await readText(path), "new");
  }),
  test("any number of reads at once causes no warning", async ({ runtime, directory }) => {
    const path = join(directory, "a.txt");
    await writeFile(path, "a");
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", listen);
    const files = runtime.fileSystem();
    const context = testSession(directory);
    const reads = await Promise.all(Array.from({ length: 50 }, () => files["fs/read_text_file"]({ path }, context)));
    expectTrue(
      reads.every(({ content }) => content === "a"),
      "all were read",
    );
    // It comes behind what it is about.
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.off("warning", listen);
    expectEqual(warnings, []);
  }),
  ...callbacks,
];
