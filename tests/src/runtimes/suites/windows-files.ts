/** Paths and links as Windows has them. */
import { expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { testSession } from "../host-session.ts";
import { existsSync, join, junction, mkdir, readText, writeFile } from "../platform.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

async function makeFolders(directory: string): Promise<{ readonly inside: string; readonly outside: string }> {
  const [inside, outside] = [join(directory, "Inside"), join(directory, "Outside")];
  await Promise.all([mkdir(inside), mkdir(outside)]);
  await writeFile(join(inside, "a.txt"), "a");
  await writeFile(join(outside, "secret"), "secret");
  return { inside, outside };
}

function host({ runtime }: ScenarioContext, cwd: string) {
  const files = runtime.fileSystem();
  const session = testSession(cwd);
  return {
    read: async (path: string) => (await files["fs/read_text_file"]({ path }, session)).content,
    write: (path: string, content: string) => files["fs/write_text_file"]({ path, content }, session),
  };
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const { wire } = (await rejectionOf(promise)) as { wire?: { data?: { reason?: string } } };
  return wire?.data?.reason ?? "none";
}

const scenariosOfWindows: readonly Omit<Scenario, "only">[] = [
  test("a file is reached by every spelling of its path, and by every spelling of its root", async (context) => {
    const { inside } = await makeFolders(context.directory);
    const upper = inside.toUpperCase();
    const paths = [`${inside}\\a.txt`, `${inside}/a.txt`, `${upper}\\A.TXT`, `${inside}\\.\\x\\..\\a.txt`];
    paths.push(inside.replace(/^./u, (drive) => drive.toLowerCase()).replaceAll("\\", "//") + "//a.txt");
    for (const root of [inside, upper, inside.replaceAll("\\", "/"), `${inside}\\`]) {
      const { read, write } = host(context, root);
      for (const path of paths) expectEqual(await read(path), "a", `${path} in ${root}`);
      await write(`${root}/new/deep/b.txt`, "b\r\n");
      expectEqual(await readText(join(inside, "new", "deep", "b.txt")), "b\r\n");
    }
  }),
  test("fs/* keeps to the session's directories on every way that Windows knows", async (context) => {
    const { inside, outside } = await makeFolders(context.directory);
    const { read, write } = host(context, inside);
    const rest = outside.slice(3);
    const ways: readonly (readonly [string, string])[] = [
      [`${outside}\\secret`, "outside_roots"],
      [`${inside}\\..\\Outside\\secret`, "outside_roots"],
      [`${inside}2\\secret`, "outside_roots"],
      [`\\\\localhost\\C$\\${rest}\\secret`, "outside_roots"],
      [`\\\\?\\${outside}\\secret`, "invalid_path"],
      [`\\\\.\\${outside}\\secret`, "invalid_path"],
      [`\\${rest}\\secret`, "invalid_path"],
      [`C:${rest}\\secret`, "invalid_path"],
      [`/${outside.replaceAll("\\", "/")}/secret`, "invalid_path"],
      [`file:///${outside.replaceAll("\\", "/")}/secret`, "invalid_path"],
      [`${inside}\\a.txt:stream`, "invalid_path"],
      [`${inside}\\NUL`, "invalid_path"],
      [`${inside}\\com1.txt`, "invalid_path"],
      [`${inside}\\LPT².log`, "invalid_path"],
      [`${inside}\\CONOUT$`, "invalid_path"],
      [`${inside}\\a.txt.`, "invalid_path"],
    ];
    for (const [path, reason] of ways) {
      expectEqual([await reasonOf(read(path)), await reasonOf(write(path, "changed"))], [reason, reason], path);
    }
    expectEqual([await readText(join(outside, "secret")), await readText(join(inside, "a.txt"))], ["secret", "a"]);
  }),
  test(
    // It has none.
    "fs/* keeps to the session's directories through junctions, and goes where they lead inside",
    { except: ["wine"] },
    async (context) => {
      const { inside, outside } = await makeFolders(context.directory);
      await mkdir(join(inside, "sub"));
      await junction(outside, join(inside, "out"));
      await junction(join(inside, "sub"), join(inside, "in"));
      await junction(inside, join(context.directory, "alias"));
      const { read, write } = host(context, join(context.directory, "alias"));
      for (const path of [`${inside}\\out\\secret`, `${inside}\\out\\new`, `${inside}\\out\\deep\\new`]) {
        expectEqual([await reasonOf(read(path)), await reasonOf(write(path, ""))], ["outside_roots", "outside_roots"]);
      }
      expectTrue(!existsSync(join(outside, "new")), "nothing was created outside");
      await write(`${inside}\\in\\b.txt`, "b");
      expectEqual(await read(join(context.directory, "alias", "sub", "b.txt")), "b");
    },
  ),
];

export const scenarios: readonly Scenario[] = scenariosOfWindows.map((scenario) => ({ ...scenario, only: "windows" }));
