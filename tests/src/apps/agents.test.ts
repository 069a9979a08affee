import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { agentProgram, clientProgram, type Ended, foreignAgent, run } from "../support/main-job-programs.ts";
import { executableOf } from "../support/runtimes.ts";
import { Terminal } from "../support/terminal/terminal.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

/** An agent that says which variable and which arguments it got. */
function speakingAgent(directory: string): { readonly command: string; readonly args: string[] } {
  const body =
    'update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `KEY=${process.env.KEY} ${process.argv.slice(2).join(" ")}` } }); end("end_turn");';
  const [, command = "", ...args] = foreignAgent(directory, body);
  return { command, args };
}

function acp(
  { env, project }: AgentHome,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const end = args.indexOf("--");
  const own = ["--cwd", project];
  const all = end < 0 ? [...args, ...own] : [...args.slice(0, end), ...own, ...args.slice(end)];
  return run([clientProgram, ...all], "", { ...env, ...more });
}

describe("acp <name>", () => {
  test("starts an agent of the user's configuration, with its variables, and the command line comes first", async () => {
    using home = agentHome();
    const { command, args } = speakingAgent(home.home);
    home.write(home.userConfig, {
      default: "mine",
      registry: false,
      agents: { mine: { command, args: [...args, "from", "config"], env: { KEY: "${TOKEN}!" } } },
    });
    const said = "KEY=secret! from config";
    for (const words of [["mine"], ["--agent", "mine"], []]) {
      const { code, stdout } = await acp(home, [...words, "-p", "hi"], { TOKEN: "secret" });
      expect(stdout).toContain(said);
      expect(code).toBe(0);
    }
    const { code, stderr } = await acp(home, ["mine", "-p", "hi"]);
    expect(stderr).toContain("agents.mine.env.KEY needs the variable TOKEN, which is not set");
    expect(code).toBe(11);
  });

  test("looks for paths of a configuration where it is", async () => {
    using home = agentHome();
    const { command, args } = speakingAgent(home.home);
    home.write(home.userConfig, { agents: { mine: { command: "bin/agent", args, cwd: "bin" } } });
    const bin = join(home.userConfig, "..", "bin");
    home.write(join(bin, "readme"), "");
    symlinkSync(command, join(bin, "agent"));
    const { code } = await acp(home, ["mine", "-p", "hi"]);
    expect(code).toBe(0);
  });

  test("allows the actions that the configuration allows", async () => {
    using home = agentHome();
    const body = `const file = params.sessionId;
      send({ id: 7, method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "1", title: "Write", kind: "edit" }, options: [{ optionId: "y", name: "Yes", kind: "allow_once" }, { optionId: "n", name: "No", kind: "reject_once" }] } });
      end("end_turn");`;
    const [, command = "", ...args] = foreignAgent(home.home, body);
    home.write(home.userConfig, {
      agents: { a: { command, args, permissions: { policy: "allow" } }, b: { command, args } },
    });
    expect((await acp(home, ["a", "-p", "x"])).stdout).toContain("→ Allow once: Yes");
    expect((await acp(home, ["b", "-p", "x"])).stdout).not.toContain("→ Allow once: Yes");
  });

  test("finds known programs on PATH", async () => {
    using home = agentHome();
    const bin = join(home.home, "bin");
    const { command, args } = speakingAgent(home.home);
    home.write(join(bin, "gemini"), `#!/bin/sh\nexec '${command}' '${args.join("' '")}' "$@"\n`);
    chmodSync(join(bin, "gemini"), 0o755);
    const { code, stdout } = await acp(home, ["gemini", "-p", "hi"], { PATH: bin });
    expect(stdout).toContain("KEY=undefined --acp");
    expect(code).toBe(0);
  });

  test("lists the known agents if the name is unknown", async () => {
    using home = agentHome();
    home.write(home.userConfig, { registry: false, agents: { one: { command: "one" }, two: { command: "two" } } });
    const { code, stderr } = await acp(home, ["three", "-p", "hi"]);
    expect(stderr).toBe(
      "acp: There is no agent 'three'\n  Name one of one, two (acp agents lists more), or write its command. Write it after --: acp -- gemini --acp\n",
    );
    expect(code).toBe(11);
    const installed = await acp(home, ["goose", "-p", "hi"]);
    expect(installed.stderr).toContain("Goose is not installed: there is no 'goose' on PATH");
    const none = await acp(home, ["-p", "hi"]);
    expect(none.stderr).toContain("No agent is chosen\n  Name one of one, two");
    expect(none.code).toBe(2);
  });

  test("reports where a configuration is wrong", async () => {
    using home = agentHome();
    home.write(home.userConfig, '{\n  "agents": {\n    "a": { "comand": "b" }\n  }\n}');
    const { code, stderr } = await acp(home, ["a", "-p", "hi"]);
    expect(stderr).toBe(
      `acp: ${home.userConfig}:3: agents.a.comand is unknown. Known are command, args, registry, from, env, cwd, framing, protocol, mode, model, options, login, permissions, additionalDirectories, mcpServers\n  Correct the file there, or move it away\n`,
    );
    expect(code).toBe(11);
  });
});

