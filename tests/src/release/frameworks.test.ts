// The examples of `examples/frameworks`, each in a project of its own: the tarballs that a release publishes, with what the
// first lines of the example tell to install.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createClient } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import { spawnAgent } from "@acp/node";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../packages/ai/test/support/replies.ts";
import { noAnswer, pack, root, run, selfContainedPackages } from "../support/packages.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-frameworks-")));
let tarballs: ReadonlyMap<string, string>;
beforeAll(async () => {
  tarballs = await pack([...selfContainedPackages().map(({ name }) => name), "@acp/ai"], base);
});
afterAll(() => rmSync(base, { recursive: true }));

/** Installs what an example needs. Returns why it could not, if no registry has answered. */
async function install(file: string, directory: string): Promise<string | undefined> {
  const [, listed = ""] = /^\/\/ npm install (.+)$/mu.exec(readFileSync(file, "utf8")) ?? [];
  const foreign = listed.split(" ").filter((name) => !name.startsWith("@acp/"));
  expect(foreign).not.toEqual([]);
  const ours = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  mkdirSync(directory);
  // Nothing is published yet that packages could find each other by.
  const manifest = { name: "mine", version: "1.0.0", private: true, dependencies: ours, overrides: ours };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  const quick = [
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--fetch-retries=1",
    "--fetch-timeout=60000",
  ];
  try {
    await run("npm", ["install", ...quick, ...foreign], directory);
    return undefined;
  } catch (error) {
    const said = String(error);
    if (noAnswer.test(said)) return said;
    throw error;
  }
}

const calls = [{ id: "call-1", name: "weather", args: '{"city":"Oslo"}' }];

test.for(["openai-agents", "mastra", "langgraph"])(
  "%s streams text, shows a call, stops, and remembers",
  async (name, { skip }) => {
    const directory = join(base, name);
    const example = join(root, `examples/frameworks/${name}.mjs`);
    const reason = await install(example, directory);
    if (reason !== undefined) skip(`Skipped: no registry has answered npm (${reason.slice(0, 500)})`);
    copyFileSync(example, join(directory, "agent.mjs"));

    const replies = [{ text: "I look it up.", calls }, { text: "Take a coat." }];
    const cut = { text: "This takes a while, so", hangsAfter: 3 };
    const server = await serveModel(openAi, [...replies, cut, { text: "Still here." }]);
    const agent = await spawnAgent(createClient({ info: { name: "test", version: "1.0.0" } }), {
      command: process.execPath,
      args: ["agent.mjs"],
      cwd: directory,
      env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key", OPENAI_MODEL: "stand-in" },
    });
    onTestFinished(() => agent.close());
    const session = await agent.newSession({ cwd: directory });
    const store = createSessionState(session);

    const turn = session.prompt("Which weather has Oslo?");
    let pieces = 0;
    for await (const { sessionUpdate } of turn.updates) if (sessionUpdate === "agent_message_chunk") pieces += 1;
    expect(await turn.response).toMatchObject({ stopReason: "end_turn" });
    // As many as the model has sent.
    expect(pieces).toBe(5);
    const shown = [...store.state.timeline].map((item) => ("chunks" in item ? joinText(item.chunks) : item));
    expect(shown).toMatchObject([
      "Which weather has Oslo?",
      "I look it up.",
      {
        title: "weather",
        status: "completed",
        rawInput: { city: "Oslo" },
        content: [{ content: { text: "It rains in Oslo." } }],
      },
      "Take a coat.",
    ]);

    const stop = new AbortController();
    const cancelled = session.prompt("Take your time", { signal: stop.signal });
    for await (const { sessionUpdate } of cancelled.updates) if (sessionUpdate === "agent_message_chunk") stop.abort();
    expect(await cancelled.response).toMatchObject({ stopReason: "cancelled" });
    await server.aborted;

    expect(await session.prompt("Are you there?").response).toMatchObject({ stopReason: "end_turn" });
    const asked = JSON.stringify(server.requests.at(-1)?.["messages"]);
    expect(asked).toContain("It rains in Oslo.");
    expect(asked).toContain("Are you there?");
  },
);
