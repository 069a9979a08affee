import { deepStrictEqual as equal, ok } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";
import type { Outcome, Step } from "../steps.ts";

const terminal = { terminalId: "$terminal" };
const run = (params: Json): Step => ({ call: "terminal/create", params });
const wait: Step = { call: "terminal/wait_for_exit", params: terminal };
const output: Step = { call: "terminal/output", params: terminal };
const release: Step = { call: "terminal/release", params: terminal };
const resultOf = (outcome: Outcome | undefined, ...path: string[]): unknown => at(outcome, "result", ...path);
const codeOf = (outcome: Outcome | undefined): unknown => at(outcome, "failure", "code");

/** Agents of both SDKs at work on real files and in real terminals. */
export const hostCases: readonly InteropCase[] = [
  test("FS-04, FS-05: a file is written and read in parts", async ({ directory, newSession, play }) => {
    const path = join(directory, "new.txt");
    const read = (params: Json): Step => ({ call: "fs/read_text_file", params: { path, ...params } });
    const { results } = await play(await newSession(), [
      { call: "fs/write_text_file", params: { path, content: "one\ntwö\nthree\n" } },
      read({}),
      read({ line: 2, limit: 1 }),
      read({ line: 3 }),
      read({ limit: 1 }),
      read({ line: 9 }),
    ]);
    equal(
      results.slice(1).map((result) => resultOf(result, "content")),
      ["one\ntwö\nthree\n", "twö\n", "three\n", "one\n", ""],
    );
    equal(await readFile(path, "utf8"), "one\ntwö\nthree\n");
  }),
  test(
    "FS-08: files that do not exist or lie outside are refused (by the toolkit's files)",
    { only: { client: "toolkit" } },
    async ({ directory, newSession, play }) => {
      const read = (path: string): Step => ({ call: "fs/read_text_file", params: { path } });
      await writeFile(join(directory, "a.txt"), "");
      const paths = [
        join(directory, "none.txt"),
        "/etc/hostname",
        join(directory, "..", "x"),
        join(directory, "a.txt"),
      ];
      const { results } = await play(await newSession(), paths.map(read));
      equal(codeOf(results[0]), -32002);
      ok(typeof codeOf(results[1]) === "number" && typeof codeOf(results[2]) === "number");
      equal(codeOf(results[3]), undefined);
    },
  ),
  test("TERM-10: a command's output and exit status, with its own environment", async ({
    directory,
    newSession,
    play,
  }) => {
    const command: Json = {
      command: "sh",
      args: ["-c", 'echo "$GREETING in $(basename "$PWD")"; exit 3'],
      env: [{ name: "GREETING", value: "Grüße 🌍" }],
      cwd: directory,
    };
    const { results } = await play(await newSession(), [run(command), wait, output, release, output]);
    equal([resultOf(results[1], "exitCode"), resultOf(results[1], "signal") ?? null], [3, null]);
    equal(resultOf(results[2], "output"), `Grüße 🌍 in ${directory.split("/").at(-1)}\n`);
    equal(resultOf(results[2], "exitStatus", "exitCode"), 3);
    equal(codeOf(results[3]), undefined);
    equal(codeOf(results[4]), -32002);
  }),
  test("TERM-04, TERM-11: a terminal opens at once, and is still there after kill", async ({
    directory,
    newSession,
    play,
  }) => {
    const steps = [
      run({ command: "sh", args: ["-c", "echo ready; exec sleep 60"], cwd: directory }),
      { callUntil: "terminal/output", params: terminal, contains: "ready" },
      { call: "terminal/kill", params: terminal },
      wait,
      output,
      release,
    ];
    const { results } = await play(await newSession(), steps);
    equal(resultOf(results[1], "output"), "ready\n");
    equal(resultOf(results[1], "exitStatus") ?? null, null);
    ok(typeof resultOf(results[3], "signal") === "string");
    equal(resultOf(results[4], "output"), "ready\n");
    equal(results.map(codeOf), [undefined, undefined, undefined, undefined, undefined, undefined]);
  }),
  test(
    "TERM-06, TERM-07: output keeps its end, cut at a character (in the toolkit's terminals)",
    { only: { client: "toolkit" } },
    async ({ directory, newSession, play }) => {
      const command: Json = { command: "printf", args: ["éééééé"], cwd: directory, outputByteLimit: 5 };
      const { results } = await play(await newSession(), [run(command), wait, output, release]);
      equal([resultOf(results[2], "output"), resultOf(results[2], "truncated")], ["éé", true]);
    },
  ),
  test("TERM-14: an agent that stops waiting for a command, kills it and reads its output", async ({
    directory,
    newSession,
    play,
  }) => {
    const command: Json = { command: "sh", args: ["-c", "echo half; exec sleep 60"], cwd: directory };
    const timeout: Step = { call: "terminal/wait_for_exit", params: terminal, cancel: 200 };
    const half: Step = { callUntil: "terminal/output", params: terminal, contains: "half" };
    const steps = [run(command), half, timeout, { call: "terminal/kill", params: terminal }, output, release];
    // The official SDK waits for an answer to what it took back, and the official client gives none before the exit.
    const { results } = await play(await newSession(), steps);
    equal(resultOf(results[4], "output"), "half\n");
    equal(codeOf(results[5]), undefined);
  }),
];
