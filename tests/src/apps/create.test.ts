// `create-acp-agent` as it is built: what it makes of names and folders, and what it asks on a terminal.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { programEnvironment, temporaryDirectory } from "../support/main-job-programs.ts";
import { createFolder, root, run } from "../support/packages.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";
import { executableOf } from "../support/runtimes.ts";

const program = join(createFolder, "dist/main.js");
const templates = ["model", "echo", "client", "page"] as const;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface DenoInstalls {
  readonly code: number;
  readonly stderr?: RegExp;
}

/** Runs it without a terminal. */
function create(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: programEnvironment({ npm_config_user_agent: "npm/11.0.0", ...env }) };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .toSorted();

test("without a terminal it asks nothing, and prints the next three commands", async () => {
  using directory = temporaryDirectory();
  const { code, stdout, stderr } = await create(directory.path, []);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const folder = join(directory.path, "my-agent");
  expect(stdout).toBe(
    `The agent my-agent is in ${folder}. Next:\n\n  cd my-agent\n  npm install\n  npm run start\n\nREADME.md has the rest.\n`,
  );
  expect(filesIn(folder)).toContain("src/agent.ts");
});

test.each([
  [["--pm", "deno"], { code: 0 }],
  [["--pm", "deno", "--runtime", "bun"], { code: 2, stderr: /cannot install a project of bun. Choose npm/u }],
  [["--pm", "deno", "--packages", "."], { code: 2, stderr: /cannot install the tarballs of --packages. Choose npm/u }],
] as const)("Deno installs its own projects: %j", async (options, { code, stderr = /^$/u }: DenoInstalls) => {
  using directory = temporaryDirectory();
  const ended = await create(directory.path, options);
  expect(ended).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
  if (code === 0) expect(ended.stdout).toContain("  cd my-agent\n  deno install\n  deno task start\n");
  expect(filesIn(directory.path).includes("my-agent/deno.json")).toBe(code === 0);
});

test("a dry run says what it would make, and makes nothing", async () => {
  using directory = temporaryDirectory();
  const { stdout } = await create(directory.path, ["x", "--dry-run", "--install", "--git"]);
  expect(filesIn(directory.path)).toEqual([]);
  await create(directory.path, ["x", "--yes"]);
  const made = filesIn(join(directory.path, "x"));
  expect(stdout).toBe(
    `${join(directory.path, "x")} would get ${made.length} files:\n${made.map((file) => `  ${file}\n`).join("")}`,
  );
});

