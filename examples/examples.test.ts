import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";

const here = import.meta.dirname;

interface Run {
  readonly program: string;
  /** What the user types. */
  readonly input?: string;
  /** All of its lines, or what they look like where that depends on time. */
  readonly prints: readonly string[] | RegExp;
}

/** The programs to start, and all that they print. Clients start the agent beside them. */
const runs: readonly Run[] = [
  { program: "hello/client.ts", prints: ["You said: Good morning", "The turn ended: end_turn"] },
  {
    program: "permissions/client.ts",
    input: "1\n",
    prints: [
      "The agent wants to do this: Delete build/",
      "  1: Delete it",
      "  2: Keep it",
      "Your choice: The tool call: completed",
      "The build folder is gone.",
    ],
  },
  {
    program: "permissions/client.ts",
    input: "2\n",
    prints: [
      "The agent wants to do this: Delete build/",
      "  1: Delete it",
      "  2: Keep it",
      "Your choice: The tool call: failed",
      "I left the build folder alone.",
    ],
  },
  { program: "remote/client.ts", prints: ["Refused with 401: Which token is that?", "Hello Ada."] },
  { program: "terminals/client.ts", prints: ["$ node -p 6 * 7", "42", "It is 42."] },
  { program: "cancellation/client.ts", prints: /^1\n2\n3\n(\d+\n)*The turn ended: cancelled\n$/ },
  {
    program: "session-state/client.ts",
    // How much of the answer each frame has depends on time; every row is shown, and in the end as it is then.
    prints:
      /^row 0: Which orders are open\?\n(row 1: \[(pending|in_progress)\] .*\n)*row 1: \[completed\] Look up orders\n(row 2: There .*\n)*row 2: There are three .* from Monday\.\n$/,
  },
  {
    program: "session-history/client.ts",
    prints: [
      "A new session",
      "Buy milk",
      "[completed] Count",
      "1 to do: Buy milk",
      "Loaded: Buy milk",
      "  Buy milk",
      "  [completed] Count",
      "  1 to do: Buy milk",
      "Fix the roof",
      "[completed] Count",
      "2 to do: Buy milk, Fix the roof",
      "Loaded: Buy milk",
      "  Buy milk",
      "  [completed] Count",
      "  1 to do: Buy milk",
      "  Fix the roof",
      "  [completed] Count",
      "  2 to do: Buy milk, Fix the roof",
      "Call Ada",
      "[completed] Count",
      "3 to do: Buy milk, Fix the roof, Call Ada",
    ],
  },
  {
    program: "both-versions/client.ts",
    prints: [
      "This is version 2. ",
      "The session is idle with end_turn",
      "This is version 1. ",
      "The turn ended: end_turn",
    ],
  },
  {
    program: "proxy-chain/client.ts",
    prints: [
      "Connected with hello-agent",
      "You said: This is prompt 1 of Ada.",
      "You said: Good morning",
      "You said: This is prompt 2 of Ada.",
      "You said: Good night",
    ],
  },
  {
    program: "mcp-tools/client.ts",
    prints: ["[open_files of editor-tools]", "You have open: src/cart.ts, README.md"],
  },
  { program: "extension-methods/client.ts", prints: ["4 words", "1 of 2", "2 of 2", "The turn ended: end_turn"] },
];

/** Runs a program with Node as a user does, but on the sources of the packages. */
async function start(args: readonly string[], input: string): Promise<{ code: number; out: string; error: string }> {
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: "--conditions=@acp/source" } });
  const code = new Promise<number>((resolve) => child.once("close", resolve));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, error };
}

describe("the examples", () => {
  test.each(runs)("$program prints the expected output", async ({ program, input = "", prints }) => {
    const out: unknown = prints instanceof RegExp ? expect.stringMatching(prints) : `${prints.join("\n")}\n`;
    expect(await start([join(here, program)], input)).toEqual({ code: 0, out, error: "" });
  });

  test("testing/agent.test.ts passes on Node's own test runner", async () => {
    const { code, out } = await start(["--test", "--test-reporter=tap", join(here, "testing/agent.test.ts")], "");
    expect(out).toMatch(/^# pass 2$/m);
    expect(code).toBe(0);
  });

  const folders = readdirSync(here, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? entry.name : ""))
    // The tools' own folders, `node_modules` and `.turbo`, hold no examples.
    .filter((name) => name !== "" && name !== "node_modules" && !name.startsWith("."));

  // The agent of llm/ has tests of its own, with a model on the loopback; so have those of frameworks/ and
  // the page of react-chat/, for releases.
  test("are all run here", () => {
    const started = [
      ...runs.map(({ program }) => program),
      "testing/agent.test.ts",
      "llm/agent.ts",
      "frameworks/",
      "react-chat/",
    ];
    expect(new Set(started.map((program) => program.split("/")[0]))).toEqual(new Set(folders));
  });

  test("have a line each in README.md, which that of the repository links", () => {
    const rows = readFileSync(join(here, "README.md"), "utf8").matchAll(/^\| \[`([\w-]+)`\]\(([\w/-]+)\) +\|/gm);
    const linked = [...rows].map(([, name, target]) => `${name}: ${target}`);
    expect(new Set(linked)).toEqual(new Set(folders.map((name) => `${name}: ${name}`)));
    expect(readFileSync(join(here, "../README.md"), "utf8")).toContain("](examples/README.md)");
  });

  // A page is more than a program.
  const small = folders.filter((name) => name !== "react-chat");
  const programs = small.flatMap((folder) => readdirSync(join(here, folder)).map((name) => `${folder}/${name}`));

  test.each(programs)("%s has less than 60 lines, or 80 with a model", (program) => {
    const limit = program === "llm/agent.ts" ? 80 : 60;
    expect(readFileSync(join(here, program), "utf8").trimEnd().split("\n").length).toBeLessThan(limit);
  });
});
