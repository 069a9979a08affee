import { embeddedFile, image } from "@acp/core/agent";
import { describe, expect, test } from "vitest";

import { blobResource, contentBlocks } from "../support/samples.ts";
import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const blocks = [...Object.values(contentBlocks), blobResource];
const everyKind = { promptCapabilities: { image: true, audio: true, embeddedContext: true } };
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

/** What a tool of an MCP server may answer, members that ACP does not name included. */
const mcpOutput = [
  { type: "text", text: "found", annotations: { audience: ["user"], priority: 1 } },
  { type: "image", data: "AAEC", mimeType: "image/png", _meta: { "example.com/size": [1, 2] } },
  { type: "audio", data: "AAEC", mimeType: "audio/wav" },
  { type: "resource_link", uri: "file:///a.txt", name: "a.txt", icons: [{ src: "data:," }] },
  { type: "resource", resource: { uri: "mem://1", text: "one", mimeType: "text/plain" } },
  { type: "resource", resource: { uri: "mem://2", blob: "AAEC" } },
] as const;

describe("an agent", () => {
  test("CONT-01: sends and reads every kind of content whole", async () => {
    const seen: unknown[] = [];
    const peer = await rawClient(
      agentThat(
        async ({ prompt }, { turn }) => {
          seen.push(...prompt);
          for (const block of prompt) await turn.message(block as never);
          return done;
        },
        {},
        everyKind,
      ),
    );
    await peer.prompt(await peer.open(), blocks);
    expect(seen).toEqual(blocks);
    expect(peer.updates.map(({ content }) => content)).toEqual(blocks);
  });

  test("CONT-02: passes on the answer of an MCP tool, unchanged", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const call = await turn.toolCall({ title: "Search" });
        await call.complete(mcpOutput as never);
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates[1]?.["content"]).toEqual(mcpOutput.map((content) => ({ type: "content", content })));
    // The icons of the link, which the strict schema does not know.
    expect(peer.problems.splice(0)).toEqual([expect.stringContaining("/icons: is no member")]);
  });

  test("CONT-03: writes bytes as base64", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.message(image(bytes, "image/png"));
        await turn.message(embeddedFile({ uri: "file:///a.bin", data: bytes }));
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const [picture, file] = peer.calls("session/update").map(({ params }) => params.update.content);
    for (const data of [picture.data, file.resource.blob])
      expect(Buffer.from(data, "base64")).toEqual(Buffer.from(bytes));
  });

  test("CONT-04: takes a resource with text or binary contents, and none without", async () => {
    const peer = await rawClient(agentThat(() => done, {}, everyKind));
    const sessionId = await peer.open();
    const resource = (contents: object): object => ({ type: "resource", resource: { uri: "mem://1", ...contents } });
    expect((await peer.prompt(sessionId, [resource({ text: "a" }), resource({ blob: "AAEC" })])).result).toEqual(done);
    expect((await peer.prompt(sessionId, [resource({})])).error?.code).toBe(-32602);
  });
});

describe("a client", () => {
  const opening = { initialize: { protocolVersion: 1, agentCapabilities: everyKind } };

  test("CONT-01: reads every kind of content whole, and sends it so", async () => {
    const { peer, agent } = await rawAgent(clientWith(), opening);
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt(blocks as never);
    const prompt = await peer.next("session/prompt");
    expect(prompt.params.prompt).toEqual(blocks);
    const chunks = blocks.map((content) => ({ sessionUpdate: "agent_message_chunk", content }));
    for (const update of chunks) peer.notify("session/update", { sessionId: session.id, update });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual(chunks);
  });

  test("CONT-03: writes bytes as base64", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/prompt": done });
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt([image(bytes, "image/png"), embeddedFile({ uri: "file:///a.bin", data: bytes })]).response;
    const [picture, file] = peer.calls("session/prompt")[0]?.params.prompt ?? [];
    for (const data of [picture.data, file.resource.blob]) {
      expect(Buffer.from(data, "base64")).toEqual(Buffer.from(bytes));
    }
  });

  test("CONT-02, CONT-03: sends content from MCP, base64 included, unchanged", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/prompt": done });
    await (await agent.newSession({ cwd: "/project" })).prompt(mcpOutput as never).response;
    expect(peer.calls("session/prompt")[0]?.params.prompt).toEqual(mcpOutput);
    expect(peer.problems.splice(0)).toEqual([expect.stringContaining("/icons: is no member")]);
  });

  test("CONT-04: takes a resource without contents for nothing that it knows", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const update = {
      sessionUpdate: "agent_message_chunk",
      content: { type: "resource", resource: { uri: "mem://1" } },
    };
    peer.notify("session/update", { sessionId: session.id, update });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toMatchObject([{ received: update }]);
    expect(diagnostics).toMatchObject([{ type: "tolerated" }]);
  });
});