describe("every template", () => {
  const settings = templates.flatMap((template) =>
    ["ts", "js"].flatMap((lang) => ["node", "deno", "bun"].map((runtime) => ({ template, lang, runtime }))),
  );

  test.each(settings)("$template in $lang for $runtime has its name, versions and commands", async (setting) => {
    const { template, lang, runtime } = setting;
    using directory = temporaryDirectory();
    const options = ["--template", template, "--lang", lang, "--runtime", runtime, "--pm", "pnpm"];
    expect(await create(directory.path, ["@me/Odd Name", ...options])).toMatchObject({ code: 0, stderr: "" });
    const folder = join(directory.path, "Odd Name");
    const files = filesIn(folder);
    expect(files.filter((file) => !(lang === "ts" ? /\.jsx?$/u : /\.tsx?$|^tsconfig/u).test(file))).toEqual(files);
    const texts = files.map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
    // What is left of a template, of npm or of another runtime.
    const left = /\bmy-(?:agent|client|page)\b|My (?:agent|client|page)\b|workspace:|catalog:|\/path\/to|\bnpm run\b/u;
    expect(texts.filter(([, text]) => left.test(text)).map(([file]) => file)).toEqual([]);
    const foreign = ["node", "deno", "bun"].filter((each) => each !== runtime).join("|");
    expect(texts.filter(([, text]) => new RegExp(`@acp/(?:${foreign})\\b`, "u").test(text))).toEqual([]);
    // Where the program `acp` is, in either language.
    if (template === "page")
      expect(readFileSync(join(folder, `vite.config.${lang}`), "utf8")).toContain('"dist/main.js"');
    if (lang === "js") expect(texts.filter(([, text]) => /typecheck|\.tsx?\b/u.test(text)).map(([f]) => f)).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "@me/odd-name", type: "module" });
    const versions = Object.values<string>({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
    // Each package that the code imports is one that is installed.
    const imported = texts.filter(([file]) => /^(?:src|test)\//u.test(file)).map(([, text]) => text);
    const names = [...imported.join("\n").matchAll(/(?:from|import) "(@[\w-]+\/[\w-]+|[a-z][\w-]*)(?:\/[^"]*)?";/gu)];
    const known = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(names.map(([, name]) => name).filter((name) => !known.includes(name ?? ""))).toEqual([]);
  });

  test.each(templates)("%s has tests that pass, in both languages", async (template) => {
    const folder = join(createFolder, "templates", template);
    const runTests = (cwd: string, language: string): Promise<string> =>
      run(executableOf("node24"), ["--test", `test/*.test.${language}`], cwd);
    expect(await runTests(folder, "ts")).toMatch(/fail 0\n/u);
    expect(await runTests(join(createFolder, "dist/templates", template), "js")).toMatch(/fail 0\n/u);
  });
});

test("settings of editors name the program by its real path, also an odd one", async () => {
  using directory = temporaryDirectory();
  const odd = join(directory.path, `it's "quoted" $HOME`);
  mkdirSync(odd);
  await create(odd, ["My Agent", "--template", "echo"]);
  const readme = readFileSync(join(odd, "My Agent/README.md"), "utf8");
  const main = join(odd, "My Agent/src/main.ts");
  const blocks = [...readme.matchAll(/^```json\n(.*?)^```$/gmsu)].map(([, json = ""]) => JSON.parse(json));
  expect(blocks).toHaveLength(2);
  for (const { agent_servers: servers } of blocks)
    expect(servers["My agent"]).toMatchObject({ command: process.execPath, args: [main] });
  const [line = ""] = readme.split("\n").filter((each) => each.startsWith("acp agents add"));
  const words = await run("sh", ["-c", `acp() { printf '%s\\n' "$@"; }\n${line}`], odd);
  expect(words).toBe(`agents\nadd\nmy-agent\n--\n${process.execPath}\n${main}\n`);
});

describe("a folder in the way", () => {
  test.each([
    [".", "is not empty"],
    ["..", "is not empty"],
    ["full", "is not empty: it has a.txt and 1 more"],
    ["file", "is a file"],
    ["file/below", "is a file"],
    ["con", "Windows has a device of that name"],
    ["a:b", "on Windows"],
    ["", "is not empty"],
  ])("%j ends with 2, and stays as it is", async (name, reason) => {
    using directory = temporaryDirectory();
    const cwd = join(directory.path, "here");
    mkdirSync(join(cwd, "full"), { recursive: true });
    for (const file of ["file", "full/a.txt", "full/b.txt"]) writeFileSync(join(cwd, file), "mine");
    const { code, stdout, stderr } = await create(cwd, [name, "--git"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(filesIn(directory.path)).toEqual(["here/file", "here/full/a.txt", "here/full/b.txt"]);
  });

  test("an empty one, or one with a repository only, is filled", async () => {
    using directory = temporaryDirectory();
    mkdirSync(join(directory.path, ".git"));
    const { code, stdout } = await create(directory.path, ["."]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Next:\n\n {2}npm install\n {2}npm run start\n {2}npm run test\n/u);
  });

  test("a file that cannot be written takes the others with it", async () => {
    using directory = temporaryDirectory();
    // So deep that the name of the workflow is too long for the system, and that of the folder is not.
    const parts = Array.from({ length: 40 }, () => "d".repeat(150)).join("/");
    const cwd = `${directory.path}/${parts}`.slice(0, 4075);
    mkdirSync(cwd, { recursive: true });
    const { code, stderr } = await create(cwd, ["x"]);
    expect(code).toBe(1);
    expect(stderr).toContain("ENAMETOOLONG");
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test.each([
  [["--nonsense"], "--help"],
  [["a", "b"], "too many"],
  [["--template", "x"], "--template"],
  [["--packages", "nowhere"], "no tarballs"],
])("%j ends with 2 and makes nothing", async (args, words) => {
  using directory = temporaryDirectory();
  const { code, stderr } = await create(directory.path, args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(filesIn(directory.path)).toEqual([]);
});

test("the package manager that runs it is the one of the project", async () => {
  using directory = temporaryDirectory();
  for (const pm of ["npm", "pnpm", "yarn", "bun"]) {
    const { stdout } = await create(directory.path, [pm], { npm_config_user_agent: `${pm}/1.2.3 node/v24.0.0` });
    expect(stdout).toContain(`  ${pm} install\n  ${pm} run start\n`);
  }
});

test("--git makes a repository with a first commit", async () => {
  using directory = temporaryDirectory();
  const author = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.example", GIT_COMMITTER_NAME: "A" };
  const { code } = await create(directory.path, ["x", "--git"], { ...author, GIT_COMMITTER_EMAIL: "a@b.example" });
  expect(code).toBe(0);
  const tracked = await run("git", ["ls-files"], join(directory.path, "x"));
  expect(tracked.trim().split("\n")).toContain("package.json");
  expect(await run("git", ["status", "--short"], join(directory.path, "x"))).toBe("");
});

test("an installation that fails leaves the project, and says what to do", async () => {
  using directory = temporaryDirectory();
  const { code, stdout, stderr } = await create(directory.path, ["x", "--install", "--pm", "pnpm"], {
    PATH: "/nowhere",
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `\`pnpm install\` cannot be started. The project is made; run the command again in ${join(directory.path, "x")}.\n`,
  );
});

describe("on a terminal", () => {
  const start = (cwd: string, args: readonly string[] = []): Terminal =>
    new Terminal(cwd, [program, ...args], { CI: "", npm_config_user_agent: "npm/11.0.0" });

  test("it asks for name, template, language and installation", async () => {
    using directory = temporaryDirectory();
    const terminal = start(directory.path);
    await terminal.sees(/Name \(my-agent\): $/u);
    terminal.type("First Try\r");
    await terminal.sees(/Template: model, echo, client, page \(model\): $/u);
    terminal.type("nonsense\r");
    await terminal.sees(/Template: .*: $/u);
    terminal.type("e\r");
    await terminal.sees(/Language: ts, js \(ts\): $/u);
    terminal.type("js\r");
    await terminal.sees(/Install: yes, no \(yes\): $/u);
    expect(filesIn(directory.path)).toEqual([]);
    terminal.type("n\r");
    await terminal.sees(/npm run start/u);
    expect(await terminal.ended).toBe(0);
    expect(filesIn(join(directory.path, "First Try"))).toContain("src/agent.js");
    expect(readFileSync(join(directory.path, "First Try/src/agent.js"), "utf8")).toContain("You said");
  });

  test.each([
    ["Ctrl-C at the first question", control("C"), 0],
    ["Ctrl-D at the first question", control("D"), 0],
    ["Ctrl-C at the last question", control("C"), 3],
  ])("%s leaves nothing behind", async (_words, key, answers) => {
    using directory = temporaryDirectory();
    const terminal = start(directory.path);
    for (let count = 0; count < answers; count += 1) {
      await terminal.sees(/\): $/u);
      terminal.type("\r");
    }
    await terminal.sees(/\): $/u);
    terminal.type(key);
    expect(await terminal.ended).toBe(130);
    expect(terminal.raw).toContain("Cancelled. Nothing was made.");
    expect(filesIn(directory.path)).toEqual([]);
  });

  test("it does not ask for what the options say, nor at all with --yes", async () => {
    using directory = temporaryDirectory();
    const some = start(directory.path, ["a", "--template", "echo", "--no-install"]);
    await some.sees(/Language: .*: $/u);
    expect(some.raw).not.toMatch(/Name|Template|Install/u);
    some.type("\r");
    expect(await some.ended).toBe(0);
    const none = start(directory.path, ["b", "--yes"]);
    expect(await none.ended).toBe(0);
    expect(none.raw).not.toContain("Language");
  });

  test("a name that cannot be ends with 2, before anything is made", async () => {
    using directory = temporaryDirectory();
    const terminal = start(directory.path, ["--template", "echo", "--lang", "ts", "--no-install"]);
    await terminal.sees(/Name .*: $/u);
    terminal.type("nul\r");
    expect(await terminal.ended).toBe(2);
    expect(filesIn(directory.path)).toEqual([]);
  });
});

test("the tarball has no code of others, and is small", async () => {
  using directory = temporaryDirectory();
  await run(
    process.execPath,
    ["tools/pnpm.mjs", "--filter", "create-acp-agent", "pack", "--pack-destination", directory.path],
    root,
  );
  const [tarball = ""] = readdirSync(directory.path);
  expect(statSync(join(directory.path, tarball)).size).toBeLessThan(50_000);
  const list = await run("tar", ["-tzf", tarball], directory.path);
  expect(list).toContain("package/dist/templates/shared/gitignore\n");
  expect(list).not.toMatch(/node_modules|tsconfig\.check/u);
  const manifest = JSON.parse(await run("tar", ["-xzOf", tarball, "package/package.json"], directory.path));
  expect(manifest).toMatchObject({ name: "create-acp-agent", bin: { "create-acp-agent": "./dist/main.js" } });
  expect(manifest).not.toHaveProperty("dependencies");
});
