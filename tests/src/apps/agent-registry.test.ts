import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { tarGz, zip } from "../../../apps/client/src/agents/testing/archives.ts";
import { platformName } from "../../../apps/client/src/agents/registry/registry.ts";
import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { clientProgram, type Ended, foreignAgent, run } from "../support/main-job-programs.ts";
import { Terminal } from "../support/terminal.ts";

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
    expect(JSON.parse(home.read(home.userConfig))).toMatchObject({
      registry: file,
      agents: { packaged: { registry: "packaged" } },
    });
    const { code, stdout } = await acp(home, ["packaged", "-p", "hi"], path);
    expect(stdout).toContain("k --yes packaged@1.2.3 --acp");
    expect(code).toBe(0);
  });

  test("runs by uvx where that is what it needs, or says what is missing", async () => {
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
    await first.sees(/Run it, now and from now on\? \[y\/N\]/u);
    expect(first.screen).toContain("Runs: npx --yes packaged@1.2.3 --acp");
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

  test("is read from its copy if the server fails, or says nothing", async () => {
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

  test("is not asked for the names that completion needs, nor for an agent that is configured", async () => {
    using home = agentHome();
    await using server = await serve({ "/r.json": undefined });
    home.write(home.userConfig, { registry: `${server.url}/r.json`, agents: { a: { command: "no-such-agent" } } });
    expect((await acp(home, ["agents", "--names"])).stdout).toBe("a\n");
    expect((await acp(home, ["a", "-p", "hi"])).stderr).toContain("no-such-agent");
    expect(server.asked).toEqual([]);
  });
});
