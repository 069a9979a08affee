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
  ])("%j is refused on stderr, with the options and exit code 2", async (args, reason) => {
    const { code, stdout, stderr } = await run([agentProgram, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toContain("Usage: acp-agent");
  });
});
