import { type AgentDefinition, createAgent, createClient, type Diagnostic, type Transport, type Turn } from "@acp/core";

import { type StoryOutcome, updates } from "./story.ts";

/** The agent of the story, written with the toolkit. */
export function createStoryAgent(onDiagnostic?: (diagnostic: Diagnostic) => void): AgentDefinition {
  return createAgent({
    info: { name: "story-agent", version: "1" },
    ...(onDiagnostic !== undefined && { onDiagnostic }),
    handlers: {
      "session/load": async (_params, { session }) => {
        for (let n = 0; n < updates; n++)
          await session.update({
            sessionUpdate: "agent_message_chunk",
            content: { type: "text", text: `history ${n}` },
          });
        return {};
      },
      "session/prompt": async ({ prompt }, { client, signal, turn }) => {
        const [block] = prompt;
        const word = block?.type === "text" ? block.text : "";
        const count = async (what: string): Promise<void> => {
          for (let n = 0; n < updates; n++) await turn.message(`${what} ${n}`);
        };
        if (word === "wait") {
          await turn.message("waiting");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        }
        if (word === "shout") shout(turn);
        else if (word !== "story") await count(word);
        else {
          await count("before");
          const call = await turn.toolCall({ title: "Read", kind: "read" });
          const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" as const }];
          const { outcome } = await client.request("session/request_permission", {
            toolCall: { toolCallId: call.id },
            options,
          });
          await turn.message(outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
          const path = "/project/notes.txt";
          await turn.message((await client.request("fs/read_text_file", { path })).content);
          await count("after");
        }
        return { stopReason: "end_turn" };
      },
      "session/close": () => ({}),
    },
  });
}

/** Says 20 MB at once, without waiting for anybody to read it. */
function shout(turn: { message(text: string): Promise<unknown> }): void {
  for (let n = 0; n < 200; n++) turn.message("x".repeat(100_000)).catch(() => {});
}

/** Lives the story as a client of the toolkit. */
export async function liveStory(transport: Transport): Promise<StoryOutcome> {
  const diagnostics: Diagnostic[] = [];
  const history: string[] = [];
  const client = createClient({
    info: { name: "story-client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }),
      "fs/read_text_file": ({ path }) => ({ content: `the text of ${path}` }),
      "session/update": ({ sessionId, update }) => {
        if (sessionId === "loaded" && update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          history.push(update.content.text);
      },
    },
  });
  const agent = await client.connect(transport);
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("story");
  const texts = await textsOf(turn);
  const waiting = session.prompt("wait");
  for await (const update of waiting.updates) if (update.sessionUpdate === "agent_message_chunk") waiting.cancel();
  const stopReasons = [(await turn.response).stopReason, (await waiting.response).stopReason];
  const loaded = await agent.loadSession({ sessionId: "loaded", cwd: "/project" });
  const told = [...history];
  const [left, right] = await Promise.all([textsOf(session.prompt("left")), textsOf(loaded.prompt("right"))]);
  await loaded.close();
  await agent.close();
  if (diagnostics.length > 0) throw new Error(`Diagnostics: ${JSON.stringify(diagnostics)}`);
  return { texts, stopReasons, history: told, alongside: [left, right] };
}

async function textsOf(turn: Turn): Promise<string[]> {
  const texts: string[] = [];
  for await (const update of turn.updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  await turn.response;
  return texts;
}
