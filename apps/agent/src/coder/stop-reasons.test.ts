import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { calls, play, stages } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

describe.each(stages)("a turn of the coder, $name", (stage) => {
  test.each([
    ["length", "max_tokens"],
    ["refusal", "refusal"],
  ] as const)("ends with the stop reason for %s", async (finish, stopReason) => {
    const { path: cwd } = createProject();
    const { session } = await play(stage, [{ text: "I cannot", finish }], { cwd });
    expect(await session.prompt("Go")).toMatchObject({ stopReason });
    expect(session.timeline().at(-1)).toMatchObject({ type: "agent_message", text: "I cannot" });
  });

  test("ends after the steps that it may take", async () => {
    const project = createProject({ "a.txt": "more" });
    const read = calls(["read", { path: project.at("a.txt") }]);
    const { session, server } = await play(stage, [read, read], { cwd: project.path, coder: { maxSteps: 2 } });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "max_turn_requests" });
    expect(server.requests).toHaveLength(2);
  });

  test("reports an empty answer of the model", async () => {
    const { path: cwd } = createProject();
    const { session } = await play(stage, [{ text: "" }, { text: "There." }], { cwd });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    const said = { type: "agent_message", text: expect.stringMatching(/^The model has answered nothing\./u) };
    expect(session.timeline().at(-1)).toMatchObject(said);
    expect(await session.prompt("Again")).toMatchObject({ stopReason: "end_turn" });
    expect(session.timeline().at(-1)).toMatchObject({ type: "agent_message", text: "There." });
  });

  test("notices that the model makes the same call again and again, and takes its tools away", async () => {
    const project = createProject({ "a.txt": "more" });
    const read = calls(["read", { path: project.at("a.txt") }]);
    const replies = [...Array.from({ length: 8 }, () => read), { text: "I give up." }];
    const { session, server } = await play(stage, replies, { cwd: project.path });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    const notices = session.timeline().flatMap((item) => (item.type === "notice" ? [item.title] : []));
    expect(notices).toEqual([
      "The model has made the same call 4 times, with the same result.",
      "The model has made the same call 8 times, with the same result.",
    ]);
    const asked = server.requests.map((body) => JSON.stringify(body));
    expect(asked.map((body) => body.includes("Do not make it again"))).toEqual([
      ...Array.from({ length: 4 }, () => false),
      ...Array.from({ length: 5 }, () => true),
    ]);
    expect(server.requests.at(-2)?.["tools"]).not.toEqual([]);
    expect(server.requests.at(-1)?.["tools"] ?? []).toEqual([]);
  });

  test("leaves a model alone whose equal calls have different results", async () => {
    const project = createProject();
    const count = calls(["run", { command: "echo x >> n; wc -l n" }]);
    const replies = [...Array.from({ length: 6 }, () => count), { text: "Six." }];
    const { session } = await play(stage, replies, { cwd: project.path, answer: () => "allow_always" });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(session.timeline().filter(({ type }) => type === "notice")).toEqual([]);
  });

  test("continues after the provider has limited the requests", async () => {
    const { path: cwd } = createProject();
    const busy = { status: 429, headers: { "retry-after": "0" } };
    const { session } = await play(stage, [busy, { text: "Here I am." }], { cwd });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(session.timeline().slice(1)).toMatchObject([
      { type: "notice", title: "The model's provider limits the requests (429)." },
      { type: "agent_message", text: "Here I am." },
    ]);
  });

  test("fails with a sentence that has neither the key nor the prompt in it", async () => {
    const { path: cwd } = createProject();
    const { session, client } = await play(stage, [{ status: 401 }, { text: "Better." }], { cwd });
    const { error } = await session.prompt("Go");
    expect(error?.message).toBe(
      "The model's provider refused the API key (401). Check the key, and what it is allowed to use.",
    );
    expect(client.received()).not.toContain("SECRET");
    // The session is fit for the next prompt.
    expect(await session.prompt("Again")).toMatchObject({ stopReason: "end_turn" });
  });

  test("ends at once when it is cancelled while the model speaks", async () => {
    const { path: cwd } = createProject();
    const cancel = new AbortController();
    const { session, server } = await play(stage, [{ text: "A long story begins", hangsAfter: 6 }, { text: "Fine." }], {
      cwd,
      onUpdate: ({ sessionUpdate }) => {
        if (sessionUpdate === "agent_message_chunk") cancel.abort();
      },
    });
    expect(await session.prompt("Go", cancel.signal)).toMatchObject({ stopReason: "cancelled" });
    await server.aborted;
    expect(await session.prompt("Short, please")).toMatchObject({ stopReason: "end_turn" });
    // What the model had said until then is in the conversation.
    expect(JSON.stringify(server.requests[1])).toMatch(/A long/u);
  });

  test("ends a command when it is cancelled, with all that the command has started", async () => {
    const project = createProject();
    const cancel = new AbortController();
    const command = "sleep 1000 & echo $! > pid.part; mv pid.part pid; wait";
    const { session } = await play(stage, [calls(["run", { command }])], {
      cwd: project.path,
      answer: () => "allow_once",
    });
    const ended = session.prompt("Go", cancel.signal);
    await expect.poll(() => project.has("pid")).toBe(true);
    const pid = Number(readFileSync(project.at("pid"), "utf8"));
    cancel.abort();
    expect(await ended).toMatchObject({ stopReason: "cancelled" });
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(session.shown("tool_call")[0]?.status).toMatch(/^(failed|cancelled)$/u);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
