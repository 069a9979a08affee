import * as acp from "@agentclientprotocol/sdk";
import { expect } from "vitest";

import { type StoryOutcome, updates } from "../../support/http/story.ts";

/** The agent of the story, written with the official SDK. */
export function createOfficialStoryAgent(): acp.AgentApp {
  const turns = new Map<string, AbortController>();
  let sessions = 0;
  return acp
    .agent({ name: "story-agent" })
    .onRequest("initialize", () => ({
      protocolVersion: acp.PROTOCOL_VERSION,
      agentCapabilities: { loadSession: true, sessionCapabilities: { close: {} } },
      agentInfo: { name: "story-agent", version: "1" },
    }))
    .onRequest("session/new", () => ({ sessionId: `session-${++sessions}` }))
    .onRequest("session/load", async ({ params, client }) => {
      for (let n = 0; n < updates; n++) await say(client, params.sessionId, `history ${n}`);
      return {};
    })
    .onRequest("session/close", () => ({}))
    .onNotification("session/cancel", ({ params }) => turns.get(params.sessionId)?.abort())
    .onRequest("session/prompt", async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const word = prompt[0]?.type === "text" ? prompt[0].text : "";
      const count = async (what: string): Promise<void> => {
        for (let n = 0; n < updates; n++) await say(client, sessionId, `${what} ${n}`);
      };
      if (word === "wait") {
        const turn = new AbortController();
        turns.set(sessionId, turn);
        const cancelled = new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        await say(client, sessionId, "waiting");
        await cancelled;
        return { stopReason: "cancelled" };
      }
      if (word !== "story") await count(word);
      else {
        await count("before");
        const { outcome } = await client.request("session/request_permission", {
          sessionId,
          toolCall: { toolCallId: "call", title: "Read" },
          options: [{ optionId: "allow", name: "Allow", kind: "allow_once" }],
        });
        await say(client, sessionId, outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
        const { content } = await client.request("fs/read_text_file", { sessionId, path: "/project/notes.txt" });
        await say(client, sessionId, content);
        await count("after");
      }
      return { stopReason: "end_turn" };
    });
}

async function say(client: acp.AgentContext, sessionId: string, text: string): Promise<void> {
  const update: acp.SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  await client.notify("session/update", { sessionId, update });
}

/** Lives the story as a client of the official SDK. */
export async function liveOfficialStory(stream: acp.Stream): Promise<StoryOutcome> {
  const texts = new Map<string, string[]>();
  const of = (sessionId: string): string[] => {
    const there = texts.get(sessionId) ?? [];
    texts.set(sessionId, there);
    return there;
  };
  let heardWaiting = (): void => {};
  const app = acp
    .client({ name: "story-client" })
    .onRequest("session/request_permission", ({ params }) => ({
      outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
    }))
    .onRequest("fs/read_text_file", ({ params }) => ({ content: `the text of ${params.path}` }))
    .onNotification("session/update", ({ params: { sessionId, update } }) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      if (update.content.text === "waiting") heardWaiting();
      else of(sessionId).push(update.content.text);
    });
  const connection = app.connect(stream);
  const { agent } = connection;
  await agent.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: false } },
    clientInfo: { name: "story-client", version: "1" },
  });
  const { sessionId } = await agent.request("session/new", { cwd: "/project", mcpServers: [] });
  const prompt = (id: string, text: string): Promise<acp.PromptResponse> =>
    agent.request("session/prompt", { sessionId: id, prompt: [{ type: "text", text }] });
  // This client hears of an answer before it has handled the updates in front of it.
  const take = async (id: string, last: string): Promise<string[]> => {
    await expect.poll(() => of(id).at(-1)).toBe(last);
    return of(id).splice(0);
  };
  const last = updates - 1;
  const told = await prompt(sessionId, "story");
  const story = await take(sessionId, `after ${last}`);
  const waiting = new Promise<void>((resolve) => (heardWaiting = resolve));
  const waited = prompt(sessionId, "wait");
  await waiting;
  await agent.notify("session/cancel", { sessionId });
  const stopReasons = [told.stopReason, (await waited).stopReason];
  await agent.request("session/load", { sessionId: "loaded", cwd: "/project", mcpServers: [] });
  const history = await take("loaded", `history ${last}`);
  await Promise.all([prompt(sessionId, "left"), prompt("loaded", "right")]);
  const alongside = [await take(sessionId, `left ${last}`), await take("loaded", `right ${last}`)];
  await agent.request("session/close", { sessionId: "loaded" });
  connection.close();
  await connection.closed;
  return { texts: story, stopReasons, history, alongside };
}
