/** The reference programs: the client runs the agent, both on the runtime under test. */
import { fileURLToPath } from "node:url";

import { expectContains, expectEqual } from "../check.ts";
import { copySample, mendedFile } from "../main-job-session.ts";
import { pidsIn } from "../pids.ts";
import { join, readText, RunningProgram, writeFile } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { commandOn, type RuntimeName, sourceCommandOn } from "../../support/runtimes.ts";
import { type Scenario, test } from "../scenario.ts";

const root = new URL("../../../../", import.meta.url);
const file = (path: string): string => fileURLToPath(new URL(path, root));

async function mend(
  directory: string,
  commandOf: (program: string, args: readonly string[]) => { command: string; args: string[] },
  between: (agent: { command: string; args: string[] }) => { command: string; args: string[] } = (agent) => agent,
  protocol: "1" | "2" = "1",
): Promise<void> {
  const cwd = await copySample(directory);
  const agent = between(commandOf("apps/agent", ["--pace", "0"]));
  const client = new RunningProgram(
    commandOf("apps/client", [
      ...(protocol === "1" ? [] : ["--protocol", protocol]),
      "--prompt",
      "Fix the failing test",
      "--allow",
      "--cwd",
      cwd,
      "--",
      agent.command,
      ...agent.args,
    ]),
  );
  client.end();
  const code = await client.ended;
  expectEqual([code, client.stderr], [0, ""], "end of the client");
  expectContains(client.lines.join("\n"), "all tests pass now");
  expectContains(client.lines[0] ?? "", ` · ACP ${protocol} · `);
  expectContains(await readText(join(cwd, mendedFile)), "index = 0");
}

/** How to run the client, as built, with an agent of these messages. */
async function clientOf(
  runtimeName: RuntimeName,
  directory: string,
  agent: string,
): Promise<{ command: string; args: string[] }> {
  const path = join(directory, "agent.mjs");
  await writeFile(
    path,
    `const directory = ${JSON.stringify(directory)};
${agent}`,
  );
  const { command, args } = commandOn(runtimeName, path, []);
  const before = ["--cwd", directory, "--prompt", "go", "--", command, ...args];
  return commandOn(runtimeName, file("apps/client/dist/main.js"), before);
}

/** An agent of version 1 that answers a prompt as `prompted` says. */
const answering = (prompted: string): string => `import { createInterface } from "node:readline";
import process from "node:process";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const say = (text) => send({ method: "session/update", params: { sessionId: "s", update: {
  sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
const ask = (method, params) => send({ id: method, method, params: { sessionId: "s", ...params } });
const path = (name) => directory + "/" + name;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result, error } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
  else if (method === "session/new") send({ id, result: { sessionId: "s" } });
  else if (method === "session/prompt") setTimeout(() => prompted(id), 0);
  else if (method === undefined) answered(id, result, error);
});
let prompt;
${prompted}
`;

/** What `acp exec` says of an agent that cannot open sessions again. */
const notice = {
  text: "! The agent cannot open sessions again: the name only keeps what happens now\n",
  json: "",
};

