import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

/** The reference agent when it wants a login, as the end of a command line. */
function agentWithLogin(directory: string): readonly string[] {
  return [...referenceAgent, "--require-login", join(directory, "login")];
}

/** An agent in plain JSON, whose logins are of types that no version of the protocol has, as the end of a command line. */
function agentWithUnknownLogins(directory: string): readonly string[] {
  const file = join(directory, "unknown-logins.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const authMethods = [
  { id: "key", name: "With a key", type: "env_var", description: "Set KEY", vars: [{ name: "KEY" }] },
  { id: "tag", name: "With a tag", type: "unknown variant", received: { type: "terminal" } },
];
let isLoggedIn = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (body) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
  if (method === "authenticate") isLoggedIn = authMethods.some((one) => one.id === params.methodId);
  if (method === "initialize") answer({ result: { protocolVersion: 1, authMethods } });
  else if (method === "session/new" && !isLoggedIn) answer({ error: { code: -32000, message: "Log in" } });
  else if (method === "session/new") answer({ result: { sessionId: "s" } });
  else if (method === "session/prompt") answer({ result: { stopReason: "end_turn" } });
  else if (id !== undefined) answer({ result: {} });
}
`,
  );
  return ["--", process.execPath, file];
}

describe("logging in with the reference programs", () => {
  test("AUTH-08: without a login there is no session, and the user learns how to log in", async () => {
    using directory = temporaryDirectory();
    const args = [clientProgram, "--prompt", "plan", "--cwd", directory.path, ...agentWithLogin(directory.path)];
    const { code, stderr } = await run(args);
    expect(code).toBe(9);
    expect(stderr).toContain("Authentication required (-32000)");
    expect(stderr).toContain("--login guest");
    // AUTH-03: the client has no terminal, so it is offered no login that takes one.
    expect(stderr).not.toContain("--login terminal");
  });

  test("AUTH-11: --login logs in, and the next process needs no login", async () => {
    using directory = temporaryDirectory();
    const prompt = ["--prompt", "plan", "--cwd", directory.path];
    const first = await run([clientProgram, ...prompt, "--login", "guest", ...agentWithLogin(directory.path)]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const second = await run([clientProgram, ...prompt, ...agentWithLogin(directory.path)]);
    expect([second.code, second.stderr]).toEqual([0, ""]);
  });

  test("AUTH-10, AUTH-12, AUTH-14, AUTH-15: the login in the terminal asks there, and the client reconnects", async () => {
    using directory = temporaryDirectory();
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agentWithLogin(directory.path)]);
    await terminal.sees(/2 With a name, in a terminal\n/u);
    await terminal.sees(/Your choice \[1-2\], or nothing to give up: $/u);
    terminal.type("2\r");
    await terminal.sees(/Welcome to the reference agent\.\n/u);
    await terminal.sees(/Your name, or nothing to cancel: $/u);
    terminal.type("Ada\r");
    await terminal.sees(/Hello Ada\.\n/u);
    await terminal.sees(/Session \S+/u);
    await terminal.sees(/> $/u);
    expect(readFileSync(join(directory.path, "login"), "utf8")).toBe("Ada\n");
    terminal.type("plan\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("AUTH-13: a cancelled login in the terminal has failed", async () => {
    using directory = temporaryDirectory();
    const login = ["--login", "terminal"];
    const terminal = new Terminal(directory.path, [
      clientProgram,
      "--plain",
      ...login,
      ...agentWithLogin(directory.path),
    ]);
    await terminal.sees(/Your name, or nothing to cancel: $/u);
    terminal.type("\r");
    await terminal.sees(/The login 'With a name, in a terminal' failed: its program exited with code 1/u);
    expect(await terminal.ended).toBe(9);
    expect(existsSync(join(directory.path, "login"))).toBe(false);
  });

  test("AUTH-13: Ctrl-C ends the login in the terminal, not the client", async () => {
    using directory = temporaryDirectory();
    const login = ["--login", "terminal"];
    const terminal = new Terminal(directory.path, [
      clientProgram,
      "--plain",
      ...login,
      ...agentWithLogin(directory.path),
    ]);
    await terminal.sees(/Your name, or nothing to cancel: $/u);
    terminal.type(control("C"));
    await terminal.sees(/The login 'With a name, in a terminal' failed/u);
    expect(await terminal.ended).toBe(9);
  });

  test("AUTH-18, AUTH-20: after /logout a prompt is refused, the user logs in again, and the session continues", async () => {
    using directory = temporaryDirectory();
    const login = ["--login", "guest"];
    const terminal = new Terminal(directory.path, [
      clientProgram,
      "--plain",
      ...login,
      ...agentWithLogin(directory.path),
    ]);
    await terminal.sees(/> $/u);
    terminal.type("/logout\r");
    await terminal.sees(/Logged out/u);
    await terminal.sees(/> $/u);
    terminal.type("plan\r");
    await terminal.sees(/Your choice \[1-2\], or nothing to give up: $/u);
    terminal.type("1\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("AUTH-02/client: logins of unknown types are shown like others, and log in", async () => {
    using directory = temporaryDirectory();
    const agent = agentWithUnknownLogins(directory.path);
    const prompt = ["--prompt", "hello", "--cwd", directory.path];
    const { code, stderr } = await run([clientProgram, ...prompt, ...agent]);
    expect(code).toBe(9);
    expect(stderr).toContain("--login key   With a key  Set KEY");
    expect(stderr).toContain("--login tag   With a tag");
    const loggedIn = await run([clientProgram, ...prompt, "--login", "tag", ...agent]);
    expect([loggedIn.code, loggedIn.stderr]).toEqual([0, ""]);
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agent]);
    await terminal.sees(/1 With a key {2}Set KEY\n\s*2 With a tag\n/u);
    await terminal.sees(/Your choice \[1-2\], or nothing to give up: $/u);
    terminal.type("1\r");
    await terminal.sees(/Session \S+/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("a login that cannot be remembered is refused with the name of its file", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "missing", "login");
    const args = ["--prompt", "plan", "--login", "guest", "--cwd", directory.path, ...referenceAgent];
    const { code, stderr } = await run([clientProgram, ...args, "--require-login", file]);
    expect(code).toBe(9);
    expect(stderr).toContain(`Cannot change the login file ${file}: ENOENT`);
  });
});
