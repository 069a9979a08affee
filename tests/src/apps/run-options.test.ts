// The options of a run mean the same in a script, in lines and in the user interface.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { agentHome, type AgentHome } from "../support/agent-home.ts";
import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { type Ended, clientProgram, run } from "../support/main-job-programs.ts";
import { paramsOf, tellingAgent, toldIn } from "../support/telling-agent.ts";

function acp(home: AgentHome, args: readonly string[], input = ""): Promise<Ended> {
  return run([clientProgram, ...args], input, home.env);
}

/** The same run as a script, and in lines. */
const ways = ["exec", "plain"] as const;
function runAs(
  way: (typeof ways)[number],
  home: AgentHome,
  options: readonly string[],
  agent: readonly string[],
  prompt = "hi",
): Promise<Ended> {
  const own = ["--cwd", home.project, ...options];
  return acp(home, way === "exec" ? ["exec", ...own, prompt, ...agent] : [...own, "-p", prompt, ...agent]);
}

const chosen = ["--model", "LARGE", "--mode", "code", "--option", "web=true"];
const settings = [
  { sessionId: "id-of-it", configId: "m", value: "large" },
  { sessionId: "id-of-it", configId: "d", value: "code" },
  { sessionId: "id-of-it", configId: "web", type: "boolean", value: true },
];

describe.each(ways)("%s", (way) => {
  test("selects the model, the mode and options, also those that are on or off", async () => {
    using home = agentHome();
    const { code, stdout } = await runAs(way, home, chosen, (await tellingAgent()).words);
    const told = toldIn(stdout).filter(({ method }) => method === "session/set_config_option");
    expect([code, told.map(({ params }) => params)]).toEqual([0, settings]);
  });

  test("takes them from the configuration, and the command line comes first", async () => {
    using home = agentHome();
    home.write(home.userConfig, {
      registry: false,
      agents: {
        mine: {
          command: process.execPath,
          args: (await tellingAgent()).process.args,
          model: "large",
          options: { web: true, d: "code" },
          permissions: { policy: "read" },
        },
      },
    });
    const { stdout } = await runAs(way, home, ["--agent", "mine", "--option", "d=ask", "--option", "web=off"], []);
    const told = toldIn(stdout).filter(({ method }) => method === "session/set_config_option");
    expect(told.map(({ params }) => params["value"])).toEqual(["large"]);
  });

  test.each([
    [["--option", "nope=1"], "--option: there is no nope. The agent has m, d, web"],
    [["--option", "web=maybe"], "--option: web is on or off, and cannot be maybe. Use true or false"],
    [["--option", "m=huge"], "--option: m cannot be huge. The agent has small, large"],
    [["--option", "web"], "--option needs an id and a value"],
    [["--model", "huge"], "--model: there is no huge. The agent has small, large"],
    [["--allow", "--policy", "read"], "--policy read and --allow cannot be combined"],
    [["--add-dir", "gone"], "--add-dir is not a directory"],
    [["--attach", "gone"], "gone cannot be read: there is no such file. Check its path"],
  ])("refuses %j with 2", async (options, sentence) => {
    using home = agentHome();
    const { code, stderr } = await runAs(way, home, options, (await tellingAgent()).words);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  test("sends files with --attach", async () => {
    using home = agentHome();
    const note = join(home.project, "note.txt");
    writeFileSync(note, "what the note says");
    const { stdout } = await runAs(way, home, ["--attach", note], (await tellingAgent()).words);
    expect(paramsOf(toldIn(stdout), "session/prompt")?.["prompt"]).toMatchObject([
      { type: "text", text: "hi" },
      { type: "resource", resource: { text: "what the note says" } },
    ]);
  });

  test("cancels a turn after --timeout, and ends with 8", async () => {
    using home = agentHome();
    const { code, stderr } = await runAs(way, home, ["--timeout", "1"], (await tellingAgent()).words, "slow");
    expect(stderr).toContain("took longer than 1 second");
    expect(stderr).toContain("Give it longer with --timeout");
    expect(code).toBe(8);
  });

  test("goes on in a named session that the other way has begun, by its name or its id", async () => {
    using home = agentHome();
    const { words: agent } = await tellingAgent();
    const other = way === "exec" ? "plain" : "exec";
    await runAs(other, home, ["--session", "work"], agent);
    for (const name of ["work", "id-of-it"]) {
      const { code, stdout } = await runAs(way, home, ["--session", name], []);
      expect([code, paramsOf(toldIn(stdout), "session/load")?.["sessionId"]]).toEqual([0, "id-of-it"]);
    }
    const { stdout } = await acp(home, ["sessions", "list", "--cwd", home.project]);
    expect(stdout.split("work")).toHaveLength(2);
  });
});

test("the user interface selects options for this and later sessions, attaches files, goes on in named sessions, and ends slow turns", async () => {
  using home = agentHome();
  const note = join(home.project, "note.txt");
  writeFileSync(note, "what the note says");
  const { words: agent } = await tellingAgent();
  await runAs("exec", home, ["--session", "work"], agent);
  const options = [...chosen, "--attach", note, "--timeout", "1", "--session", "work"];
  using chat = new ChatScreen(agent, { cwd: home.project, options, env: home.env, columns: 200, rows: 50 });
  await chat.shows(ready);
  await chat.say("hello");
  const shown = (await chat.shows(/"session\/prompt"[^]*■/u)).replaceAll(/\s+/gu, "");
  expect(shown).toContain('"session/load","params":{"sessionId":"id-of-it"');
  expect(shown).toContain('"configId":"web","type":"boolean","value":true');
  expect(shown).toContain('"text":"whatthenotesays"');
  // The user knows what the user has chosen.
  expect(chat.everything).not.toContain("Mode:");
  await chat.say("slow");
  await chat.shows(/The turn took longer than 1 second/u);
  await chat.shows(ready);
});

test("one process at a time uses a named session, whichever way", async () => {
  using home = agentHome();
  const { words: agent } = await tellingAgent();
  using chat = new ChatScreen(agent, { cwd: home.project, options: ["--session", "work"], env: home.env });
  await chat.shows(ready);
  const { code, stderr } = await runAs("exec", home, ["--session", "work"], agent);
  expect([code, stderr]).toEqual([1, expect.stringContaining("The session 'work' is in use by the process")]);
});

test("--file - reads the prompt from stdin, and waits for it", async () => {
  using home = agentHome();
  const args = ["exec", "--cwd", home.project, "--file", "-", "first", ...(await tellingAgent()).words];
  const { stdout } = await acp(home, args, "second");
  expect(paramsOf(toldIn(stdout), "session/prompt")?.["prompt"]).toEqual([{ type: "text", text: "first\n\nsecond" }]);
  const none = await acp(home, ["exec", "--file", "-", ...(await tellingAgent()).words]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("There is no prompt")]);
});
