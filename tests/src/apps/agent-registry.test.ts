import { spawnSync } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { tarGz, zip } from "../../../apps/client/src/agents/testing/archives.ts";
import { platformName } from "../../../apps/client/src/agents/registry/registry.ts";
import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { clientProgram, type Ended, foreignAgent, run } from "../support/main-job-programs.ts";
import { Terminal } from "../support/terminal/terminal.ts";

/** What a server was asked, and what it has. */
interface RegistryServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** The files by their paths; `undefined` is a server that never answers. */
  readonly files: Record<string, { readonly body?: string | Uint8Array; readonly location?: string } | undefined>;
}

async function serve(files: RegistryServer["files"]): Promise<RegistryServer> {
  const asked: RegistryServer["asked"] = [];
  const server = createServer(({ url: path = "", headers }, response) => {
    asked.push({ path, headers });
    const file = files[path];
    if (path in files && file === undefined) return;
    const etag = `"${String(file?.body).length}"`;
    if (file?.location !== undefined) response.writeHead(302, { location: file.location }).end();
    else if (file === undefined) response.writeHead(404).end();
    else if (headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    files,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function registryOf(...agents: readonly { readonly id: string; readonly distribution: object }[]): string {
  const whole = agents.map((agent) => ({ name: `Agent ${agent.id}`, version: "1.2.3", description: "One", ...agent }));
  return JSON.stringify({ version: "1.0.0", agents: whole, extensions: [] });
}

function acp(
  { env, project }: AgentHome,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return run([clientProgram, ...args, "--cwd", project], "", { ...env, ...more });
}

/** Puts a program into a folder for `PATH` that runs an agent, which says its arguments. */
function fakeRunner(home: AgentHome, name: string): string {
  const body =
    'update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${process.env.KEY} ${process.argv.slice(2).join(" ")}` } }); end("end_turn");';
  const [, command, ...args] = foreignAgent(home.home, body);
  const bin = join(home.home, "bin");
  home.write(join(bin, name), `#!/bin/sh\nexec '${command}' '${args.join("' '")}' "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

const npxAgent = {
  id: "packaged",
  distribution: { npx: { package: "packaged@1.2.3", args: ["--acp"], env: { KEY: "k" } } },
};

describe("an agent of the registry", () => {
  test("runs by npx in the version that the registry names, once the user has added it", async () => {
    using home = agentHome();
    const file = join(home.home, "registry.json");
    home.write(file, registryOf(npxAgent));
    const path = { PATH: fakeRunner(home, "npx") };
    const refused = await acp(home, ["packaged", "-p", "hi", "--registry", file], path);
    expect(refused.stderr).toContain("packaged is an agent of the registry that you have not added");
    expect(refused.stderr).toContain("acp agents add packaged");
    expect(refused.code).toBe(11);
    const added = await acp(home, ["agents", "add", "packaged", "--registry", file]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    // Other names are looked up where they were before.
    expect(JSON.parse(home.read(home.userConfig))).toEqual({
      $schema: expect.any(String),
      agents: { packaged: { registry: "packaged", from: file } },
    });
    const { code, stdout } = await acp(home, ["packaged", "-p", "hi"], path);
    expect(stdout).toContain("k --yes packaged@1.2.3 --acp");
    expect(code).toBe(0);
  });

  test("runs by uvx if the agent needs it, or names the missing program", async () => {
    using home = agentHome();
    const file = join(home.home, "registry.json");
    home.write(file, registryOf({ id: "snake", distribution: { uvx: { package: "snake==1", args: ["acp"] } } }));
    home.write(home.userConfig, { registry: file, agents: { snake: { registry: "snake", args: ["more"] } } });
    const missing = await acp(home, ["snake", "-p", "hi"]);
    expect(missing.stderr).toContain("snake needs uvx, which comes with uv");
    expect(missing.code).toBe(11);
    const { stdout } = await acp(home, ["snake", "-p", "hi"], { PATH: fakeRunner(home, "uvx") });
    expect(stdout).toContain("undefined snake==1 acp more");
  });

  test("is run after a question on a terminal, which is asked once", async () => {
    using home = agentHome();
    const file = join(home.home, "registry.json");
    home.write(file, registryOf(npxAgent));
    const env = { ...home.env, PATH: fakeRunner(home, "npx") };
    const args = [clientProgram, "--plain", "packaged", "-p", "hi", "--registry", file];
    const first = new Terminal(home.project, args, env);
    await first.sees(/Run it, now and until it changes\? \[y\/N\]/u);
    expect(first.screen).toContain("Runs: npx --yes packaged@1.2.3 --acp");
    expect(first.screen).toContain("With: KEY=k");
    first.type("y\r");
    expect(await first.ended).toBe(0);
    expect(await new Terminal(home.project, args, env).ended).toBe(0);
  });

  test.each([
    ["tar.gz", (program: string) => tarGz([{ name: "./bin/agent", content: program, mode: 0o755 }]), "./bin/agent"],
    ["zip", (program: string) => zip([{ name: "bin/agent", content: program, mode: 0o100644 }]), "bin/agent"],
    ["bin", (program: string) => Buffer.from(program), "./agent"],
  ])("is downloaded once, and unpacked (%s)", async (ending, pack, cmd) => {
    using home = agentHome();
    const bin = fakeRunner(home, "fake");
    await using server = await serve({
      [`/archive.${ending}`]: { body: pack(readFileSync(join(bin, "fake"), "utf8")) },
    });
    const target = { archive: `${server.url}/archive.${ending}`, cmd, args: ["serve"], env: { KEY: "b" } };
    server.files["/registry.json"] = {
      body: registryOf({ id: "binary", distribution: { binary: { [platformName() ?? ""]: target } } }),
    };
    home.write(home.userConfig, {
      registry: `${server.url}/registry.json`,
      agents: { binary: { registry: "binary" } },
    });
    for (const _ of [1, 2]) {
      const { code, stdout } = await acp(home, ["binary", "-p", "hi"]);
      expect(stdout).toContain("b serve");
      expect(code).toBe(0);
    }
    expect(server.asked.map(({ path }) => path)).toEqual(["/registry.json", `/archive.${ending}`]);
  });

  test.each([
    ["leads out of its folder", tarGz([{ name: "../agent", content: "x" }]), "unsafe path"],
    ["has a link", tarGz([{ name: "agent", type: "2" }]), "a link"],
    ["lacks the program", tarGz([{ name: "other", content: "x" }]), "has no file agent"],
    ["is broken", Buffer.from("x"), "cannot be installed"],
  ])("is not installed if its archive %s", async (_name, body, reason) => {
    using home = agentHome();
    await using server = await serve({ "/a.tar.gz": { body } });
    const target = { archive: `${server.url}/a.tar.gz`, cmd: "agent" };
    const file = join(home.home, "registry.json");
    home.write(file, registryOf({ id: "binary", distribution: { binary: { [platformName() ?? ""]: target } } }));
    home.write(home.userConfig, { registry: file, agents: { binary: { registry: "binary" } } });
    const { code, stderr } = await acp(home, ["binary", "-p", "hi"]);
    expect(stderr).toContain(reason);
    expect(code).toBe(11);
    expect(readdirSync(join(home.home, ".cache", "acp", "agents", "binary"))).toEqual([]);
  });

  test.each([
    ["http", { archive: "http://example.com/a.tar.gz" }, "it is no https URL"],
    ["a file", { archive: "file:///etc/passwd" }, "it is no https URL"],
    ["a program outside", { archive: "https://127.0.0.1:1/a.tar.gz", cmd: "../../agent" }, "unsafe path"],
  ])("is not fetched from %s", async (_name, target, reason) => {
    using home = agentHome();
    const file = join(home.home, "registry.json");
    const distribution = { binary: { [platformName() ?? ""]: { cmd: "agent", ...target } } };
    home.write(file, registryOf({ id: "binary", distribution }));
    home.write(home.userConfig, { registry: file, agents: { binary: { registry: "binary" } } });
    const { code, stderr } = await acp(home, ["binary", "-p", "hi"]);
    expect(stderr).toContain(reason);
    expect(code).toBe(11);
  });

  test("is not fetched where a redirect leads to http", async () => {
    using home = agentHome();
    await using server = await serve({ "/a.tar.gz": { location: "http://example.com/a.tar.gz" } });
    const file = join(home.home, "registry.json");
    const distribution = { binary: { [platformName() ?? ""]: { cmd: "agent", archive: `${server.url}/a.tar.gz` } } };
    home.write(file, registryOf({ id: "binary", distribution }));
    home.write(home.userConfig, { registry: file, agents: { binary: { registry: "binary" } } });
    expect((await acp(home, ["binary", "-p", "hi"])).stderr).toContain("http://example.com/a.tar.gz is not fetched");
  });
});

/** A registry in a file with one agent, which can change. */
function changing(home: AgentHome): { readonly file: string; has(distribution: object): void } {
  const file = join(home.home, "registry.json");
  return { file, has: (distribution) => home.write(file, registryOf({ id: "agent", distribution })) };
}

const first = { package: "agent@1.0.0", args: ["--acp"], env: { KEY: "k" } };
const changes: readonly (readonly [what: string, now: object, shown: string])[] = [
  ["version", { ...first, package: "agent@1.0.1" }, "Runs: npx --yes agent@1.0.1 --acp"],
  ["arguments", { ...first, args: ["--acp", "--unsafe"] }, "Runs: npx --yes agent@1.0.0 --acp --unsafe"],
  ["variables", { ...first, env: { KEY: "k", A: "1" } }, "With: A=1"],
  ["values", { ...first, env: { KEY: "other" } }, "With: KEY=other"],
  [
    "loaders",
    { ...first, env: { KEY: "k", NODE_OPTIONS: "--import=data:text/javascript,0" } },
    "! NODE_OPTIONS can make it run other code",
  ],
];

describe("an agreement covers exactly the shown command", () => {
  test.each(changes)("%s that change are asked about again, with all that runs", async (_what, now, shown) => {
    using home = agentHome();
    const registry = changing(home);
    registry.has({ npx: first });
    const path = { PATH: fakeRunner(home, "npx") };
    const added = await acp(home, ["agents", "add", "agent", "--registry", registry.file], path);
    expect(added.stdout).toContain("  Runs: npx --yes agent@1.0.0 --acp\n  With: KEY=k\nAdded agent");
    expect((await acp(home, ["agent", "-p", "hi"], path)).code).toBe(0);
    registry.has({ npx: now });
    for (const args of [
      ["agent", "-p", "hi"],
      ["exec", "hi", "--agent", "agent"],
    ]) {
      const { code, stdout, stderr } = await acp(home, args, path);
      expect({ code, stdout }).toEqual({ code: 11, stdout: "" });
      expect(stderr).toContain("What the registry runs for agent has changed since you agreed to it");
      expect(stderr).toContain(shown);
      expect(stderr).toContain("Agree to it by: acp agents add agent");
    }
    const terminal = new Terminal(home.project, [clientProgram, "--plain", "agent", "-p", "hi"], {
      ...home.env,
      ...path,
    });
    await terminal.sees(/Run it, now and until it changes\?/u);
    expect(terminal.screen).toContain(shown.slice(0, 60));
    terminal.type("\r");
    expect(await terminal.ended).toBe(11);
    expect((await acp(home, ["agents", "add", "agent"], path)).code).toBe(0);
    expect((await acp(home, ["agent", "-p", "hi"], path)).code).toBe(0);
    registry.has({ npx: first });
    expect((await acp(home, ["agent", "-p", "hi"], path)).code).toBe(11);
  });

  test("a name that the user wrote runs the first command, until that changes", async () => {
    using home = agentHome();
    const registry = changing(home);
    const path = { PATH: fakeRunner(home, "npx") };
    home.write(home.userConfig, { registry: registry.file, agents: { mine: { registry: "agent", args: ["own"] } } });
    registry.has({ npx: first });
    expect((await acp(home, ["mine", "-p", "hi"], path)).stdout).toContain("k --yes agent@1.0.0 --acp own");
    registry.has({ npx: { ...first, env: { LD_PRELOAD: "/x.so" } } });
    expect((await acp(home, ["mine", "-p", "hi"], path)).stderr).toContain("! LD_PRELOAD can make it run other code");
  });

  test("an archive shows its program, arguments and variables", async () => {
    using home = agentHome();
    const registry = changing(home);
    const archive = "https://127.0.0.1:1/a.tar.gz";
    const target = { archive, cmd: "bin/agent", args: ["-e", "evil"], env: { PYTHONPATH: "/p" } };
    registry.has({ binary: { [platformName() ?? ""]: target } });
    const { stderr } = await acp(home, ["agent", "-p", "hi", "--registry", registry.file]);
    for (const line of [`Downloads: ${archive}`, "Runs: bin/agent -e evil", "With: PYTHONPATH=/p", "! PYTHONPATH can"])
      expect(stderr).toContain(line);
  });

  test("asks about the command of a project that names a registry of its own", async () => {
    using home = agentHome();
    const path = { PATH: fakeRunner(home, "npx") };
    home.write(home.projectConfig, {
      registry: ".acp/registry.json",
      agents: {
        ours: { registry: "agent", env: { NODE_OPTIONS: "--no-warnings" } },
        more: { command: "x", mode: "yolo" },
      },
    });
    home.write(join(home.project, ".acp/registry.json"), registryOf({ id: "agent", distribution: { npx: first } }));
    const args = [clientProgram, "--plain", "ours", "-p", "hi"];
    const terminal = new Terminal(home.project, args, { ...home.env, ...path });
    await terminal.sees(/Trust this file until it changes\?/u);
    expect(terminal.screen).toContain("ours: agent of the registry .acp/registry.json");
    for (const line of ["With: NODE_OPTIONS=--no-warnings", "! NODE_OPTIONS can make it run other code", "Mode: yolo"])
      expect(terminal.screen).toContain(line);
    terminal.type("y\r");
    await terminal.sees(/Run it, now and until it changes\?/u);
    terminal.type("y\r");
    expect(await terminal.ended).toBe(0);
    expect((await acp(home, ["ours", "-p", "hi"], path)).code).toBe(0);
    const changed = registryOf({ id: "agent", distribution: { npx: { ...first, package: "other@1.0.0" } } });
    home.write(join(home.project, ".acp/registry.json"), changed);
    expect((await acp(home, ["ours", "-p", "hi"], path)).stderr).toContain("Runs: npx --yes other@1.0.0 --acp");
    expect((await acp(home, ["ours", "-p", "hi", "--trust-project"], path)).code).toBe(0);
  });
});

describe("acp agents add with the registry", () => {
  const here = platformName() ?? "";
  const at = (name: string): object => ({
    binary: { [here]: { archive: `https://127.0.0.1:1/${name}`, cmd: "agent" } },
  });

  test.each([
    ["of a kind that acp cannot unpack", at("a.dmg"), "acp cannot unpack .dmg files"],
    [
      "whose archive needs a program that is not here",
      at("a.tar.bz2"),
      "needs the program bzip2, which is not on PATH",
    ],
    [
      "for another system",
      { binary: { "plan9-mips": { archive: "https://127.0.0.1:1/a.zip", cmd: "a" } } },
      "but for plan9-mips",
    ],
    ["without a distribution", {}, "agent has no distribution that acp knows"],
    [
      "with one of the future",
      { wasm: { url: "https://127.0.0.1:1/a.wasm" } },
      "agent has no distribution that acp knows",
    ],
  ])("refuses one %s", async (_, distribution, reason) => {
    using home = agentHome();
    const registry = changing(home);
    registry.has(distribution);
    const { code, stderr } = await acp(home, ["agents", "add", "agent", "--registry", registry.file]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("acp agents add <name> -- <command>");
    expect(code).toBe(11);
    expect(home.read(home.userConfig)).toBe("");
  });

  test.each(["bzip2", "xz"])("runs one that is packed by %s", async (filter) => {
    using home = agentHome();
    const program = readFileSync(join(fakeRunner(home, "fake"), "fake"), "utf8");
    const tar = gunzipSync(tarGz([{ name: "agent", content: program, mode: 0o755 }]));
    const body = spawnSync(filter, ["-c"], { input: tar }).stdout;
    const path = { PATH: "/usr/bin:/bin" };
    const name = `/a.tar.${filter === "xz" ? "xz" : "bz2"}`;
    await using server = await serve({ [name]: { body } });
    const registry = changing(home);
    registry.has({ binary: { [here]: { archive: `${server.url}${name}`, cmd: "agent" } } });
    expect((await acp(home, ["agents", "add", "agent", "--registry", registry.file], path)).code).toBe(0);
    expect((await acp(home, ["agent", "-p", "hi"], path)).stdout).toContain("undefined");
  });

  test("looks up only this one in --registry, unless --set-registry is given", async () => {
    using home = agentHome();
    const registry = changing(home);
    registry.has({ npx: first });
    home.write(home.userConfig, { registry: false });
    const add = ["agents", "add", "agent", "--registry", relative(process.cwd(), registry.file)];
    expect((await acp(home, add)).code).toBe(0);
    expect(JSON.parse(home.read(home.userConfig))).toEqual({
      registry: false,
      agents: { agent: { registry: "agent", from: registry.file } },
    });
    expect((await acp(home, [...add, "--set-registry"])).code).toBe(0);
    expect(JSON.parse(home.read(home.userConfig)).registry).toBe(registry.file);
  });
});

describe("a registry at a URL", () => {
  /** Makes the copy older than a day. */
  function age({ home }: AgentHome): void {
    const folder = join(home, ".cache", "acp", "registries");
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const copy = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...copy, checkedAt: Date.now() - 2 * 86_400_000 }));
      utimesSync(file, 0, 0);
    }
  }

  test("is fetched once a day, and then only if it has changed", async () => {
    using home = agentHome();
    await using server = await serve({ "/r.json": { body: registryOf(npxAgent) } });
    const list = (): Promise<Ended> => acp(home, ["agents", "--registry", `${server.url}/r.json`]);
    const expected = "In the registry (add one by: acp agents add <name>)\n  packaged  Agent packaged  1.2.3\n";
    expect((await list()).stdout).toBe(expected);
    expect((await list()).stdout).toBe(expected);
    expect(server.asked).toHaveLength(1);
    age(home);
    expect((await list()).stdout).toBe(expected);
    expect(server.asked).toHaveLength(2);
    expect(server.asked[1]?.headers["if-none-match"]).toMatch(/^"\d+"$/u);
    // It was confirmed.
    await list();
    expect(server.asked).toHaveLength(2);
    age(home);
    server.files["/r.json"] = { body: registryOf(npxAgent, { ...npxAgent, id: "second" }) };
    expect((await list()).stdout).toContain("second");
  });

  test("is read from its copy if the server fails, or stays silent", async () => {
    using home = agentHome();
    await using server = await serve({ "/r.json": { body: registryOf(npxAgent) } });
    const list = (): Promise<Ended> => acp(home, ["agents", "--registry", `${server.url}/r.json`]);
    const none = await acp(home, ["agents", "--registry", `${server.url}/other.json`]);
    expect(none.stderr).toContain("the registry cannot be read");
    expect(none.code).toBe(0);
    await list();
    for (const file of [{ body: "<html>" }, undefined]) {
      age(home);
      server.files["/r.json"] = file;
      const { stdout, stderr } = await list();
      expect(stdout).toContain("packaged");
      expect(stderr).toContain("acp agents: ");
    }
    age(home);
    expect((await acp(home, ["agents", "--names", "--registry", `${server.url}/r.json`])).stdout).toBe("packaged\n");
  });

  test.each([
    [["exce", "a prompt"], "There is no command 'acp exce'. Did you mean 'acp exec'?"],
    [["exce", "--timeout", "5", "a prompt"], "There is no command 'acp exce'. Did you mean 'acp exec'?"],
    [["--plain", "docter"], "There is no command 'acp docter'. Did you mean 'acp doctor'?"],
  ])("is not asked for a mistyped command: %j", async (args, reason) => {
    using home = agentHome();
    await using server = await serve({ "/r.json": undefined });
    home.write(home.userConfig, { registry: `${server.url}/r.json`, agents: { serv: { command: "no-such-agent" } } });
    expect(await acp(home, args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    // An agent that is known by such a name is started.
    expect((await acp(home, ["serv", "-p", "hi"])).stderr).toContain("no-such-agent");
    expect(server.asked).toEqual([]);
  });

  test("is not asked for the names that completion needs, nor for an agent that is configured", async () => {
    using home = agentHome();
    await using server = await serve({ "/r.json": undefined });
    home.write(home.userConfig, { registry: `${server.url}/r.json`, agents: { a: { command: "no-such-agent" } } });
    expect((await acp(home, ["agents", "--names"])).stdout).toBe("a\n");
    expect((await acp(home, ["a", "-p", "hi"])).stderr).toContain("no-such-agent");
    expect(server.asked).toEqual([]);
  });
});
