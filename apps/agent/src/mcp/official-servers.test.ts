// A session with servers of the MCP project, from a model that calls their tools to what the user sees.
import { describe, expect, test } from "vitest";

import { calls, play, stages } from "../coder/testing/models.ts";
import { createProject } from "../tools/testing/project.ts";
import { ownServer } from "./testing/own-server.ts";
import { everythingOverStdio, filesOverStdio, listenEverything } from "./testing/official-servers.ts";

const [openAi1, openAi2] = stages as [(typeof stages)[0], (typeof stages)[0]];

describe.each(stages)("servers over stdio, $name", (stage) => {
  test("their tools are called with permission, and show texts, images and structured results", async () => {
    const project = createProject({ "a.txt": "What the file says" });
    const { session, client, server } = await play(
      stage,
      [
        calls(
          ["everything__get-tiny-image", {}],
          ["everything__get-structured-content", { location: "Chicago" }],
          ["files__read_text_file", { path: project.at("a.txt") }],
        ),
        { text: "Done." },
      ],
      {
        cwd: project.path,
        mcpServers: [everythingOverStdio, filesOverStdio(project.path)],
        model: { takesImages: true, contextSize: 100_000 },
        answer: () => "allow_once",
      },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toHaveLength(3);
    const [image, structured, file] = session.shown("tool_call");
    expect([image?.status, structured?.status, file?.status]).toEqual(["completed", "completed", "completed"]);
    expect(image?.title).toMatch(/^everything: /u);
    expect(image?.content).toContainEqual(
      expect.objectContaining({ content: expect.objectContaining({ type: "image", mimeType: "image/png" }) }),
    );
    expect(structured).toMatchObject({ rawOutput: { temperature: expect.any(Number) } });
    expect(JSON.stringify(file?.content)).toContain("What the file says");
    const asked = JSON.stringify(server.requests.at(-1));
    expect(asked).toContain("What the file says");
    expect(asked).toMatch(/iVBORw0KGgo/u);
  });

  test("a call that is refused does not reach the server, and one that fails tells the model why", async () => {
    const project = createProject();
    const { session, server } = await play(
      stage,
      [
        calls(["files__write_file", { path: project.at("b.txt"), content: "x" }]),
        calls(["files__read_text_file", { path: project.at("missing.txt") }]),
        { text: "Done." },
      ],
      {
        cwd: project.path,
        mcpServers: [filesOverStdio(project.path)],
        answer: (question) => (/write/iu.test(question) ? "reject_once" : "allow_once"),
      },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(project.has("b.txt")).toBe(false);
    expect(session.shown("tool_call").map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(JSON.stringify(server.requests.at(-1))).toMatch(/ENOENT|no such file/iu);
  });
});

test("a server gets the directories of the session as its roots, and tells its progress", async () => {
  const project = createProject();
  const progress: string[] = [];
  const { session, server } = await play(
    openAi1,
    [
      calls(["everything__get-roots-list", {}]),
      calls(["everything__trigger-long-running-operation", { duration: 0.5, steps: 2 }]),
      { text: "Done." },
    ],
    {
      cwd: project.path,
      mcpServers: [everythingOverStdio],
      answer: () => "allow_once",
      onUpdate: (update) => {
        const text = JSON.stringify(update);
        if (text.includes("1 of 2")) progress.push(text);
      },
    },
  );
  expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
  expect(JSON.stringify(server.requests[1])).toContain(project.path);
  expect(progress).not.toEqual([]);
});

test("a server that hangs is named, its tools are missing, and a bounded number of updates tells its progress", async () => {
  const updates: string[] = [];
  const { session, server } = await play(openAi1, [calls(["own__chatter", {}]), { text: "Done." }], {
    cwd: createProject().path,
    mcpServers: [ownServer(), { ...ownServer({ HANGS: "1" }), name: "silent" }],
    answer: () => "allow_once",
    onUpdate: (update) => void updates.push(JSON.stringify(update)),
  });
  expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
  const said = JSON.stringify(session.timeline());
  expect(said).toContain("Waiting for MCP servers that are starting: silent.");
  expect(said).toContain("These MCP servers have not started after 10 seconds: silent.");
  const offered = JSON.stringify(server.requests[0]?.["tools"]);
  expect([offered.includes("own__pid"), offered.includes("silent__")]).toEqual([true, false]);
  expect(updates.filter((update) => /"\d+"/u.test(update)).length).toBeLessThan(1_000);
});

describe.each(["http", "sse"] as const)("a server over %s", (type) => {
  test("is called, and is reached again after it was started again", async () => {
    const { path: cwd } = createProject();
    const listening = await listenEverything(type);
    const { session, client } = await play(
      type === "http" ? openAi2 : openAi1,
      [
        calls(["everything__echo", { message: "one" }]),
        { text: "Done." },
        calls(["everything__echo", { message: "two" }]),
        calls(["everything__echo", { message: "three" }]),
        { text: "Done." },
      ],
      { cwd, mcpServers: [listening.server], answer: () => "allow_always" },
    );
    await session.prompt("Go");
    await listening.restart();
    expect(await session.prompt("Go on")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toHaveLength(1);
    const shown = session.shown("tool_call");
    expect(shown.at(0)).toMatchObject({ status: "completed" });
    const { status, content } = shown.at(-1) ?? {};
    expect([status, JSON.stringify(content)]).toEqual(["completed", expect.stringContaining("three")]);
  });
});