describe("a project's configuration", () => {
  test("comes first, and starts nothing that the user has not agreed to", async () => {
    using home = agentHome();
    const { command, args } = speakingAgent(home.home);
    const configured = (word: string): object => ({ agents: { a: { command, args: [...args, word] } } });
    home.write(home.userConfig, configured("user"));
    home.write(home.projectConfig, configured("project"));
    const refused = await acp(home, ["a", "-p", "hi"]);
    expect(refused.stderr).toContain(`You have not agreed to start the agents of ${home.projectConfig}`);
    expect(refused.stderr).toContain("--trust-project");
    expect(refused).toMatchObject({ code: 11, stdout: "" });
    const trusted = await acp(home, ["a", "-p", "hi", "--trust-project"]);
    expect(trusted.stdout).toContain("KEY=undefined project");
    // That was for once.
    expect((await acp(home, ["a", "-p", "hi"])).code).toBe(11);
  });

  test("is shown to the user, who is asked once for each content", async () => {
    using home = agentHome();
    const { command, args } = speakingAgent(home.home);
    const configured = (name: string): object => ({ agents: { [name]: { command, args, env: { KEY: "\u001B[2J" } } } });
    home.write(home.projectConfig, configured("a"));
    const terminal = (name: string): Terminal =>
      new Terminal(home.project, [clientProgram, "--plain", name, "-p", "hi"], home.env);
    const first = terminal("a");
    await first.sees(/Trust this file until it changes\? \[y\/N\]/u);
    // The terminal breaks a long path over lines.
    expect(first.screen.replaceAll("\n", "")).toContain(`a: ${command}`);
    expect(first.screen).toContain("KEY=<U+001B>[2J");
    first.type("n\r");
    expect(await first.ended).toBe(11);
    const second = terminal("a");
    await second.sees(/Trust this file/u);
    second.type("y\r");
    expect(await second.ended).toBe(0);
    const third = terminal("a");
    expect(await third.ended).toBe(0);
    expect(third.raw).not.toContain("Trust this file");
    home.write(home.projectConfig, configured("b"));
    const fourth = terminal("b");
    await fourth.sees(/Trust this file/u);
    fourth.type("\u0003");
    expect(await fourth.ended).not.toBe(0);
  });

  test("is asked about before the client starts, which then has the keyboard", async () => {
    using home = agentHome();
    const agent = { command: process.execPath, args: [agentProgram, "--pace", "0"] };
    home.write(home.projectConfig, { default: "a", agents: { a: agent } });
    const command = executableOf("node24");
    const plain = new TerminalScreen([clientProgram, "--plain"], { command, cwd: home.project, env: home.env });
    await plain.shows(/Trust this file until it changes\? \[y\/N\]/u);
    plain.type("yes\r");
    await plain.shows(/^> ?$/mu);
    plain.type("/help\r");
    await plain.shows(/I am the reference agent[\s\S]*■/u);
    plain.type("\u0004");
    expect(await plain.ended).toBe(0);

    home.write(home.projectConfig, { default: "a", agents: { a: agent }, ui: { thoughts: "full" } });
    using ui = new TerminalScreen([clientProgram], { command, cwd: home.project, env: home.env });
    await ui.shows(/Trust this file/u);
    ui.type("y\r");
    await ui.shows(/Reference agent · Ask/u);
    ui.type("hello\r");
    await ui.shows(/Each of them works with and without the slash\.\s+■/u);
    ui.type("\u0004");
    expect(await ui.ended).toBe(0);

    home.write(home.userConfig, { default: "b", agents: { b: agent }, ui: { plain: true } });
    home.write(home.projectConfig, {});
    const lines = new TerminalScreen([clientProgram], { command, cwd: home.project, env: home.env });
    await lines.shows(/^Commands: /mu);
    await lines.shows(/^> ?$/mu);
    lines.type("\u0004");
    expect(await lines.ended).toBe(0);
  });

  test("reports how thoughts are shown, the project's before the user's", async () => {
    using home = agentHome();
    const [, command = "", ...args] = foreignAgent(
      home.home,
      String.raw`update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "first\n\nlast" } });
      end("end_turn");`,
    );
    const agents = { a: { command, args } };
    const shows = async (pattern: RegExp): Promise<void> => {
      const runtime = { command: executableOf("node24"), cwd: home.project, env: home.env };
      using ui = new TerminalScreen([clientProgram], runtime);
      await ui.shows(/Type a prompt/u);
      ui.type("hello\r");
      await ui.shows(pattern);
    };
    home.write(home.userConfig, { default: "a", agents });
    await shows(/✻ first last[^]*■/u);
    home.write(home.userConfig, { default: "a", agents, ui: { thoughts: "full" } });
    await shows(/✻ first\n\n {2}last[^]*■/u);
    home.write(home.projectConfig, { ui: { thoughts: "folded" } });
    await shows(/✻ first last[^]*■/u);
  });

  test("is looked for up to the repository, and not above it", async () => {
    using home = agentHome();
    home.write(join(home.project, "..", ".acp", "config.json"), { default: "above" });
    home.write(home.userConfig, { registry: false });
    const none = await acp(home, ["-p", "hi"]);
    expect(none.stderr).toContain("No agent is chosen");
    home.write(home.projectConfig, { default: "inside", agents: { inside: { command: "x" } } });
    home.write(join(home.project, "deep", "readme"), "");
    const found = await run([clientProgram, "-p", "hi", "--cwd", join(home.project, "deep")], "", home.env);
    expect(found.stderr).toContain("You have not agreed");
  });
});

