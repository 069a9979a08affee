// A task from end to end: a model that plays a recorded conversation mends a project, with the agent and clients as processes.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { type ModelServer, serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { anthropic, openAi } from "../../../packages/ai/test/support/replies.ts";
import { openOfficialClient } from "../interop/programs/official-client.ts";
import { hangs } from "../support/hangs.ts";
import { agentProgram, clientProgram, run, sampleProject, temporaryDirectory } from "../support/main-job-programs.ts";
import { mended, mendTotal } from "../support/mend-total.ts";

const key = "sk-SECRET-KEY";
const formats = [
  { ...openAi, model: "openai/stand-in", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  { ...anthropic, model: "anthropic/stand-in", url: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
];

/** How the agent is started, and the environment that it needs. */
function agentFor({ url, key: keyVariable, model }: (typeof formats)[number], server: ModelServer, home: string) {
  return {
    args: [agentProgram, "--model", model, "--sessions", join(home, "sessions")],
    env: { [url]: server.url, [keyVariable]: key, HOME: home, XDG_CONFIG_HOME: home },
  };
}

/** What the model was told in the end: the failing test, the mended one, and never the key. */
function expectMended(server: ModelServer, project: string): void {
  expect(readFileSync(join(project, "src/total.js"), "utf8")).toContain("let index = 0");
  expect(server.requests).toHaveLength(mendTotal.length);
  const last = JSON.stringify(server.requests.at(-1));
  expect(last).toMatch(/FAIL  an order costs the sum.*ok    an order costs the sum/u);
  expect(last).not.toContain(key);
}

describe.each(formats)("the agent with a model, $name", (format) => {
  test.each(["1", "2"])("mends a project under acp, version %s", async (version) => {
    using project = sampleProject();
    using home = temporaryDirectory();
    const server = await serveModel(formatOf(format.name), mendTotal);
    const { args, env } = agentFor(format, server, home.path);
    const options = ["--cwd", project.path, "--allow", "--protocol", version];
    const agent = ["--", process.execPath, ...args];
    const { code, stdout, stderr } = await run(
      [clientProgram, ...options, "--prompt", "Mend the tests", ...agent],
      "",
      env,
    );
    expect(stdout).toContain(mended);
    expect(stdout).toContain("$ node test.js");
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(key);
    expectMended(server, project.path);
  });

  test("mends a project under acpx", async () => {
    using project = sampleProject();
    using home = temporaryDirectory();
    const server = await serveModel(formatOf(format.name), mendTotal);
    const { args, env } = agentFor(format, server, home.path);
    const acpx = join(dirname(createRequire(import.meta.url).resolve("acpx/package.json")), "dist/cli.js");
    const agent = [process.execPath, ...args].join(" ");
    const { code, output } = await runIn(env, [
      acpx,
      "--agent",
      agent,
      "--cwd",
      project.path,
      "--approve-all",
      "exec",
      "Mend the tests",
    ]);
    expect(output).toContain("[done] end_turn");
    expect(code).toBe(0);
    expectMended(server, project.path);
  });

  test("mends a project under a client of the official SDK", async () => {
    using project = sampleProject();
    using home = temporaryDirectory();
    const server = await serveModel(formatOf(format.name), mendTotal);
    const { args, env } = agentFor(format, server, home.path);
    const fs = { readTextFile: true, writeTextFile: true };
    const client = await openOfficialClient({
      entry: "stable",
      command: "env",
      args: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), process.execPath, ...args],
      client: { fs, terminal: true },
      agent: { capabilities: {}, authMethods: [] },
    });
    const { sessionId } = await client.call("session/new", { cwd: project.path, mcpServers: [] });
    const prompt = [{ type: "text", text: "Mend the tests" }];
    expect(await client.call("session/prompt", { sessionId, prompt })).toMatchObject({ stopReason: "end_turn" });
    await client.close();
    expectMended(server, project.path);
  });
});

function formatOf(name: string): typeof openAi {
  return name === openAi.name ? openAi : anthropic;
}

function runIn(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [...args], { env: { ...process.env, NO_COLOR: "1", ...env }, timeout: hangs });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}
