import { createClient, createMemoryTransportPair } from "@acp/core";
import { createClient as createClient2 } from "@acp/core/v2";
import { isStepCount, jsonSchema, Output, ToolLoopAgent, type ToolSet } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { runTurn, serveAgent, type TurnResult } from "../src/index.ts";
import { versions } from "./support/connect.ts";
import { formats, serveModel } from "./support/model-server.ts";
import { pathTool, play, stages } from "./support/play.ts";

const call = { id: "call_1", name: "read", args: '{"path":"/a.txt"}' };
const schema = jsonSchema<{ total: number }>({
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
});

describe.each(stages)("a turn of ai: $name", (stage) => {
  test("has an object as its answer, and a model that answers otherwise has failed", async () => {
    const results: TurnResult<{ total: number }>[] = [];
    const scene = await play(stage, [{ text: '{"total": 3}' }, { text: "Three" }], {
      run: async (turn, options) => {
        const result = await runTurn(turn, { ...options, output: Output.object({ schema }) });
        results.push(result);
        return result;
      },
    });
    expect(await scene.client.prompt("Count")).toMatchObject({ stopReason: "end_turn" });
    expect(results[0]?.output?.total).toBe(3);
    expect(await scene.client.prompt("Count")).toMatchObject({
      error: { data: { kind: "wrong_form" }, message: expect.stringMatching(/does not have the form/u) as string },
    });
  });

  test.each([
    ["one condition", isStepCount(1)],
    ["one of several", [isStepCount(7), isStepCount(1)]],
  ])("ends after a step by %s, with the results of its tools", async (_name, stopWhen) => {
    const turn = { tools: { read: pathTool(() => "text") }, stopWhen };
    const { client, messages, server } = await play(stage, [{ calls: [call] }], { turn });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests).toHaveLength(1);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("sends instructions with options for the provider", async () => {
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const instructions = [{ role: "system" as const, content: "Be brief", providerOptions }];
    const { client, server } = await play(stage, [{ text: "Yes" }], { turn: { instructions } });
    await client.prompt("Go");
    const sent = JSON.stringify(server.requests[0]);
    expect(sent).toContain("Be brief");
    if (stage.format.path === "/messages") expect(sent).toContain('"cache_control":{"type":"ephemeral"}');
  });
});

describe.each(formats.flatMap((format) => versions.map((version) => ({ format, version, name: format.name }))))(
  "a ToolLoopAgent, $name, version $version",
  ({ format, version }) => {
    test("is served with its tools, and remembers the session", async () => {
      const server = await serveModel(format, [{ calls: [call] }, { text: "It says text." }, { text: "Yes." }]);
      const tools: ToolSet = { read: pathTool((path) => `text of ${path}`) };
      const agent = new ToolLoopAgent({ id: "reader", model: server.model, instructions: "You read.", tools });
      const [ours, theirs] = createMemoryTransportPair();
      serveAgent(agent, { show: { read: { title: "Read a file" } } }).connect(theirs);
      const info = { name: "test", version: "1.0.0" };
      const shown: object[] = [];
      const handlers = { "session/update": ({ update }: { update: object }) => void shown.push(update) };
      const connected =
        version === 1
          ? await createClient({ info, handlers }).connect(ours)
          : await createClient2({ info, handlers }).connect(ours);
      onTestFinished(() => connected.close());
      expect(connected.info?.name).toBe("reader");
      const session = await connected.newSession({ cwd: "/project" });
      for (const prompt of ["What is in it?", "Sure?"]) {
        const turn = session.prompt(prompt);
        expect(await ("finished" in turn ? turn.finished : turn.response)).toMatchObject({ stopReason: "end_turn" });
      }
      expect(JSON.stringify(shown)).toMatch(/Read a file.*text of \/a\.txt.*It s/su);
      expect(JSON.stringify(server.requests[2])).toMatch(/You read.*What is in it.*text of.*It says text.*Sure/su);
    });
  },
);