describe("acp agents", () => {
  test("adds, lists, chooses and removes agents, and keeps the user's own text", async () => {
    using home = agentHome();
    home.write(home.userConfig, '{\n  "registry": false, // none\n}\n');
    const added = await acp(home, [
      "agents",
      "add",
      "mine",
      "--no-check",
      "--env",
      "KEY=${TOKEN}",
      "--",
      "some agent",
      "--acp",
    ]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(home.read(home.userConfig)).toBe(`{
  "registry": false, // none
  "agents": {
    "mine": {
      "command": "some agent",
      "args": [
        "--acp"
      ],
      "env": {
        "KEY": "\${TOKEN}"
      }
    }
  }
}
`);
    expect((await acp(home, ["agents", "default", "mine"])).code).toBe(0);
    expect((await acp(home, ["agents", "default"])).stdout).toBe("mine\n");
    const { stdout } = await acp(home, ["agents"]);
    expect(stdout).toBe(`In your configuration, ${home.userConfig}\n  mine  'some agent' --acp  (default)\n`);
    expect((await acp(home, ["agents", "--names"])).stdout).toBe("mine\n");
    const json = JSON.parse((await acp(home, ["agents", "list", "--json"])).stdout) as object;
    expect(json).toEqual({
      agents: [
        {
          name: "mine",
          source: "user",
          from: home.userConfig,
          command: "some agent",
          args: ["--acp"],
          default: true,
          trusted: true,
        },
      ],
    });
    expect((await acp(home, ["agents", "add", "mine", "--", "x"])).code).toBe(11);
    expect((await acp(home, ["agents", "remove", "mine"])).code).toBe(0);
    expect(home.read(home.userConfig)).toBe('{\n  "registry": false // none\n}\n');
    expect((await acp(home, ["agents", "remove", "mine"])).code).toBe(11);
  });

  test("adds to the project, whose new file its author trusts", async () => {
    using home = agentHome();
    const { command, args } = speakingAgent(home.home);
    expect((await acp(home, ["agents", "add", "ours", "--project", "--", command, ...args])).code).toBe(0);
    expect((await acp(home, ["ours", "-p", "hi"])).code).toBe(0);
    // Another one has changed it.
    home.write(home.projectConfig, `${home.read(home.projectConfig)}\n`);
    expect((await acp(home, ["ours", "-p", "hi"])).code).toBe(11);
    // Then a change of the user's own does not say that they have read it.
    expect((await acp(home, ["agents", "add", "more", "--project", "--no-check", "--", command])).code).toBe(0);
    expect((await acp(home, ["ours", "-p", "hi"])).code).toBe(11);
  });

  test.each([
    ["a script that can be executed", ["../tools/agent.mjs"]],
    ["a script behind its interpreter", [process.execPath, "../tools/agent.mjs"]],
    ["a script in the same folder", [process.execPath, "agent.mjs"]],
  ])("finds the added agents from everywhere: %s", async (_, command) => {
    using home = agentHome(dirname(process.execPath));
    const { args } = speakingAgent(home.home);
    const script = `#!${process.execPath}\n${readFileSync(args[0] ?? "", "utf8")}`;
    for (const folder of ["../tools", "."]) home.write(join(home.project, folder, "agent.mjs"), script);
    chmodSync(join(home.project, "../tools/agent.mjs"), 0o755);
    const { env } = home;
    const inProject = (words: readonly string[]): object =>
      spawnSync(process.execPath, [clientProgram, ...words], { cwd: home.project, env, encoding: "utf8", input: "" });
    const added = ["agents", "add", "mine", "--", ...command, "more.words", "--flag"];
    expect(inProject(added)).toMatchObject({ status: 0, stderr: "" });
    expect((await acp(home, ["mine", "-p", "hi"])).stdout).toContain("more.words --flag");
  });

  test.each([
    ["a program of this folder", ["agent"], (folder: string) => ({ command: join(folder, "agent") })],
    [
      "the same with a path",
      ["./agent", "--flag"],
      (folder: string) => ({ command: join(folder, "agent"), args: ["--flag"] }),
    ],
    [
      "a script without an ending",
      ["node", "agent", "agent"],
      (folder: string) => ({ command: "node", args: [join(folder, "agent"), join(folder, "agent")] }),
    ],
    [
      "a word that is no file",
      ["node", "agent", "agents"],
      (folder: string) => ({ command: "node", args: [join(folder, "agent"), "agents"] }),
    ],
  ])("add stores %s as it is found from everywhere", (_, command, expected) => {
    using home = agentHome();
    home.write(join(home.project, "agent"), "#!/usr/bin/env node\n");
    chmodSync(join(home.project, "agent"), 0o755);
    const args = [clientProgram, "agents", "add", "mine", "--no-check", "--", ...command];
    const { status } = spawnSync(process.execPath, args, { cwd: home.project, env: { ...process.env, ...home.env } });
    expect(status).toBe(0);
    expect(JSON.parse(home.read(home.userConfig)).agents.mine).toEqual(expected(home.project));
  });

  test.each([
    ["there is no such program", ["./no-such-agent"], 6, "There is no program"],
    ["there is no such name", ["no-such-agent"], 6, "There is no program 'no-such-agent' on PATH"],
    ["it is no agent", [process.execPath, "--version"], 7, "It writes text where ACP has messages"],
    ["it ends", [process.execPath, "-e", "process.exit(3)"], 6, "exited with code 3"],
  ])("adds nothing if %s, but for --no-check", async (_, command, expected, reason) => {
    using home = agentHome();
    const { code, stderr } = await acp(home, ["agents", "add", "mine", "--", ...command]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("It was not added. To add it all the same, use --no-check");
    expect(code).toBe(expected);
    expect(home.read(home.userConfig)).toBe("");
    expect((await acp(home, ["agents", "add", "mine", "--no-check", "--", ...command])).code).toBe(0);
    expect(JSON.parse(home.read(home.userConfig)).agents).toHaveProperty("mine");
  });

  test.each([
    [["agents", "nonsense"], "There is no command 'acp agents nonsense'"],
    [["agents", "lst"], "There is no command 'acp agents lst'. Did you mean 'acp agents list'?"],
    [["sessions", "shwo"], "There is no command 'acp sessions shwo'. Did you mean 'acp sessions show'?"],
    [["exec", "--timout", "5", "x"], "There is no option --timout. Did you mean --timeout?"],
    [["agents", "add"], "The name is missing"],
    [["agents", "add", "a b", "--", "x"], "'a b' cannot be a name"],
    [["agents", "add", "a", "--env", "1=2", "--", "x"], "--env needs a name and a value"],
    [["agents", "add", "a", "b", "--", "x"], "Unexpected argument 'b'"],
    [["agents", "add", "a", "--"], "The agent's command is missing"],
    [["agents", "--json", "--names"], "cannot be combined"],
  ])("%j is refused with exit code 2", async (args, reason) => {
    using home = agentHome();
    const { code, stderr } = await acp(home, args);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });

  test("lets no text of a configuration move the cursor", async () => {
    using home = agentHome();
    home.write(home.userConfig, { registry: false, agents: { a: { command: "\u001B[2J", args: ["\u202E"] } } });
    const { stdout } = await acp(home, ["agents"]);
    expect(stdout).toContain("'<U+001B>[2J' '<U+202E>'");
  });
});
