// The tools of a caller of `ai`, called by real agents.
import { fileURLToPath } from "node:url";
import { acpProvider, type AcpProvider } from "@acp/ai";
import { createMemoryTransportPair } from "@acp/core";
import { createAgent } from "@acp/core/unstable";
import { createAgent as createAgent2 } from "@acp/core/v2/unstable";
import { acceptMcpServers, type AcpMcpServer, type McpSession } from "@acp/mcp";
import { spawnAgent } from "@acp/node";
import { Client } from "@modelcontextprotocol/client";
import { generateText, isStepCount, jsonSchema, Output, streamText, tool, type ToolSet } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";

import { serveModel } from "../../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../../packages/ai/test/support/replies.ts";
import { temporaryDirectory } from "../../support/main-job-programs.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

function weather(onCall: (city: string) => void = () => {}): ToolSet {
  const inputSchema = jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  });
  const execute = ({ city }: { readonly city: string }): object => {
    onCall(city);
    if (city === "Atlantis") throw new Error("There is no such city");
    return { city, degrees: city.length };
  };
  return { weather: tool({ description: "How warm it is", inputSchema, execute }) };
}

/** A provider on a program of the repository. */
async function provide(args: readonly string[], env: Record<string, string> = {}): Promise<AcpProvider> {
  const provider = await acpProvider({
    connect: (client) => spawnAgent(client, { command: process.execPath, args, env }),
    cwd: process.cwd(),
    permission: () => true,
  });
  onTestFinished(() => provider.close());
  return provider;
}

describe("an agent of the official SDK", () => {
  test("calls the caller's tools over HTTP, several at once, and receives failures", async () => {
    const provider = await provide([here("programs/official-tools-agent.ts")]);
    const called: string[] = [];
    const prompt = ["Oslo", "Bern", "Atlantis"].map((city) => `call weather ${JSON.stringify({ city })}`).join("\n");
    const { text, steps } = await generateText({
      model: provider.languageModel(),
      prompt,
      tools: weather((city) => called.push(city)),
      stopWhen: isStepCount(10),
    });
    expect(called.toSorted()).toEqual(["Atlantis", "Bern", "Oslo"]);
    const said = steps.map((step) => step.text).join("");
    expect(said).toContain("I have weather. ");
    expect(text).toContain(String.raw`{\"city\":\"Oslo\",\"degrees\":4}`);
    expect(text).toContain("There is no such city");
    expect(text).toContain('"isError":true');
  });

  test("keeps the conversation, and the tools, in one session", async () => {
    const provider = await provide([here("programs/official-tools-agent.ts")]);
    const model = provider.languageModel();
    const ids = new Set<unknown>();
    const messages: Parameters<typeof generateText>[0]["messages"] = [];
    for (const city of ["Oslo", "Rome"]) {
      messages.push({ role: "user", content: `call weather ${JSON.stringify({ city })}` });
      const stopWhen = isStepCount(5);
      const result = streamText({ model, messages, tools: weather(), stopWhen });
      messages.push(...(await result.responseMessages));
      expect(await result.text).toContain(String.raw`{\"city\":\"${city}\"`);
      ids.add((await result.providerMetadata)?.["acp"]?.["sessionId"]);
    }
    expect(ids.size).toBe(1);
  });
});

test("acp-agent offers the caller's tools to its model, together with its own", async () => {
  using home = temporaryDirectory();
  const server = await serveModel(openAi, [
    { calls: [{ id: "c1", name: "app__weather", args: '{"city":"Oslo"}' }] },
    { text: "It is cold." },
  ]);
  const args = [here("../../../../apps/agent/src/main.ts"), "--model", "openai/stand-in", "--no-sessions"];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key", HOME: home.path, XDG_CONFIG_HOME: home.path };
  const provider = await provide(args, env);
  const { text, steps } = await generateText({
    model: provider.languageModel(),
    prompt: "How warm is it in Oslo?",
    tools: weather(),
    stopWhen: isStepCount(5),
  });
  expect(text).toBe("It is cold.");
  expect(steps[0]?.toolResults).toContainEqual(
    expect.objectContaining({ toolName: "weather", output: { city: "Oslo", degrees: 4 } }),
  );
  expect(JSON.stringify(server.requests[1])).toMatch(/degrees[^}]*4/u);
});