export const scenarios: readonly Scenario[] = [
  test(
    // How long it waits between them is for the test of `untilQuiet` to say, whose clock no other program slows down.
    "the reference client shows updates after the answer to its only prompt",
    async ({ runtimeName, directory }) => {
      const agent = answering(`function prompted(id) {
  send({ id, result: { stopReason: "end_turn" } });
  ["one ", "two ", "three"].forEach(say);
}`);
      const client = new RunningProgram(await clientOf(runtimeName, directory, agent));
      client.end();
      expectEqual([await client.ended, client.stderr], [0, ""], "end of the client");
      expectContains(client.lines.join("\n"), "one two three");
    },
  ),
  test("the reference client shows a command that an agent runs itself", async ({ runtimeName, directory }) => {
    const agent = answering(`const tell = (sessionUpdate, more) => send({ method: "session/update", params: {
  sessionId: "s", update: { sessionUpdate, toolCallId: "c", ...more } } });
function prompted(id) {
  const output = (data) => tell("tool_call_update", { _meta: { terminal_output: { terminal_id: "c", data } } });
  tell("tool_call", { title: "Run", content: [{ type: "terminal", terminalId: "c" }], _meta: { terminal_info: { terminal_id: "c" } } });
  output("hel");
  output("lo\\n");
  tell("tool_call_update", { status: "completed", _meta: { terminal_exit: { terminal_id: "c", exit_code: 0 } } });
  send({ id, result: { stopReason: "end_turn" } });
}`);
    const client = new RunningProgram(await clientOf(runtimeName, directory, agent));
    client.end();
    expectEqual([await client.ended, client.stderr], [0, ""], "end of the client");
    expectContains(client.lines.join("\n"), "  │ hello\n  ✓ completed  exit code 0");
  }),
  test("the reference client lets an agent read a file before it creates it", async ({ runtimeName, directory }) => {
    const agent = answering(`function prompted(id) {
  prompt = id;
  ask("fs/read_text_file", { path: path("new.txt") });
}
function answered(id, result, error) {
  if (id === "fs/write_text_file") send({ id: prompt, result: { stopReason: "end_turn" } });
  else ask("fs/write_text_file", { path: path("new.txt"), content: JSON.stringify(result ?? error) });
}`);
    const client = new RunningProgram(await clientOf(runtimeName, directory, agent));
    client.end();
    expectEqual([await client.ended, client.stderr], [0, ""], "end of the client");
    expectEqual(await readText(join(directory, "new.txt")), '{"content":""}', "what the agent has read");
  }),
  ...["initialize", "session/new"].map((silent): Scenario =>
    test(
      // There is no signal to send.
      `the reference client quits at Ctrl-C while it waits for ${silent}`,
      { except: ["windows", "wine"] },
      async ({ runtimeName, directory }) => {
        const agent = answering(`setInterval(() => {}, 1000);`).replace(
          `method === "${silent}"`,
          `method === "${silent}" && wait()`,
        );
        const waiting = `import { writeFileSync } from "node:fs";
const wait = () => void writeFileSync(directory + "/waits", String(process.pid));
`;
        const client = new RunningProgram(await clientOf(runtimeName, directory, waiting + agent));
        const pids = await pidsIn(join(directory, "waits"));
        client.kill("SIGINT");
        expectEqual(await client.ended, 130, "end of the client");
        expectEqual(pids.filter(isAlive), [], "agents that are alive");
      },
    ),
  ),
  ...(["text", "json"] as const).map((format): Scenario =>
    test(
      // The state directory is another one there.
      `acp exec runs a prompt in a session with a name, and prints ${format}`,
      { except: ["windows", "wine"] },
      async ({ runtimeName, directory }) => {
        const agent = answering(`function prompted(id) {
  say("five ");
  say("words");
  send({ id, result: { stopReason: "end_turn" } });
}`);
        const path = join(directory, "agent.mjs");
        await writeFile(path, agent);
        const { command, args } = commandOn(runtimeName, path, []);
        const options = ["--format", format, "--session", "one", "--cwd", directory];
        const call = ["exec", ...options, "go", "--", command, ...args];
        const env = { XDG_STATE_HOME: directory };
        const client = new RunningProgram(commandOn(runtimeName, file("apps/client/dist/main.js"), call), env);
        client.end();
        expectEqual([await client.ended, client.stderr], [0, notice[format]], "end of the client");
        if (format === "text") return expectEqual(client.lines, ["five words"], "the answer");
        const types = client.lines.map((line) => (JSON.parse(line) as { type: string }).type);
        const expected = ["start", "agent", "session", "notice", "prompt", "message", "message", "end"];
        expectEqual(types, expected, "the events");
      },
    ),
  ),
  test("the reference client and agent repair a project, as built", ({ runtimeName, directory }) =>
    mend(directory, (program, args) => commandOn(runtimeName, file(`${program}/dist/main.js`), args))),
  test(
    // The last Node that cannot run it, and what runs a copy of what was built.
    "the reference client and agent repair a project, straight from TypeScript",
    { except: ["node20", "wine"] },
    ({ runtimeName, directory }) =>
      mend(directory, (program, args) => sourceCommandOn(runtimeName, file(`${program}/src/main.ts`), args)),
  ),
  ...(["1", "2"] as const).map((protocol): Scenario =>
    test(`acp-inspect between the two changes nothing, and finds nothing wrong, in version ${protocol}`, async ({
      runtimeName,
      directory,
    }) => {
      const log = join(directory, "inspect.log");
      const commandOf = (program: string, args: readonly string[]) =>
        commandOn(runtimeName, file(`${program}/dist/main.js`), args);
      const inspected: typeof commandOf = (command, args) =>
        commandOf("packages/inspect", ["--log", log, "--", command, ...args]);
      await mend(directory, commandOf, ({ command, args }) => inspected(command, args), protocol);
      const lines = (await readText(log)).trimEnd().split("\n");
      expectEqual(lines.at(-1), "Nothing is wrong with the messages.");
      expectContains(lines.join("\n"), "agent  ended with exit code 0");
    }),
  ),
];
