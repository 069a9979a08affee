// What the application has a say in: overlays, writes, and directories that are only read. Part of the suite "files".
import { eventually, expectEqual, expectTrue, rejectionOf } from "../../check.ts";
import { expectWire, fileHost } from "../../file-host.ts";
import { testSession } from "../../host-session.ts";
import { existsSync, join, link, mkdir, readText, symlink, writeFile } from "../../platform.ts";
import { type Scenario, test } from "../../scenario.ts";

export const scenarios: readonly Scenario[] = [
  test("onWrite takes the writes that it says it took", async (context) => {
    const taken: string[] = [];
    const path = join(context.directory, "a.txt");
    const { write } = fileHost(context, {
      onWrite: (at, content) => {
        taken.push(`${at}: ${content}`);
        return content === "taken";
      },
    });
    expectEqual(await write(path, "taken"), {});
    expectTrue(!existsSync(path), "a write that was taken is not written to disk");
    await write(path, "left");
    expectEqual(await readText(path), "left");
    expectEqual(taken, [`${path}: taken`, `${path}: left`]);
  }),
  test(
    "the callbacks receive the real path along with the requested path",
    { except: ["windows"] },
    async (context) => {
      const [open, alias] = [join(context.directory, "open.txt"), join(context.directory, "alias.txt")];
      const locked = join(context.directory, "locked");
      await Promise.all([mkdir(locked), writeFile(open, "saved"), symlink(open, alias)]);
      await symlink(locked, join(context.directory, "unlocked"));
      const seen: string[] = [];
      const { read, write } = fileHost(context, {
        readOverlay: (path, _session, realPath) => {
          seen.push(path);
          return realPath === open ? "unsaved" : undefined;
        },
        onWrite: (path, _content, _session, realPath) => {
          seen.push(path);
          if (realPath.startsWith(locked)) throw new Error("locked");
        },
      });
      expectEqual(await read(alias), "unsaved");
      // It is not there yet, the link on the way to it is.
      const path = join(context.directory, "unlocked/new.txt");
      expectEqual((await rejectionOf(write(path, ""))).message, "locked");
      expectEqual(seen, [alias, path]);
      expectTrue(!existsSync(join(locked, "new.txt")), "nothing was written");
    },
  ),
  test(
    "readOnlyRoots are read, and not written to, through links of either kind neither",
    { except: ["windows"] },
    async (context) => {
      const [inside, library] = [join(context.directory, "inside"), join(context.directory, "library")];
      const vendored = join(inside, "vendored");
      await Promise.all([mkdir(library), mkdir(inside).then(() => mkdir(vendored))]);
      await Promise.all([writeFile(join(library, "a.txt"), "a"), writeFile(join(vendored, "b.txt"), "b")]);
      await symlink(library, join(inside, "link"));
      await link(join(library, "a.txt"), join(inside, "name"));
      let taken = 0;
      const { read, write } = fileHost(
        { ...context, directory: inside },
        { readOnlyRoots: ({ cwd }) => [library, `${cwd}/vendored`], onWrite: () => void (taken += 1) },
      );
      for (const path of [
        join(library, "a.txt"),
        join(inside, "link/a.txt"),
        join(vendored, "b.txt"),
        join(inside, "name"),
      ]) {
        // Each on its own, so that a failure names its path.
        expectEqual((await read(path)).length, 1);
        await expectWire(write(path, "changed"), -32603, { path, reason: "read_only" });
      }
      await expectWire(write(join(vendored, "new"), ""), -32603, { path: join(vendored, "new"), reason: "read_only" });
      expectEqual([await readText(join(library, "a.txt")), taken], ["a", 0]);
      await write(join(inside, "c.txt"), "c");
      expectEqual(taken, 1);
    },
  ),
  test("a write that is cancelled while the user is asked is not carried out, and holds up nobody", async ({
    runtime,
    directory,
  }) => {
    const path = join(directory, "a.txt");
    await writeFile(path, "old");
    const asked: { answer(): void; signal: AbortSignal }[] = [];
    const ask = (signal: AbortSignal) => new Promise<void>((resolve) => void asked.push({ answer: resolve, signal }));
    const files = runtime.fileSystem({ onWrite: (...[, , , , signal]) => ask(signal) });
    const ending = testSession(directory);
    const request = new AbortController();
    const cases = [
      { context: { ...testSession(directory), signal: request.signal }, end: () => request.abort(), code: undefined },
      { context: ending, end: () => ending.close(), code: -32800 },
    ];
    for (const [index, { context, end, code }] of cases.entries()) {
      // One after the other: the second would wait for the first.
      const write = rejectionOf(files["fs/write_text_file"]({ path, content: "new" }, context));
      await eventually(() => asked.length > index, "the user is asked");
      const read = files["fs/read_text_file"]({ path }, testSession(directory));
      end();
      const error = await write;
      expectEqual(
        [error.name, (error["wire"] as { code?: number } | undefined)?.code],
        [code === undefined ? "AbortError" : "RequestError", code],
      );
      expectEqual((await read).content, "old");
      expectTrue(asked[index]?.signal.aborted === true, "the callback knows");
      asked[index]?.answer();
      expectEqual((await files["fs/read_text_file"]({ path }, testSession(directory))).content, "old");
    }
  }),
  test("a read or a write that is cancelled while it waits for another one waits no longer", async ({
    runtime,
    directory,
  }) => {
    const path = join(directory, "a.txt");
    let answer = (): void => {};
    let asked = 0;
    const files = runtime.fileSystem({
      onWrite: () => {
        asked += 1;
        return new Promise<void>((resolve) => (answer = resolve));
      },
    });
    const first = files["fs/write_text_file"]({ path, content: "first" }, testSession(directory));
    await eventually(() => asked === 1, "the user is asked");
    const request = new AbortController();
    const context = { ...testSession(directory), signal: request.signal };
    const given = [
      files["fs/write_text_file"]({ path, content: "second" }, context),
      files["fs/read_text_file"]({ path }, context),
    ].map(rejectionOf);
    request.abort();
    for (const error of await Promise.all(given)) expectEqual(error.name, "AbortError");
    const read = files["fs/read_text_file"]({ path }, testSession(directory));
    answer();
    await first;
    expectEqual([(await read).content, asked], ["first", 1]);
  }),
  test("an error that a callback of the application throws does not become an error about the file", async (context) => {
    const failure = new Error("the application's own");
    const { read } = fileHost(context, { readOverlay: () => Promise.reject(failure) });
    expectTrue((await rejectionOf(read(join(context.directory, "a")))) === failure, "the error came through");
  }),
];
