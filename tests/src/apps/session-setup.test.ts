// What sessions get besides their directory: MCP servers and folders, of the command line and of the configuration.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { type Ended, agentProgram, clientProgram, referenceAgent, run } from "../support/main-job-programs.ts";
import { listeningServer, mcpServer } from "../support/mcp-servers.ts";
import { paramsOf, tellingAgent, toldIn } from "../support/telling-agent.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

function acp(home: AgentHome, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const [first = "", ...others] = args;
  const isCommand = first === "exec" || first === "doctor";
  const place = ["--cwd", home.project];
  return run([clientProgram, ...(isCommand ? [first, ...place, ...others] : [...place, ...args])], "", {
    ...home.env,
    ...more,
  });
}

const files = (folder: string): object => ({ mcpServers: { files: mcpServer("filesystem", folder) } });
const read = (path: string): string => `/call read_text_file ${JSON.stringify({ path })}`;

describe("a server of the MCP project", () => {
  test("is reached in exec, plain and the user interface, two runs at once", async () => {
    using home = agentHome();
    const file = join(home.project, "mcp.json");
    home.write(file, files(home.project));
    home.write(join(home.project, "note.txt"), "what the note says");
    const prompt = read(join(home.project, "note.txt"));
    const own = ["--mcp-config", file, "--policy", "all"];
    const runs = await Promise.all([
      acp(home, ["exec", "--format", "json", ...own, prompt, ...referenceAgent]),
      acp(home, [...own, "-p", prompt, ...referenceAgent]),
    ]);
    for (const { code, stdout } of runs)
      expect([code, stdout]).toEqual([0, expect.stringContaining("what the note says")]);
    using chat = new ChatScreen(referenceAgent, { cwd: home.project, options: own, columns: 120, rows: 40 });
    await chat.shows(ready);
    await chat.say(prompt);
    await chat.shows(/what the note says[^]*■/u);
  });

  test.each(["http", "sse"] as const)(
    "is reached over %s, in both versions of the protocol that have it",
    async (type) => {
      using home = agentHome();
      await using listening = await listeningServer(type);
      const config = JSON.stringify({ mcpServers: { far: { type, url: listening.url } } });
      const sum = (version: string): Promise<Ended> => {
        const options = ["--format", "json", "--mcp-config", config, "--policy", "all", "--protocol", version];
        return acp(home, ["exec", ...options, '/call get-sum {"a":20,"b":22}', ...referenceAgent]);
      };
      expect((await sum("1")).stdout).toContain("The sum of 20 and 22 is 42");
      const second = await sum("2");
      if (type === "http") expect(second.stdout).toContain("The sum of 20 and 22 is 42");
      else expect(second.stdout).toContain("'far' is left out: the agent takes no servers over sse");
    },
  );

  test("comes from the configuration: of all agents, of one, and as JSON on the command line", async () => {
    using home = agentHome();
    home.write(join(home.project, "note.txt"), "what the note says");
    home.write(home.userConfig, {
      registry: false,
      mcpServers: { everything: mcpServer("everything", "stdio") },
      agents: { ref: { command: process.execPath, args: [agentProgram], ...files(home.project) } },
    });
    const prompt = read(join(home.project, "note.txt"));
    const named = await acp(home, ["exec", "--format", "json", "--policy", "all", "--agent", "ref", prompt]);
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining("what the note says")]);
    // A command has no configuration of its own; the servers of all agents are there.
    const listed = await acp(home, ["exec", "tools", ...referenceAgent]);
    expect(listed.stdout).toContain("get-sum (everything)");
    expect(listed.stdout).not.toContain("(files)");
    const given = ["--mcp-config", JSON.stringify(files(home.project))];
    expect((await acp(home, ["exec", ...given, "tools", ...referenceAgent])).stdout).toContain(
      "read_text_file (files)",
    );
  });
});

const servers = {
  local: {
    command: process.execPath,
    args: ["--flag", "${WORD}", "${NOPE:-no}", "${workspaceFolder}/x"],
    env: { KEY: "${env:WORD}" },
    gallery: true,
  },
  web: { url: "https://example.com/${WORD}", headers: { Authorization: "Bearer ${WORD}" } },
  stream: { type: "sse", url: "http://127.0.0.1:1/sse" },
  off: { command: "nonesuch", disabled: true },
};

const local = {
  name: "local",
  command: process.execPath,
  args: ["--flag", "word", "no", expect.stringMatching(/^\/.*project\/x$/u)],
  env: [{ name: "KEY", value: "word" }],
};
const web = {
  type: "http",
  name: "web",
  url: "https://example.com/word",
  headers: [{ name: "Authorization", value: "Bearer word" }],
};
const stream = { type: "sse", name: "stream", url: "http://127.0.0.1:1/sse", headers: [] };

