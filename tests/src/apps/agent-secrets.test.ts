// Where keys of models and prompts could get to, if a model or its provider says them: logs, recordings, journals and errors.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { anthropic, type Format, openAi, type Refusal, type Reply } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, clientProgram, run, sampleProject, temporaryDirectory } from "../support/main-job-programs.ts";

const key = "planted-4f1c9a7e-key";
const prompt = "planted-77b2d0c3-prompt";

/** The model prints the environment, in which the key is. */
const printEnvironment: Reply = {
  text: "I look around.",
  calls: [{ id: "call_1", name: "run", args: JSON.stringify({ command: "env" }) }],
};
/** A provider that repeats what it was sent. */
function refuse(status: number): Refusal {
  const message = `Wrong key ${key} for ${prompt}`;
  return { status, headers: { "retry-after-ms": "1" }, body: { error: { message, type: "some_error" } } };
}
const done: Reply = { text: "Done." };

/** How it goes on after that. What a retry may mend is mended by the next answer. */
const ends: readonly (readonly [string, readonly (Reply | Refusal)[]])[] = [
  ["works", [done]],
  ["is answered with 401", [refuse(401)]],
  ["is answered with 500", [refuse(500), refuse(500), done]],
  ["is cut in the middle", [{ ...done, cutAfter: 3 }, done]],
  ["reports an error in the middle", [{ ...done, errorAfter: 3 }, done]],
];

/** The agent with a model, and its environment. */
function agentFor(format: Format, url: string, home: string) {
  const name = format === openAi ? "openai" : "anthropic";
  const args = [agentProgram, "--model", `${name}/stand-in`, "--sessions", join(home, "sessions")];
  const usual = name.toUpperCase();
  const env = { [`${usual}_BASE_URL`]: url, [`${usual}_API_KEY`]: key, HOME: home, XDG_CONFIG_HOME: home };
  return { args, env };
}

/** The text of all files below a folder. */
function readAll(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

interface Answer {
  readonly stdout: readonly Readonly<Record<string, unknown>>[];
  readonly stderr: string;
}

/** Sends a prompt as a client without files, terminals and permissions; returns what the agent writes until it answers. */
function sendPrompt(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Answer> {
  const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env } });
  const send = (id: number, message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
  };
  const stdout: Readonly<Record<string, unknown>>[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Readonly<Record<string, unknown>>;
      stdout.push(message);
      receive(message);
    }
  });
  function receive({ id, method, result }: Readonly<Record<string, unknown>>): void {
    if (method === "session/request_permission") {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } })}\n`);
    } else if (method === undefined && id === 2) {
      const { sessionId } = result as { readonly sessionId: string };
      send(3, { method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: prompt }] } });
    } else if (method === undefined && id === 3) {
      child.stdin.end();
    }
  }
  send(1, { method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
  send(2, { method: "session/new", params: { cwd, mcpServers: [] } });
  return new Promise((resolve) => {
    child.on("close", () => resolve({ stdout, stderr }));
  });
}

describe.each([openAi, anthropic])("a request to a model, $name,", (format) => {
  test.each(ends)("that %s, leads the key nowhere", async (_, replies) => {
    using project = sampleProject();
    using home = temporaryDirectory();
    using logs = temporaryDirectory();
    const server = await serveModel(format, [printEnvironment, ...replies]);
    const { args, env } = agentFor(format, server.url, home.path);
    const recording = join(logs.path, "recording.jsonl");
    // Nothing is redacted on the way: what is not there was never said.
    const recorder = [clientProgram, "record", "--with-secrets", recording, "--", process.execPath, ...args];
    const options = ["--verbose", "--with-secrets", "--trace", join(logs.path, "trace.jsonl"), "--cwd", project.path];
    const client = [clientProgram, ...options, "--allow", "--prompt", prompt, "--", process.execPath, ...recorder];
    const { stdout, stderr } = await run(client, "", env);
    expect(server.requests.length).toBeGreaterThan(1);
    // The environment was printed, and everything was written.
    expect(JSON.stringify(server.requests[1])).toContain("PATH=");
    expect(readFileSync(recording, "utf8")).toContain("PATH=");
    expect(readAll(home.path)).toContain("PATH=");
    for (const text of [stdout, stderr, readAll(logs.path), readAll(home.path), JSON.stringify(server.requests)])
      expect(text.includes(key), text).toBe(false);
  });

  test.each(ends)("that %s, leads the prompt into no log and no error", async (_, replies) => {
    using project = sampleProject();
    using home = temporaryDirectory();
    const server = await serveModel(format, replies);
    const { args, env } = agentFor(format, server.url, home.path);
    const { stdout, stderr } = await sendPrompt(args, env, project.path);
    expect(JSON.stringify(server.requests[0])).toContain(prompt);
    expect(stdout.at(-1)).toMatchObject({ id: 3 });
    const errors = JSON.stringify(stdout.filter((message) => "error" in message));
    expect(errors).not.toContain(prompt);
    expect(JSON.stringify(stdout)).not.toContain(key);
    expect(stderr).toBe("");
  });
});
