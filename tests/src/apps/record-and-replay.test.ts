// `acp record`, `acp replay` and `acp inspect`, as an editor and a user start them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parseRecording } from "@acp/record";
import { describe, expect, test } from "vitest";

import {
  clientProgram,
  type Ended,
  foreignAgent,
  referenceAgent,
  run,
  sampleProject,
  temporaryDirectory,
} from "../support/main-job-programs.ts";

const acp = (...args: string[]): string[] => ["--", process.execPath, clientProgram, ...args];
const prompt = (cwd: string): string[] => [clientProgram, "--prompt", "Fix the failing test", "--allow", "--cwd", cwd];

/** Records the reference agent while it mends the sample project. */
async function record(file: string): Promise<Ended & { readonly cwd: string }> {
  using project = sampleProject();
  const ended = await run([...prompt(project.path), ...acp("record", file, ...referenceAgent)]);
  return { ...ended, cwd: project.path };
}

describe("acp record", () => {
  test("passes a whole session on, and its recording replays it as an agent", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "session.jsonl");
    const recorded = await record(file);
    expect({ code: recorded.code, stderr: recorded.stderr }).toEqual({ code: 0, stderr: "" });
    expect(parseRecording(readFileSync(file, "utf8")).length).toBeGreaterThan(50);

    using project = sampleProject();
    const replayed = await run([...prompt(project.path), ...acp("replay", file)]);
    expect({ code: replayed.code, stderr: replayed.stderr }).toEqual({ code: 0, stderr: "" });
    const said = /^Fixed: I changed line 4 of src\/total\.js, and all tests pass now\.$/mu;
    expect(recorded.stdout).toMatch(said);
    expect(replayed.stdout).toMatch(said);

    const inspected = await run([clientProgram, "inspect", file]);
    expect({ code: inspected.code, stderr: inspected.stderr }).toEqual({ code: 0, stderr: "" });
    expect(inspected.stdout).toMatch(/Nothing is wrong with the messages\.\n$/u);
  });

  test("keeps no secrets, except on request", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "session.jsonl");
    const body = `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "API_KEY=abc123 " + text } }); end("end_turn");`;
    const agent = foreignAgent(directory.path, body);
    const start = [clientProgram, "--prompt", "hi", "--cwd", directory.path];
    expect(await run([...start, ...acp("record", file, ...agent)])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(file, "utf8")).toContain("API_KEY=[redacted]");
    expect(readFileSync(file, "utf8")).not.toContain("abc123");
    await run([...start, ...acp("record", "--with-secrets", file, ...agent)]);
    expect(readFileSync(file, "utf8")).toContain("API_KEY=abc123");
  });

  test("ends with the exit code of the agent, or 127", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "session.jsonl");
    const ended = await run([clientProgram, "record", file, "--", process.execPath, "-e", "process.exit(7)"]);
    expect(ended).toEqual({ code: 7, stdout: "", stderr: "" });
    const missing = await run([clientProgram, "record", file, "--", "no-such-agent"]);
    expect(missing.code).toBe(127);
    expect(missing.stderr).toMatch(/^acp record: Could not start "no-such-agent": it was not found on PATH/u);
  });
});

describe("acp replay --as-client", () => {
  test("finds no difference where the agent repeats itself, and shows the differences otherwise", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "session.jsonl");
    const agent = (word: string): string[] =>
      foreignAgent(
        directory.path,
        `for (const part of ["${word}", " and ", "green"]) update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: part } }); end("end_turn");`,
      );
    const start = [clientProgram, "--prompt", "hi", "--cwd", directory.path];
    await run([...start, ...acp("record", file, ...agent("red"))]);
    const replay = [clientProgram, "replay", file, "--as-client"];
    const same = await run([...replay, ...agent("red")]);
    expect(same).toEqual({ code: 0, stdout: "The agent said the same as in the recording: 6 messages\n", stderr: "" });

    const other = await run([...replay, ...agent("blue")]);
    expect({ code: other.code, stderr: other.stderr }).toEqual({ code: 1, stderr: "" });
    const chunk = "session/update agent_message_chunk";
    expect(other.stdout).toContain(`- ${chunk} "red and green"\n+ ${chunk} "blue and green"\n  answer {"stopReason"`);
    const kinds = await run([...replay, "--only-kinds", ...agent("blue")]);
    expect({ code: kinds.code, stderr: kinds.stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("reports where it got stuck", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "session.jsonl");
    const agent = foreignAgent(directory.path, `end("end_turn");`);
    await run([clientProgram, "--prompt", "hi", "--cwd", directory.path, ...acp("record", file, ...agent)]);
    const replay = [clientProgram, "replay", file, "--as-client"];
    const gone = await run([...replay, "--", process.execPath, "-e", "console.error('No model'); process.exit(3)"]);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toMatch(
      /^acp replay: The replay got stuck: The agent process .* exited with code 3\n {2}The agent's last line on stderr: No model\n$/u,
    );
    const silent = await run([...replay, "--patience", "0.2", "--", process.execPath, "-e", "process.stdin.resume()"]);
    expect({ code: silent.code, stderr: silent.stderr }).toEqual({
      code: 1,
      stderr: "acp replay: The replay got stuck: nothing came from the agent for 0.2 s\n",
    });
    for (const [program, reason] of [
      ["no-such-agent", "There is no program 'no-such-agent' on PATH"],
      [file, `${file} may not be executed`],
    ]) {
      const { code, stderr } = await run([...replay, "--", program ?? ""]);
      expect([code, stderr]).toEqual([6, expect.stringContaining(`acp replay: ${reason}\n`)]);
    }
  });
});

test.each([
  [["replay"], "The recording is missing"],
  [["replay", "no-such-file"], "Cannot replay no-such-file: ENOENT"],
  [["replay", "--speed", "0", "x"], "--speed cannot be '0'. Use a number above 0\n      --speed <n>"],
  [["replay", "x", "--", "agent"], "Add --as-client"],
  [["record"], "The file is missing"],
  [["inspect", "--nonsense"], "There is no option --nonsense"],
  [["inspect", "--header", "x: y", "--", "agent"], "--header applies to URLs only\n\nUsage: acp inspect"],
])("acp %j reports the mistake", async (args, message) => {
  const { code, stdout, stderr } = await run([clientProgram, ...args]);
  expect({ code, stdout }).toEqual({ code: message.startsWith("Cannot") ? 1 : 2, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^acp ${args[0]}: `, "u"));
  expect(stderr).toContain(message);
});

test("acp replay rejects a file that is not a recording", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "notes.txt");
  writeFileSync(file, "Buy milk\n");
  const { code, stderr } = await run([clientProgram, "replay", file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^acp replay: Cannot replay .*notes\.txt: Line 1 of the recording is no entry/u);
});