describe("a file as other programs have it", () => {
  const all = {
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { resume: {}, additionalDirectories: {} },
  };

  test.each(["mcpServers", "servers"])(
    "with %s is taken as it is, for new and for earlier sessions",
    async (member) => {
      using home = agentHome();
      const file = join(home.project, "mcp.json");
      home.write(file, { inputs: [], [member]: servers });
      const { words: agent } = await tellingAgent(all);
      const own = ["--mcp-config", file, "--add-dir", home.home];
      const env = { WORD: "word" };
      const expected = { mcpServers: [local, web, stream], additionalDirectories: [home.home] };
      const begun = await acp(home, ["exec", ...own, "--session", "s", "hi", ...agent], env);
      expect(paramsOf(toldIn(begun.stdout), "session/new")).toMatchObject(expected);
      expect(begun.stderr).toContain("Of the MCP server 'local', acp ignores gallery");
      const resumed = await acp(home, ["exec", ...own, "--session", "s", "hi", ...agent], env);
      expect(paramsOf(toldIn(resumed.stdout), "session/resume")).toMatchObject(expected);
      const loaded = await acp(home, [...own, "--load", "id-of-it", "-p", "hi", ...agent], env);
      expect(paramsOf(toldIn(loaded.stdout), "session/load")).toMatchObject(expected);
    },
  );

  test("MCP-04, SESS-22: what the agent does not take is left out, and named", async () => {
    using home = agentHome();
    const given = ["--mcp-config", JSON.stringify({ mcpServers: servers }), "--add-dir", home.home];
    const { words: agent } = await tellingAgent();
    const env = { WORD: "word" };
    const sentences = [
      "The MCP server 'web' is left out: the agent takes no servers over http",
      "The MCP server 'stream' is left out: the agent takes no servers over sse",
      `The agent works in one directory only. It does not get ${home.home}`,
    ];
    for (const args of [
      ["exec", ...given, "hi", ...agent],
      [...given, "-p", "hi", ...agent],
    ]) {
      const { code, stdout, stderr } = await acp(home, args, env);
      const opened = paramsOf(toldIn(stdout), "session/new");
      expect([code, opened]).toEqual([0, { cwd: home.project, mcpServers: [local] }]);
      for (const sentence of sentences) expect(stderr).toContain(sentence);
    }
    const { stdout } = await acp(home, ["doctor", ...given, ...agent], env);
    for (const sentence of sentences) expect(stdout).toContain(`! ${sentence}`);
    using chat = new ChatScreen(agent, { cwd: home.project, options: given, env, columns: 120, rows: 40 });
    await chat.shows(/'web' is left out[^]*one directory only/u);
  });

  test("what cannot work is left out; doctor ends with 11", async () => {
    using home = agentHome();
    home.write(join(home.project, "plain.txt"), "");
    const broken = {
      a: { command: "nonesuch" },
      b: { command: "./nonesuch" },
      c: { command: "./plain.txt" },
      d: { url: "example.com" },
      e: { type: "ws", url: "ws://example.com" },
      f: {},
    };
    home.write(home.userConfig, {
      registry: false,
      agents: {
        mine: {
          command: process.execPath,
          args: (await tellingAgent()).process.args,
          additionalDirectories: ["gone"],
        },
      },
    });
    const args = ["--mcp-config", JSON.stringify({ mcpServers: broken }), "--agent", "mine"];
    const reasons = [
      "'a' is left out: there is no program 'nonesuch' on PATH",
      `'b' is left out: there is no program ${join(home.project, "nonesuch")}`,
      `'c' is left out: ${join(home.project, "plain.txt")} may not be executed`,
      "'d' is left out: example.com is no URL of http or https",
      "'e' is left out: acp knows no type 'ws'. Use stdio, http or sse",
      "'f' is left out: it has neither a command nor a url",
      `The folder ${join(home.project, "gone")} is left out: there is no such folder`,
    ];
    const examined = await acp(home, ["doctor", ...args]);
    expect(examined.code).toBe(11);
    for (const reason of reasons) expect(examined.stdout).toContain(reason);
    const { code, stdout, stderr } = await acp(home, ["exec", ...args, "hi"]);
    expect(code).toBe(0);
    expect(paramsOf(toldIn(stdout), "session/new")).toEqual({ cwd: home.project, mcpServers: [] });
    for (const reason of reasons) expect(stderr).toContain(reason);
  });

  test.each([
    ['{"mcpServers": {"a": {"command": ""}}}', 11, "--mcp-config:1: mcpServers.a.command must not be empty"],
    ['{"mcpServers": {"a": {"args": "x"}}}', 11, "--mcp-config:1: mcpServers.a.args must be a list"],
    ['{"mcpServers": ', 11, "--mcp-config:1: is no JSON"],
    ['{"mcpServers": ', 11, "Correct the JSON behind --mcp-config"],
    [".", 2, "cannot be read: it is a folder. Name a file in it"],
    ['{"command": "x"}', 11, "--mcp-config has no mcpServers"],
    ["gone.json", 2, "cannot be read: there is no such file. Check its path"],
    [
      '{"mcpServers": {"a": {"url": "http://x/${NOPE}"}}}',
      11,
      "mcpServers.a.url needs the variable NOPE, which is not set",
    ],
    [
      '{"servers": {"a": {"url": "http://x", "headers": {"K": "${input:key}"}}}}',
      11,
      "mcpServers.a.headers.K needs the variable input:key",
    ],
  ])("that is wrong is refused: %s", async (text, code, sentence) => {
    using home = agentHome();
    const ended = await acp(home, ["exec", "--mcp-config", text, "hi", ...(await tellingAgent()).words]);
    expect(ended.stderr).toContain(sentence);
    expect(ended.code).toBe(code);
  });
});

