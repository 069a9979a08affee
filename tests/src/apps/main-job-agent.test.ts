import { describe, expect, test } from "vitest";

import { agentProgram, run } from "../support/main-job-programs.ts";

describe("acp-agent", () => {
  test("--help explains the options on stdout and exits with 0", async () => {
    const { code, stdout, stderr } = await run([agentProgram, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: acp-agent .*\n {2}--help +Show this help\n$/s);
  });

  test.each([
    [["--nonsense"], "--nonsense"],
    [["--framing", "xml"], "Unknown framing: xml"],
    [["--pace", "fast"], "--pace needs a number of milliseconds: fast"],
    [["--pace", ""], "--pace needs a number of milliseconds"],
    [["--pace", "Infinity"], "--pace needs a number of milliseconds: Infinity"],
    [["--login"], "--login needs --require-login"],
    [["--model", "a", "--no-model"], "--model and --no-model exclude each other"],
  ])("%j is refused on stderr, with advice and exit code 2", async (args, reason) => {
    const { code, stdout, stderr } = await run([agentProgram, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/^acp-agent: .+\nRun acp-agent --help for the options\.\n$/u);
  });

  test("--version shows the version on stdout", async () => {
    const { code, stdout, stderr } = await run([agentProgram, "--version"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  test.each([
    [["--model", "gpt"], "There is no model gpt. Write openai/ or anthropic/ before the name of any other model."],
    [["--model", "anthropic/m"], "The model anthropic/m needs a key: set ANTHROPIC_API_KEY."],
    [
      ["--config", "/none.json"],
      "The configuration cannot be read: ENOENT: no such file or directory, open '/none.json'",
    ],
  ])("%j is refused on stderr with advice, and exit code 2", async (args, reason) => {
    const env = { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" };
    expect(await run([agentProgram, ...args], "", env)).toEqual({
      code: 2,
      stdout: "",
      stderr: `acp-agent: ${reason}\n`,
    });
  });

  test("a key alone does not choose the agent with a model", async () => {
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
    const input = `${JSON.stringify(initialize)}\n`;
    const env = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", XDG_CONFIG_HOME: "/none" };
    expect((await run([agentProgram], input, env)).stdout).toContain('"name":"reference-agent"');
    const named = { ...env, ACP_AGENT_MODEL: "openai/m" };
    expect((await run([agentProgram], input, named)).stdout).toContain('"name":"acp-agent"');
    expect((await run([agentProgram, "--no-model"], input, named)).stdout).toContain('"name":"reference-agent"');
  });
});