interface Turn {
  readonly signal: AbortSignal;
  message(text: string): Promise<void>;
  toolCall(call: { title: string }): Promise<Call>;
}

interface Call {
  update(change: { status: "in_progress" }): Promise<void>;
  complete(text: string): Promise<void>;
}

type Handle = (turn: Turn, tools: Client | undefined) => Promise<void>;

/** An agent that takes MCP servers over ACP, as it was opened last. */
async function provideOverAcp(version: 1 | 2, handle: Handle): Promise<AcpProvider> {
  const mcp = acceptMcpServers();
  const info = { name: "agent", version: "1.0.0" };
  const run = async (
    turn: Turn,
    servers: readonly object[],
    session: McpSession,
  ): Promise<{ stopReason: "end_turn" }> => {
    const server = servers.find((one): one is AcpMcpServer => "type" in one && one.type === "acp");
    const tools = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    if (server !== undefined) await tools.connect(mcp.transport(server, session));
    await handle(turn, server === undefined ? undefined : tools);
    return { stopReason: "end_turn" };
  };
  const [ours, theirs] = createMemoryTransportPair();
  if (version === 1) {
    createAgent({
      info,
      capabilities: { mcpCapabilities: { acp: true } },
      handlers: {
        ...mcp.handlers,
        "session/prompt": (_params, { turn, session }) => run(turn, session.mcpServers, session),
      },
    }).connect(theirs);
  } else {
    createAgent2({
      info,
      capabilities: { session: { mcp: { acp: {} } } },
      handlers: {
        ...mcp.handlers,
        "session/prompt": (_params, { turn, session }) => run(turn, session.mcpServers, session),
      },
    }).connect(theirs);
  }
  const provider = await acpProvider({ connect: (client) => client.connect(ours), cwd: process.cwd() });
  onTestFinished(() => provider.close());
  return provider;
}

describe.each([1, 2] as const)("over ACP, version %i", (version) => {
  test("an agent calls the caller's tools, one after another", async () => {
    const provider = await provideOverAcp(version, async (turn, tools) => {
      for (const city of ["Oslo", "Bern"]) {
        const { content } = (await tools?.callTool({ name: "weather", arguments: { city } })) ?? {};
        await turn.message(JSON.stringify(content));
      }
    });
    const { steps } = await generateText({
      model: provider.languageModel(),
      prompt: "Go",
      tools: weather(),
      stopWhen: isStepCount(5),
    });
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "tool-calls", "stop"]);
    expect(steps.map(({ text }) => text).join("")).toMatch(/Oslo.*Bern/u);
  });

  test("the agent's own tools have their results meanwhile, each in its step", async () => {
    const provider = await provideOverAcp(version, async (turn, tools) => {
      const own = await turn.toolCall({ title: "npm test" });
      await own.update({ status: "in_progress" });
      const view = await turn.toolCall({ title: "app: weather" });
      await view.update({ status: "in_progress" });
      await tools?.callTool({ name: "weather", arguments: { city: "Oslo" } });
      await view.complete("4");
      await own.complete("All pass");
    });
    const { steps } = await generateText({
      model: provider.languageModel(),
      prompt: "Go",
      tools: weather(),
      stopWhen: isStepCount(5),
    });
    const results = steps.map((step) => Object.fromEntries(step.toolResults.map((one) => [one.toolName, one.output])));
    expect(results).toEqual([
      { "npm test": "", "app: weather": "", weather: { city: "Oslo", degrees: 4 } },
      { "npm test": "All pass" },
    ]);
  });

  test("two users who call the same tool at once get their own results", async () => {
    const provider = await provideOverAcp(version, async (turn, tools) => {
      const { content } = (await tools?.callTool({ name: "whoami" })) ?? {};
      await turn.message(JSON.stringify(content));
    });
    const model = provider.languageModel();
    const ask = async (user: string): Promise<string> => {
      const inputSchema = jsonSchema<object>({ type: "object" });
      const whoami = tool({ inputSchema, execute: () => `You are ${user}` });
      return (await generateText({ model, prompt: "Who am I?", tools: { whoami }, stopWhen: isStepCount(3) })).text;
    };
    const users = Array.from({ length: 8 }, (_, index) => `user ${index}`);
    const answers = await Promise.all(users.map(ask));
    for (const [index, user] of users.entries()) expect(answers[index]).toContain(user);
  });

  test("an abort while a tool runs ends the turn", async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const provider = await provideOverAcp(version, async (turn, tools) => {
      turn.signal.addEventListener("abort", () => end());
      await tools?.callTool({ name: "weather", arguments: { city: "Oslo" } });
    });
    const stop = new AbortController();
    const tools = weather(() => stop.abort());
    const model = provider.languageModel();
    await expect(
      generateText({ model, prompt: "Go", tools, stopWhen: isStepCount(3), abortSignal: stop.signal }),
    ).rejects.toThrow();
    await provider.close();
    await ended;
  });

  test("a message in place of the results starts a session that receives the call", async () => {
    const provider = await provideOverAcp(version, async (turn, tools) => {
      if (tools !== undefined) await tools.callTool({ name: "weather", arguments: { city: "Oslo" } }).catch(() => {});
      await turn.message("I am here");
    });
    const model = provider.languageModel();
    const messages: Parameters<typeof generateText>[0]["messages"] = [{ role: "user", content: "Go" }];
    const first = await generateText({ model, messages, tools: weather(), stopWhen: isStepCount(1) });
    messages.push(...first.responseMessages, { role: "user", content: "Never mind" });
    expect((await generateText({ model, messages })).text).toBe("I am here");
  });
});

