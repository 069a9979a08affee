import { describe, expect, test } from "vitest";

import { clientKinds, type ShownCall } from "../testing/clients.ts";
import { play } from "../testing/play.ts";
import { createProject } from "../testing/project.ts";
import { rememberedCommand } from "./remembered-command.ts";

const client2 = clientKinds.at(-1) ?? expect.fail();

/** A line for any shell that runs a program of JavaScript. */
function script(code: string): string {
  return `node -e "${code}"`;
}

describe.each(clientKinds)("run, with $name", (kind) => {
  test("shows the command before the user is asked, and its output in a terminal or as text", async () => {
    const project = createProject({ "a.txt": "" });
    const asked: ShownCall[] = [];
    const { texts, calls, client } = await play(kind, project, [[["run", { command: "echo one && pwd" }]]], {
      answer(call) {
        asked.push(call);
        return true;
      },
    });
    expect(asked).toMatchObject([{ title: "echo one && pwd", kind: "execute", status: "pending" }]);
    expect(texts).toEqual([`Exit code: 0\none\n${project.path}`]);
    expect(calls).toMatchObject([{ status: "completed" }]);
    const isShownAsText = kind.version === 1 && !kind.methods.includes("terminal/create");
    expect(calls[0]?.content?.map(({ type }) => type)).toEqual([isShownAsText ? "content" : "terminal"]);
    if (isShownAsText) expect(JSON.stringify(calls[0]?.content)).toContain(`one\\n${project.path}`);
    else expect(client.terminalOutputs()).toEqual([`one\n${project.path}\n`]);
  });

  test("shows a failure as a failure, and leaves its output there", async () => {
    const project = createProject();
    const { texts, calls } = await play(kind, project, [[["run", { command: "echo broken >&2; exit 3" }]]]);
    expect(texts).toEqual(["Exit code: 3\nbroken"]);
    expect(calls).toMatchObject([{ status: "failed" }]);
    expect(JSON.stringify(calls[0]?.content)).not.toContain("Exit code");
  });

  test("waits for the changes that the model makes in the same step", async () => {
    const project = createProject({ "a.txt": "old\n" });
    const { texts } = await play(kind, project, [
      [
        ["edit", { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] }],
        ["run", { command: "cat a.txt" }],
      ],
    ]);
    expect(texts[1]).toBe("Exit code: 0\nnew");
  });

  test("ends a command that takes too long, with all its processes", async () => {
    const project = createProject();
    const command = "sleep 1000 & echo $!; wait";
    const { texts, calls } = await play(kind, project, [[["run", { command, timeout: 1 }]]]);
    expect(texts[0]).toMatch(/^The time is up: the command was ended\.\n\d+$/u);
    expect(calls).toMatchObject([{ status: "failed" }]);
    await expect.poll(() => isAlive(Number(texts[0]?.split("\n")[1]))).toBe(false);
  });

  test("is ended by a cancel, with all that it has started", async () => {
    const project = createProject();
    const cancel = new AbortController();
    const command = "sleep 1000 & echo $! > pid; mv pid started; wait";
    const playing = play(kind, project, [[["run", { command }]]], { signal: cancel.signal });
    await expect.poll(() => project.has("started")).toBe(true);
    cancel.abort();
    const { stopReason, calls } = await playing;
    expect(stopReason).toBe("cancelled");
    expect(calls).toMatchObject([{ status: kind.version === 1 ? "failed" : "cancelled" }]);
    await expect.poll(() => isAlive(Number(project.read("started")))).toBe(false);
  });
});

test("run shows the output of its own commands live to clients that take terminals in custom data", async () => {
  const kind = clientKinds.find(({ version, methods }) => version === 1 && methods.length === 0) ?? expect.fail();
  const { texts, calls, client } = await play(kind, createProject(), [[["run", { command: "echo live" }]]], {
    meta: { terminal_output: true },
  });
  expect(texts).toEqual(["Exit code: 0\nlive"]);
  expect(calls[0]?.content).toMatchObject([{ type: "terminal" }]);
  expect(client.terminalOutputs()).toEqual(["live\n"]);
});

test("run returns its result together with the client's terminal, since not every client shows terminals", async () => {
  const kind = clientKinds.find(({ methods }) => methods.includes("terminal/create")) ?? expect.fail();
  const asked: ShownCall[] = [];
  const { calls } = await play(kind, createProject(), [[["run", { command: "echo one; exit 3" }]]], {
    answer: (call) => asked.push(call) > 0,
  });
  expect(calls).toMatchObject([
    { status: "failed", content: [{ type: "terminal" }], rawOutput: { output: "one\n", exitCode: 3, signal: null } },
  ]);
});

test("run gives the model the end of a long output, without colors and overwritten text", async () => {
  const { texts } = await play(client2, createProject(), [
    [
      ["run", { command: script("for (let i = 0; i < 50000; i++) console.log('line', i)") }],
      ["run", { command: script(String.raw`process.stdout.write('10%\\r20%\\r\\x1b[32mdone\\x1b[0m\\r\\n')`) }],
      ["run", { command: "true" }],
    ],
  ]);
  expect(texts[0]).toMatch(/^Exit code: 0\n\[The beginning of the output is left out\.\]\n.*\nline 49999$/su);
  expect(texts[0]?.length).toBeLessThan(31_000);
  expect(texts[1]).toBe("Exit code: 0\ndone");
  expect(texts[2]).toBe("Exit code: 0\n[There is no output.]");
});

test("run keeps the keys of models from commands of its own", async () => {
  process.env["ACP_TEST_KEY"] = "secret";
  try {
    const calls = [["run", { command: "echo key: $ACP_TEST_KEY" }] as const];
    const { texts } = await play(client2, createProject(), [calls], { withoutVariables: ["ACP_TEST_KEY"] });
    expect(texts).toEqual(["Exit code: 0\nkey:"]);
  } finally {
    delete process.env["ACP_TEST_KEY"];
  }
});

test("rememberedCommand() names the program, or the whole line if the program says too little", async () => {
  const scopeOf = async (line: string): Promise<string | undefined> => (await rememberedCommand(line, "/"))?.scope;
  expect(await scopeOf("git status")).toBe("`git status` with any plain words in this session");
  expect(await scopeOf("git log main")).toBe("`git log` with any plain words in this session");
  expect(await scopeOf("git log --oneline")).toBe("exactly `git log --oneline` in this session");
  expect(await scopeOf(" npm test ")).toBe("exactly `npm test` in this session");
  expect(await scopeOf("git log | sh")).toBe("exactly `git log | sh` in this session");
  // What an option cannot show is not quoted.
  for (const line of [`echo ${"x".repeat(60)}`, "echo `x`", "git a\nrm b", "echo \u202Etxt", "echo \u00A0"])
    expect(await scopeOf(line)).toBe("exactly this command in this session");
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
