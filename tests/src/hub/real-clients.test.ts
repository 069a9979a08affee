// Clients that others wrote, and two of ours, on one session of one agent.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as official from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { agentsUnderTest } from "../interop/agents/agents-under-test.ts";
import { writeFile } from "../interop/agents/played-turns.ts";
import { prepareAgent } from "../interop/agents/prepare-agent.ts";
import { agentProgram, clientProgram } from "../support/main-job-programs.ts";
import type { PlayedTurn } from "../support/models/conversation.ts";
import { serveModel } from "../support/models/model-server.ts";
import { Terminal } from "../support/terminal/terminal.ts";
import { createTestHub, type TestHub } from "./support/hub-programs.ts";

const acpx = join(dirname(createRequire(import.meta.url).resolve("acpx/package.json")), "dist/cli.js");
const claude = agentsUnderTest.find(({ name }) => name === "claude-agent-acp")!;
const claudeFolder = fileURLToPath(new URL("../../../node_modules/.cache/agents/claude-agent-acp", import.meta.url));

/** What an agent is asked, and how one sees that it has done it. */
interface Story {
  readonly hello: string;
  readonly greets: RegExp;
  /** It asks for permission, and makes a file. */
  readonly work: string;
  readonly makes: string;
}

const hello: PlayedTurn = { prompt: "Say hello please", begins: "Hello from the model." };

describe.runIf(process.platform === "linux")("acpx, the official SDK and acp twice (Linux: /proc)", () => {
  test("share a session of the reference agent: each sees all, and one answers for all", async () => {
    const hub = createTestHub();
    const story = { hello: "hello", greets: /reference agent/u, work: "/write made.txt: by many", makes: "made.txt" };
    await share(hub, hub.cwd, [process.execPath, agentProgram, "--pace", "0"], story);
  });

  test.runIf(existsSync(join(claudeFolder, "installed.json")))(
    "share a session of claude-agent-acp (if npm run interop:agents has installed it)",
    async () => {
      await using model = await serveModel([hello, writeFile]);
      using prepared = await prepareAgent(claude, model.url);
      const story = { hello: hello.prompt, greets: /Hello from the model/u, work: writeFile.prompt, makes: "made.txt" };
      await share(createTestHub(), prepared.project, prepared.command, story);
    },
  );
});

async function share(hub: TestHub, cwd: string, agent: readonly string[], story: Story): Promise<void> {
  const attach = [process.execPath, clientProgram, "attach", "--folder", hub.folder, "--", ...agent];
  const sdk = await connectOfficially(attach);
  const { sessionId } = await sdk.connection.agent.request("session/new", { cwd, mcpServers: [] });
  const prompt = [{ type: "text" as const, text: story.hello }];
  expect(await sdk.connection.agent.request("session/prompt", { sessionId, prompt })).toMatchObject({
    stopReason: "end_turn",
  });
  expect(sdk.text()).toMatch(story.greets);

  // Two terminals see what was said before they came.
  const terminals = [0, 1].map(() => {
    const terminal = new Terminal(cwd, [clientProgram, "--plain", "--load", sessionId, "--", ...attach]);
    onTestFinished(() => terminal.close());
    return terminal;
  }) as [Terminal, Terminal];
  for (const terminal of terminals) {
    await terminal.shows(story.greets);
    await terminal.shows(/^>$/mu);
  }

  // A question is asked of all three, and the second terminal answers it.
  const [first, second] = terminals;
  first.type(`${story.work}\r`);
  await Promise.all(terminals.map((terminal) => terminal.shows(/Your choice \[1-\d\]:/u)));
  await expect.poll(() => sdk.asked()).toBe(1);
  const number = /^ {4}(\d) Allow once/mu.exec(second.screen)?.[1];
  second.type(`${number}\r`);
  await first.sees(/■ (?:end_turn|\d)/u);
  expect(existsSync(join(cwd, story.makes))).toBe(true);
  await expect.poll(() => sdk.withdrawn()).toBe(1);

  // acpx goes on in it, and everybody sees that.
  const before = sdk.text().length;
  await runAcpx(hub, cwd, attach, "sessions", "new", "--name", "work", "--resume-session", sessionId);
  const said = await runAcpx(hub, cwd, attach, "--approve-all", "prompt", "-s", "work", story.hello);
  expect(said).toMatch(story.greets);
  await expect.poll(() => sdk.text().slice(before)).toMatch(story.greets);
  expect(hub.keepers()).toHaveLength(1);
}

interface OfficialClient {
  readonly connection: official.ClientConnection;
  /** The texts of the agent, as one. */
  text(): string;
  /** How many questions it was asked, and how many of them were withdrawn. */
  asked(): number;
  withdrawn(): number;
}

async function connectOfficially([command = "", ...args]: readonly string[]): Promise<OfficialClient> {
  let text = "";
  let asked = 0;
  let withdrawn = 0;
  const child: ChildProcess = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const connection = official
    .client({ name: "official" })
    .onRequest("session/request_permission", ({ signal }) => {
      asked += 1;
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          withdrawn += 1;
          resolve({ outcome: { outcome: "cancelled" } });
        });
      });
    })
    .onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
    })
    .connect(
      official.ndJsonStream(
        Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout!) as ReadableStream<Uint8Array>,
      ),
    );
  await connection.agent.request("initialize", { protocolVersion: official.PROTOCOL_VERSION, clientCapabilities: {} });
  return { connection, text: () => text, asked: () => asked, withdrawn: () => withdrawn };
}

async function runAcpx(hub: TestHub, cwd: string, agent: readonly string[], ...args: string[]): Promise<string> {
  const command = agent.map((word) => (/[^\w./=:-]/u.test(word) ? `'${word}'` : word)).join(" ");
  const options = { env: { ...process.env, HOME: hub.cwd, NO_COLOR: "1" } };
  const words = [acpx, "--agent", command, "--cwd", cwd, ...args];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, options);
  return stdout + stderr;
}
