import { jsonSchema, tool } from "ai";
import { describe, expect, test } from "vitest";
import { reportedCall } from "../src/index.ts";
import { pathTool, play, stages } from "./support/play.ts";

const read = { id: "call_1", name: "read", args: '{"path":"/a.txt"}' };
const image = { type: "image", data: "aW1hZ2U=", mimeType: "image/png" } as const;

describe.each(stages)("the tools of a model: $name", (stage) => {
  test("run side by side, and the model gets the results in its order", async () => {
    let arrive = (): void => {};
    const bothRun = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const tools = {
      read: pathTool(async (path) => {
        if (path === "/b.txt") arrive();
        await bothRun;
        return `The text of ${path}`;
      }),
    };
    const calls = [read, { id: "call_2", name: "read", args: '{"path":"/b.txt"}' }];
    const { client, server } = await play(stage, [{ text: "I read both.", calls }, { text: "Done." }], {
      turn: {
        tools,
        show: (name) => ({ kind: name === "read" ? "read" : "other", locations: () => [{ path: "/a.txt" }] }),
      },
    });
    expect(await client.prompt("Read a and b")).toMatchObject({ stopReason: "end_turn" });
    expect(client.timeline()).toMatchObject([
      { type: "agent_message", text: "I read both." },
      {
        type: "tool_call",
        title: "read /a.txt",
        kind: "read",
        status: "completed",
        rawInput: { path: "/a.txt" },
        locations: [{ path: "/a.txt" }],
        content: [{ type: "content", content: { type: "text", text: "The text of /a.txt" } }],
      },
      { type: "tool_call", title: "read /b.txt", status: "completed" },
      { type: "agent_message", text: "Done." },
    ]);
    expect(JSON.stringify(server.requests[1])).toMatch(/The text of \/a\.txt.*The text of \/b\.txt/su);
  });

  test("give the agent each part before the client is shown its end", async () => {
    const order: string[] = [];
    const calls = [read, { id: "call_2", name: "read", args: '{"path":"/b.txt"}' }];
    const { client, messages } = await play(stage, [{ text: "I read both.", calls }, { text: "Done." }], {
      turn: {
        tools: { read: pathTool((path) => `The text of ${path}`) },
        onPart: async ({ role, content }) => {
          // Slower than anything else: the client waits for it all the same.
          await new Promise((resolve) => setTimeout(resolve, 20));
          const parts = typeof content === "string" ? [] : content;
          for (const part of parts)
            order.push(`${role} ${part.type}${"toolCallId" in part ? ` ${part.toolCallId}` : ""}`);
        },
      },
      onUpdate: (update) => {
        if ("status" in update && update.status === "completed" && "toolCallId" in update)
          order.push(`shown ${String(update.toolCallId)}`);
      },
    });
    await client.prompt("Read a and b");
    for (const id of ["call_1", "call_2"]) {
      expect(order.indexOf(`assistant tool-call ${id}`)).toBeGreaterThanOrEqual(0);
      expect(order.indexOf(`tool tool-result ${id}`)).toBeGreaterThan(order.indexOf(`assistant tool-call ${id}`));
      expect(order.indexOf(`shown ${id}`)).toBeGreaterThan(order.indexOf(`tool tool-result ${id}`));
    }
    expect(order.filter((one) => one === "assistant text")).toHaveLength(2);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("show their input while the model writes it, but not once for every word", async () => {
    const inputs: unknown[] = [];
    const path = `/${"long/".repeat(100)}`;
    const { client } = await play(
      stage,
      [{ calls: [{ ...read, args: JSON.stringify({ path }) }] }, { text: "Done." }],
      {
        turn: { tools: { read: pathTool(() => "text") } },
        onUpdate: (update) => {
          if (update.sessionUpdate === "tool_call_update" && "rawInput" in update) inputs.push(update.rawInput);
        },
      },
    );
    await client.prompt("Read");
    expect(inputs.length).toBeGreaterThan(4);
    expect(inputs.length).toBeLessThan(30);
    expect(inputs.at(-1)).toEqual({ path });
  });

  test("get arguments that do not fit back as an error of the call", async () => {
    const replies = [
      { calls: [{ ...read, args: '{"path": "/a' }] },
      { calls: [{ id: "call_2", name: "read", args: '{"file": "/a.txt"}' }] },
      { calls: [{ id: "call_3", name: "rad", args: "{}" }] },
      { text: "I give up." },
    ];
    const { client, server } = await play(stage, replies, { turn: { tools: { read: pathTool(() => "text") } } });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    const shown = client.shown("tool_call");
    expect(shown.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    expect(JSON.stringify(shown[0]?.["content"])).toContain("The model's arguments do not fit the tool read.");
    expect(JSON.stringify(shown[2]?.["content"])).toContain("There is no tool rad.");
    expect(server.requests).toHaveLength(4);
    expect(JSON.stringify(server.requests[1])).toMatch(/Invalid input for tool read/u);
  });

  test("that fail tell the user and the model why", async () => {
    const tools = {
      read: pathTool(() => {
        throw new Error("No such file");
      }),
    };
    const { client, server } = await play(stage, [{ calls: [read] }, { text: "A pity." }], { turn: { tools } });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("tool_call")).toMatchObject([
      { status: "failed", content: [{ content: { type: "text", text: "No such file" } }] },
    ]);
    expect(JSON.stringify(server.requests[1])).toContain("No such file");
  });

  test("fail in the client alone if their display calls the result a failure", async () => {
    const tools = { read: pathTool((path) => ({ path, exitCode: path === "/a.txt" ? 1 : 0 })) };
    const calls = [read, { id: "call_2", name: "read", args: '{"path":"/b.txt"}' }];
    const { client, server } = await play(stage, [{ calls }, { text: "One failed." }], {
      turn: { tools, show: { read: { isFailure: ({ exitCode }: { exitCode: number }) => exitCode !== 0 } } },
    });
    expect(await client.prompt("Run")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("tool_call")).toMatchObject([
      { status: "failed", rawOutput: { exitCode: 1 } },
      { status: "completed", rawOutput: { exitCode: 0 } },
    ]);
    expect(JSON.stringify(server.requests[1])).not.toContain("is_error");
  });

  test("are not shown if their display hides them, unless the user has to allow them", async () => {
    const isHidden = true;
    const calls = [read, { id: "call_2", name: "note", args: '{"path":"/b.txt"}' }];
    const { client, server } = await play(stage, [{ calls }, { text: "Done." }], {
      turn: {
        tools: { read: pathTool((path) => `The text of ${path}`), note: pathTool(() => "Noted") },
        show: { read: { isHidden }, note: { isHidden } },
        toolApproval: { note: "user-approval" },
      },
      answer: () => "allow_once",
    });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("tool_call")).toMatchObject([{ title: "note /b.txt", status: "completed" }]);
    expect(JSON.stringify(server.requests[1])).toMatch(/The text of \/a\.txt.*Noted/su);
  });

  test("show images, and give them to the model", async () => {
    const look = tool({
      inputSchema: jsonSchema<{ path: string }>({ type: "object" }),
      execute: () => ({ content: [image] }),
      toModelOutput: () => ({
        type: "content",
        value: [{ type: "file", data: { type: "data", data: image.data }, mediaType: image.mimeType }],
      }),
    });
    const { client, server } = await play(stage, [{ calls: [{ ...read, name: "look" }] }, { text: "A cat." }], {
      turn: { tools: { look } },
    });
    expect(await client.prompt("Look")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("tool_call")).toMatchObject([{ status: "completed", content: [{ content: image }] }]);
    expect(JSON.stringify(server.requests[1])).toContain(image.data);
  });

  test("that need a permission run once the user allows them, and not if not", async () => {
    const run: string[] = [];
    const tools = {
      read: pathTool((path) => {
        run.push(path);
        return `The text of ${path}`;
      }),
    };
    const calls = [read, { id: "call_2", name: "read", args: '{"path":"/secret"}' }];
    const { client, server } = await play(stage, [{ calls }, { text: "One of them." }], {
      turn: { tools, toolApproval: { read: "user-approval" } },
      answer: (title) => (title.includes("secret") ? "reject_once" : "allow_once"),
    });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    expect(run).toEqual(["/a.txt"]);
    expect(client.shown("tool_call")).toMatchObject([
      { title: "read /a.txt", status: "completed" },
      { title: "read /secret", status: "failed" },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1])).toContain("The text of /a.txt");
  });

  test("are asked about once, if the user says always and the agent remembers it", async () => {
    const asked: string[] = [];
    const replies = [{ calls: [read] }, { calls: [{ ...read, id: "call_2" }] }, { text: "Done." }];
    const { client } = await play(stage, replies, {
      turn: {
        tools: { read: pathTool(() => "text") },
        toolApproval: { read: "user-approval" },
        permission: ({ toolName, ask }) => ask({ remember: toolName }),
      },
      answer: (title, options) => {
        asked.push(title, ...options.map(({ name }) => name));
        return "allow_always";
      },
    });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    expect(asked).toEqual(["read /a.txt", "Allow", "Always allow: read", "Reject", "Always reject: read"]);
    expect(client.shown("tool_call").map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("are asked about with a short name for always, however long the target is", async () => {
    const names: string[] = [];
    const { client } = await play(stage, [{ calls: [read] }, { text: "Done." }], {
      turn: {
        tools: { read: pathTool(() => "text") },
        toolApproval: { read: "user-approval" },
        permission: ({ ask }) => ask({ remember: `run first\n  ${"second ".repeat(100)}` }),
      },
      answer: (_title, options) => {
        names.push(...options.map(({ name }) => name));
        return "allow_once";
      },
    });
    await client.prompt("Read");
    expect(names[1]).toMatch(/^Always allow: run first second second [second ]{50,60}…$/u);
  });

  test("are asked about with all that always refers to, in the words of the agent", async () => {
    const names: string[] = [];
    const scope = `exactly ${"this ".repeat(30)}in this session`;
    const { client } = await play(stage, [{ calls: [read] }, { text: "Done." }], {
      turn: {
        tools: { read: pathTool(() => "text") },
        toolApproval: { read: "user-approval" },
        permission: ({ ask }) => ask({ remember: "key", scope }),
      },
      answer: (_title, options) => {
        names.push(...options.map(({ name }) => name));
        return "allow_once";
      },
    });
    await client.prompt("Read");
    expect(names).toEqual(["Allow", `Always allow ${scope}`, "Reject", `Always reject ${scope}`]);
  });

  test("that were allowed are ended with a turn that has no step left to run them", async () => {
    const { client } = await play(stage, [{ calls: [read] }], {
      turn: { tools: { read: pathTool(() => "text") }, toolApproval: { read: "user-approval" }, maxSteps: 1 },
      answer: () => "allow_once",
    });
    expect(await client.prompt("Read")).toMatchObject({ stopReason: "max_turn_requests" });
    expect(client.shown("tool_call")).toMatchObject([{ status: stage.version === 1 ? "failed" : "cancelled" }]);
  });

  test("are ended by a cancel, and the history stays fit for the next prompt", async () => {
    const cancel = new AbortController();
    const tools = {
      read: pathTool(
        (_path, signal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(new Error("stopped")));
            cancel.abort();
          }),
      ),
    };
    const { client, server, messages } = await play(stage, [{ calls: [read] }, { text: "Again." }], {
      turn: { tools },
    });
    expect(await client.prompt("Read", cancel.signal)).toMatchObject({ stopReason: "cancelled" });
    expect(client.shown("tool_call")).toMatchObject([{ status: stage.version === 1 ? "failed" : "cancelled" }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(await client.prompt("Go on")).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests).toHaveLength(2);
  });

  test("report their work through the call that the client knows", async () => {
    const scene = await play(stage, [{ calls: [read] }, { text: "Done." }], {
      turn: {
        show: () => ({ output: () => undefined }),
        prepareStep: () => undefined,
        permission: async ({ turn, toolCallId, call }) => {
          expect((await reportedCall(turn, toolCallId)).id).toBe(call.id);
          return { approved: false, reason: "It is not the time" };
        },
        toolApproval: { read: "user-approval" },
        tools: { read: pathTool(() => "text") },
      },
    });
    expect(await scene.client.prompt("Read")).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(scene.server.requests[1])).toContain("It is not the time");
  });
});
