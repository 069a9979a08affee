import { describe, expect, test } from "vitest";

import { runCommand } from "../../src/kit/v1/entry.ts";
import { connect } from "../../src/kit/v1/testing/connected.ts";

/** A client whose command prints a text and ends like this. */
async function report(output: string, exit: object, truncated = false): Promise<readonly object[]> {
  const { turn, updates } = await connect({
    client: {
      "terminal/create": () => ({ terminalId: "t" }),
      "terminal/wait_for_exit": () => exit,
      "terminal/output": () => ({ output, truncated, exitStatus: exit }),
      "terminal/release": () => ({}),
      "terminal/kill": () => ({}),
    },
  });
  await turn((agentTurn) => runCommand(agentTurn, { command: "make" }));
  return updates;
}

describe("runCommand() in a terminal of the client", () => {
  test("reports the output and exit status along with the terminal, for clients that show no terminal", async () => {
    expect(await report("one\n", { exitCode: 3, signal: null })).toMatchObject([
      { sessionUpdate: "tool_call", content: [{ type: "terminal", terminalId: "t" }] },
      {
        sessionUpdate: "tool_call_update",
        status: "failed",
        rawOutput: { output: "one\n", exitCode: 3, signal: null, truncated: false, timedOut: false },
      },
    ]);
    expect((await report("", { exitCode: null, signal: "SIGKILL" })).at(-1)).toMatchObject({
      status: "failed",
      rawOutput: { output: "", exitCode: null, signal: "SIGKILL" },
    });
  });

  test("reports the end of much output, and splits no character", async () => {
    const output = `x${"\u{1F600}".repeat(20_000)}`;
    const last = (await report(output, { exitCode: 0, signal: null })).at(-1);
    const { rawOutput } = last as { rawOutput: { output: string; truncated: boolean } };
    expect(rawOutput).toEqual(expect.objectContaining({ exitCode: 0, truncated: true }));
    expect(rawOutput.output).toBe("\u{1F600}".repeat(16_384));
    const odd = (await report(`${output}y`, { exitCode: 0, signal: null })).at(-1);
    expect(odd).toMatchObject({ rawOutput: { output: `${"\u{1F600}".repeat(16_383)}y` } });
  });
});
