// `acp check --for registry`: what the public registry of agents demands.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";

interface Printed {
  readonly set: string;
  readonly results: readonly { readonly id: string; readonly status: string; readonly reason?: string }[];
}

async function checkFor(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly rows: Readonly<Record<string, string>>; readonly text: string }> {
  const { code, stdout } = await run([clientProgram, "check", "--for", "registry", "--format", "json", ...args]);
  const { set, results } = JSON.parse(stdout) as Printed;
  expect(set).toBe("registry");
  return { code, rows: Object.fromEntries(results.map(({ id, status }) => [id, status])), text: stdout };
}

/** An agent that offers these ways to log in, and writes `before` ahead of its answer. */
function agentWith(folder: string, authMethods: unknown, before = ""): readonly string[] {
  const file = join(folder, "agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  ${before}
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1, authMethods: ${JSON.stringify(authMethods)} } }));
}
`,
  );
  return ["--", process.execPath, file];
}

describe("acp check --for registry", () => {
  test("passes the reference agent that asks for a login, and not the one without", async () => {
    using directory = temporaryDirectory();
    const login = ["--require-login", join(directory.path, "login.json")];
    expect(await checkFor([...referenceAgent, ...login])).toMatchObject({
      code: 0,
      rows: { "registry-handshake": "pass", "registry-login": "pass" },
    });
    expect(await checkFor([...referenceAgent])).toMatchObject({ code: 1, rows: { "registry-login": "fail" } });
  });

  test.each([
    ["a type of its own", [{ id: "a", name: "A", type: "agent" }], "pass"],
    ["no type, which means agent", [{ id: "a", name: "A" }], "pass"],
    ["a terminal of older agents", [{ id: "a", name: "A", _meta: { "terminal-auth": { command: "x" } } }], "pass"],
    ["variables only", [{ id: "a", name: "A", type: "env_var" }], "fail"],
    [
      "variables and a terminal",
      [
        { id: "a", type: "env_var" },
        { id: "b", type: "terminal" },
      ],
      "pass",
    ],
    ["none", [], "fail"],
    ["no list", "agent", "fail"],
  ])("a login with %s", async (_, methods, status) => {
    using directory = temporaryDirectory();
    const { rows } = await checkFor(agentWith(directory.path, methods));
    expect(rows).toEqual({ "registry-handshake": "pass", "registry-login": status });
  });

  test.each([
    ["a banner", `console.log("Welcome");`],
    ["a notification", `console.log('{"jsonrpc":"2.0","method":"_hello","params":{}}');`],
    [
      "an error",
      `console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "Log in" } })); continue;`,
    ],
  ])("the handshake fails with %s before the answer", async (_, before) => {
    using directory = temporaryDirectory();
    const { code, rows } = await checkFor(agentWith(directory.path, [{ id: "a", name: "A" }], before));
    expect({ code, handshake: rows["registry-handshake"] }).toEqual({ code: 1, handshake: "fail" });
  });

  test("its home directory is empty", async () => {
    using directory = temporaryDirectory();
    const before = `const { readdirSync } = await import("node:fs"); if (readdirSync(process.env.HOME).length > 0) continue;`;
    expect(await checkFor(agentWith(directory.path, [{ id: "a", name: "A" }], before))).toMatchObject({ code: 0 });
  });

  test("looks at the folder of the agent as well", async () => {
    using directory = temporaryDirectory();
    const folder = join(directory.path, "my-agent");
    mkdirSync(folder);
    const agent = agentWith(directory.path, [{ id: "a", name: "A" }]);
    const entry = { id: "my-agent", name: "My agent", version: "1.0.0", description: "It works." };
    const write = (more: object): void =>
      writeFileSync(join(folder, "agent.json"), JSON.stringify({ ...entry, ...more }));
    const args = ["--entry", folder, ...agent];

    const missing = await checkFor(args);
    expect(missing.rows).toMatchObject({ "registry-entry": "not-reached", "registry-icon": "not-applicable" });
    write({ distribution: { npx: { package: "my-agent@1.0.0" } } });
    writeFileSync(join(folder, "icon.svg"), '<svg width="16" height="16"><path fill="currentColor"/></svg>');
    expect(await checkFor(args)).toMatchObject({
      code: 0,
      rows: { "registry-entry": "pass", "registry-distribution": "pass", "registry-icon": "pass" },
    });
    write({ distribution: { npx: { package: "my-agent@latest" } } });
    expect(await checkFor(args)).toMatchObject({ code: 1, rows: { "registry-distribution": "fail" } });
    writeFileSync(join(folder, "agent.json"), "{");
    expect(await checkFor(args)).toMatchObject({ code: 1, rows: { "registry-entry": "fail" } });
  });

  test.each([
    [["--for", "registry", "--url", "http://127.0.0.1:1"]],
    [["--for", "registry", "--protocol", "2", "--", "x"]],
    [["--for", "registry", "--client", "x {agent}"]],
    [["--for", "registry", "--set", "2026-11", "--", "x"]],
    [["--for", "nothing", "--", "x"]],
    [["--entry", ".", "--", "x"]],
    [["--set", "1999-01", "--", "x"]],
  ])("%j is refused", async (args) => {
    expect(await run([clientProgram, "check", ...args])).toMatchObject({ code: 2, stdout: "" });
  });
});
