// `acp` alone: a list of agents to choose from; and words that are almost a command or an agent.
import { chmodSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { agentProgram, clientProgram, type Ended, foreignAgent, run } from "../support/main-job-programs.ts";
import { control } from "../support/terminal/terminal.ts";

/** A home with `acp-agent` on PATH, and with `mine`, which the user has configured. */
function home(config: object = {}): AgentHome & { readonly bin: string } {
  const place = agentHome();
  const bin = join(place.home, "bin");
  place.write(join(bin, "acp-agent"), `#!/bin/sh\nexec '${process.execPath}' '${agentProgram}' --no-model "$@"\n`);
  chmodSync(join(bin, "acp-agent"), 0o755);
  const [, command = "", ...args] = foreignAgent(place.home, `end("end_turn");`);
  place.write(place.userConfig, { registry: false, agents: { mine: { command, args } }, ...config });
  return { ...place, bin, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

/** Paths with the runtime, which a script on PATH needs. */
function pathOf(bin: string): string {
  return [bin, dirname(process.execPath), "/bin", "/usr/bin"].join(delimiter);
}

function start(
  place: AgentHome & { readonly bin: string },
  args: readonly string[] = [],
  size: object = {},
): ChatScreen {
  return new ChatScreen(args, { cwd: place.project, env: { ...place.env, PATH: pathOf(place.bin) }, ...size });
}

describe.each([
  [80, 24],
  [40, 12],
])("acp alone at %i×%i", (columns, rows) => {
  test("lists what is here and what can be installed, narrows it, and starts what is chosen", async () => {
    using place = home();
    using chat = start(place, [], { columns, rows });
    const shown = await chat.shows(/^Choose an agent {2}type to filter[^]*❯ 1 {3}mine[^]*acp-agent[^]*Esc quit$/u);
    expect(shown.split("\n").length).toBeLessThan(rows);
    chat.type("gemini");
    await chat.shows(/❯ .*gemini {2}Gemini CLI · npm install/u);
    chat.resize(70, 20);
    await chat.shows(/^Choose an agent {2}gemini▏[^]*❯ .*gemini {2}Gemini CLI · npm install -g @google\/gemini-cli/u);
    chat.type(control("U"));
    chat.type("reference");
    await chat.shows(/❯ .*acp-agent {2}Reference agent/u);
    chat.type("\r");
    await chat.shows(/ACP 1 · [^]*Type a prompt/u);
    expect(chat.everything).not.toContain("Choose an agent");
    await chat.say("hello");
    await chat.shows(/^■ /mu);
    chat.type(control("D"));
    expect(await chat.ended).toBe(0);
    // It is the first one the next time.
    using again = start(place, [], { columns, rows });
    await again.shows(/Used here[^]*❯ 1 {3}acp-agent[^]*mine/u);
  });
});

test.each([
  ["Esc", "\u001B"],
  ["Ctrl-C", control("C")],
])("%s quits, and gives the terminal back", async (_, key) => {
  using place = home();
  using chat = start(place);
  await chat.shows(/Choose an agent/u);
  chat.type(key);
  expect(await chat.ended).toBe(130);
  expect(chat.everything).toBe("");
  expect(chat.raw.lastIndexOf("\u001B[?2004l")).toBeGreaterThan(chat.raw.lastIndexOf("\u001B[?2004h"));
  expect(chat.raw.lastIndexOf("\u001B[?25h")).toBeGreaterThan(chat.raw.lastIndexOf("\u001B[?25l"));
});

test("an agent that is not installed is not started: the end says how to install it", async () => {
  using place = home();
  using chat = start(place);
  await chat.shows(/Choose an agent/u);
  chat.type("opencode");
  await chat.shows(/❯ .*opencode/u);
  await chat.shows(/Enter say how to install it · Esc quit/u);
  chat.type("\r");
  expect(await chat.ended).toBe(11);
  expect(chat.everything).toContain("opencode is not installed\n  Install it: npm install -g opencode-ai");
});

test("an agent of the registry is started only with the consent that its name needs", async () => {
  const title = "Agent \u202Eevil";
  using place = home({ registry: "./registry.json" });
  place.write(join(dirname(place.userConfig), "registry.json"), {
    version: "1.0.0",
    agents: [
      {
        id: "offered",
        name: title,
        version: "1.2.3",
        description: "One",
        distribution: { npx: { package: "offered@1.2.3" } },
      },
    ],
  });
  place.write(join(place.bin, "npx"), "#!/bin/sh\necho must not run >&2\nexit 3\n");
  chmodSync(join(place.bin, "npx"), 0o755);
  using chat = start(place);
  await chat.shows(/In the registry[^]*offered {2}Agent <U\+202E>evil · 1\.2\.3/u);
  expect(chat.raw).not.toContain("\u202E");
  chat.type("offered");
  await chat.shows(/❯ .*offered/u);
  chat.type("\r");
  await chat.shows(
    /is an agent of the registry[^]*Runs: npx --yes offered@1\.2\.3[^]*Run it, now and until it changes\? \[y\/N\]/u,
  );
  chat.type("n\r");
  expect(await chat.ended).toBe(11);
  expect(chat.everything).not.toContain("must not run");
});

test("a default agent is started at once, and a pipe gets a message", async () => {
  using place = home({ default: "mine" });
  using chat = start(place);
  await chat.shows(/foreign 0\.1 · ACP 1 · [^]*Type a prompt/u);
  await chat.shows(ready);
  using none = home();
  expect(await run([clientProgram], "hi", { ...none.env, PATH: none.bin })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("acp: No agent is chosen\n  Name one of "),
  });
});

describe("a registry is asked for nothing", () => {
  test.each([
    [["exce", "a prompt"], "There is no command 'acp exce'. Did you mean 'acp exec'?"],
    [["doctr"], "There is no command 'acp doctr'. Did you mean 'acp doctor'?"],
    [["resmue"], "There is no command 'acp resmue'. Did you mean 'acp resume'?"],
    [["gemni", "-p", "hi"], "There is no agent 'gemni'. Did you mean 'acp gemini'?"],
    [["--plain", "calude", "-p", "hi"], "There is no agent 'calude'. Did you mean 'acp claude'?"],
    [["acp-agnet", "-p", "hi"], "There is no agent 'acp-agnet'. Did you mean 'acp acp-agent'?"],
    [["mien", "-p", "hi"], "There is no agent 'mien'. Did you mean 'acp mine'?"],
  ])("by %j", async (args, reason) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    using place = home({ registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/r.json` });
    const acp = (...all: readonly string[]): Promise<Ended> => run([clientProgram, ...all], "", place.env);
    expect(await acp(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect(asked).toBe(0);
    // By --agent, the word is no command, but may be a mistake for the name of an agent.
    const named = await acp("--agent", args.find((arg) => !arg.startsWith("-")) ?? "", "-p", "hi");
    const isAgent = reason.startsWith("There is no agent");
    expect(named).toMatchObject({ code: 11, stderr: expect.stringContaining(isAgent ? "Did you mean '" : "") });
    expect(asked).toBe(isAgent ? 0 : 1);
    await new Promise((resolve) => server.close(resolve));
  });
});