describe("a limit of an agent", () => {
  test("is reported by name in a warning", async () => {
    const [ours, theirs] = createMemoryTransportPair();
    createAgent({
      info: { name: "agent", version: "1.0.0" },
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
    }).connect(theirs);
    const provider = await acpProvider({ connect: (client) => client.connect(ours), cwd: process.cwd() });
    onTestFinished(() => provider.close());
    const { warnings } = await provider.languageModel().doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
      tools: [{ type: "function", name: "weather", inputSchema: { type: "object" } }],
      toolChoice: { type: "tool", toolName: "weather" },
      temperature: 0,
    });
    expect(warnings).toMatchObject([
      { feature: "temperature" },
      { feature: "toolChoice", details: expect.stringContaining("weather") as string },
      { feature: "tool weather", details: expect.stringMatching(/MCP servers over ACP or HTTP/u) as string },
    ]);
  });
});

describe("an object as the answer", () => {
  const schema = jsonSchema<{ total: number }>({
    type: "object",
    properties: { total: { type: "number" } },
    required: ["total"],
  });

  test.each([
    ["the JSON alone", ['{"total": 3}']],
    ["a code fence", ["Here it is:\n```json\n", '{"total": 3}', "\n```\nAnything else?"]],
    ["some words around it", ['The answer is {"total": ', "3}."]],
  ])("is read from %s", async (_how, texts) => {
    const prompts: unknown[] = [];
    const [ours, theirs] = createMemoryTransportPair();
    createAgent({
      info: { name: "agent", version: "1.0.0" },
      handlers: {
        "session/prompt": async ({ prompt }, { turn }) => {
          prompts.push(prompt);
          await turn.message("I count {them}.");
          const call = await turn.toolCall({ title: "Count" });
          await call.complete("3");
          for (const text of texts) await turn.message(text);
          return { stopReason: "end_turn" };
        },
      },
    }).connect(theirs);
    const provider = await acpProvider({ connect: (client) => client.connect(ours), cwd: process.cwd() });
    onTestFinished(() => provider.close());
    const model = provider.languageModel();
    const output = Output.object({ schema });
    expect((await generateText({ model, prompt: "Count", output })).output).toEqual({ total: 3 });
    expect(await streamText({ model, prompt: "Count", output }).output).toEqual({ total: 3 });
    expect(JSON.stringify(prompts[0])).toContain(String.raw`\"total\":{\"type\":\"number\"}`);
  });
});