test("of servers with one name, the last one counts: user, project, agent, command line", async () => {
  using home = agentHome();
  const at = (host: string): object => ({ url: `http://${host}/` });
  home.write(home.projectConfig, { mcpServers: { b: at("project"), c: at("project"), d: at("project") } });
  home.write(home.userConfig, {
    registry: false,
    mcpServers: { a: at("user"), b: at("user"), c: at("user"), d: at("user") },
    agents: {
      mine: {
        command: process.execPath,
        args: (await tellingAgent({ mcpCapabilities: { http: true } })).process.args,
        mcpServers: { c: at("agent"), d: at("agent") },
      },
    },
  });
  const given = ["--trust-project", "--mcp-config", JSON.stringify({ mcpServers: { d: at("typed") } })];
  const { stdout } = await acp(home, ["exec", ...given, "--agent", "mine", "hi"]);
  const opened = paramsOf(toldIn(stdout), "session/new") as { mcpServers: { name: string; url: string }[] };
  expect(opened.mcpServers.map(({ name, url }) => `${name} ${url}`)).toEqual([
    "a http://user/",
    "b http://project/",
    "c http://agent/",
    "d http://typed/",
  ]);
});

describe("a project's MCP servers", () => {
  test("are shown with what they run, start only with consent, and are left out without", async () => {
    using home = agentHome();
    home.write(home.projectConfig, {
      mcpServers: { evil: { command: process.execPath, args: ["steal.js"], env: { NODE_OPTIONS: "-r ./x" } } },
    });
    const { words: agent } = await tellingAgent();
    const refused = await acp(home, ["exec", "hi", ...agent]);
    expect(refused.code).toBe(0);
    expect(paramsOf(toldIn(refused.stdout), "session/new")).toMatchObject({ mcpServers: [] });
    expect(refused.stderr).toContain(
      "are left out: you have not agreed to start them. Look at the file, then use --trust-project",
    );
    const args = [clientProgram, "--plain", "--cwd", home.project, "-p", "hi", ...agent];
    const screen = { cwd: home.project, env: home.env, command: process.execPath, columns: 200, rows: 50 };
    using no = new TerminalScreen(args, screen);
    await no.shows(
      /MCP server evil: .*steal\.js[^]*With: NODE_OPTIONS=-r \.\/x[^]*NODE_OPTIONS can make it run other code[^]*until it changes\?/u,
    );
    no.type("n\r");
    await no.shows(/"mcpServers":\[\]/u);
    using yes = new TerminalScreen(args, screen);
    await yes.shows(/until it changes\?/u);
    yes.type("y\r");
    await yes.shows(/"name":"evil"/u);
    await yes.ended;
    // Until the file changes.
    const agreed = await acp(home, ["exec", "hi", ...agent]);
    expect(agreed.stdout).toContain('"name":"evil"');
    home.write(home.projectConfig, { mcpServers: { other: { command: process.execPath } } });
    expect((await acp(home, ["exec", "hi", ...agent])).stdout).not.toContain('"name":"other"');
    expect((await acp(home, ["exec", "--trust-project", "hi", ...agent])).stdout).toContain('"name":"other"');
  });
});

test("a trace and --verbose show no key of a server", async () => {
  using home = agentHome();
  const trace = join(home.project, "trace.jsonl");
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz";
  const given = {
    a: { command: process.execPath, env: { API_KEY: secret } },
    b: { url: "http://x", headers: { Authorization: `Bearer ${secret}` } },
  };
  const options = ["--mcp-config", JSON.stringify({ mcpServers: given }), "--trace", trace, "--verbose"];
  const { words: agent } = await tellingAgent({ mcpCapabilities: { http: true } });
  const { stdout, stderr } = await acp(home, ["exec", ...options, "hi", ...agent]);
  expect(stdout).toContain(secret);
  expect(stderr).not.toContain(secret);
  const written = readFileSync(trace, "utf8")
    .split("\n")
    .filter((line) => line.includes("session/new"))[0];
  expect(written).toContain('"mcpServers":[{');
  expect(written).not.toContain(secret);
});
