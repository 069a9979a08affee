import { setTimeout as delay } from "node:timers/promises";

import { type AgentDefinition, type AgentSession, createAgent, RequestError } from "@acp/core";
import { createSettings } from "@acp/core/agent";

import type { AgentPrompts } from "../../src/index.ts";

/** What makes the honest agent do what checks are about. */
export const honestPrompts: AgentPrompts = {
  short: "Say hello.",
  long: "Count.",
  permission: "Delete {number}.",
  read: "Read notes.txt.",
};

type SessionUpdate = Parameters<AgentSession["update"]>[0];

/** How often it counts; long enough that a busy machine cancels it before. */
const counts = 400;

interface Conversation {
  readonly id: string;
  readonly cwd: string;
  readonly updates: SessionUpdate[];
}

/** An agent that keeps all rules, in version 1. What it does is told by the first word of a prompt. */
export function honestAgent(): AgentDefinition {
  const conversations = new Map<string, Conversation>();
  let loggedIn = false;
  const settings = createSettings({
    modes: {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    },
  });
  return createAgent({
    info: { name: "honest", version: "1.0.0" },
    authMethods: [{ id: "guest", name: "As a guest" }],
    capabilities: { promptCapabilities: { image: true, embeddedContext: true } },
    session: ({ method, sessionId, cwd }): Conversation => {
      const known = conversations.get(sessionId);
      if (method !== "session/new" && known === undefined) throw RequestError.resourceNotFound("No such session");
      const conversation = known ?? { id: sessionId, cwd, updates: [] };
      conversations.set(sessionId, conversation);
      return conversation;
    },
    onUpdate: (update, { state }) => void state.updates.push(update),
    handlers: {
      ...settings.handlers,
      authenticate: () => {
        loggedIn = true;
      },
      logout: () => {
        loggedIn = !loggedIn;
      },
      "session/new": (_, { session }) => ({ sessionId: session.id, ...settings.open(session) }),
      "session/load": async (_, { session }) => {
        const updates = [...session.state.updates];
        for (const update of updates) await session.update(update);
        session.state.updates.splice(updates.length);
        return settings.open(session);
      },
      "session/resume": (_, { session }) => settings.open(session),
      "session/list": ({ cwd, cursor }) => {
        if ((cursor ?? null) !== null) throw RequestError.invalidParams("No such cursor");
        const all = [...conversations.values()].filter(({ updates }) => updates.length > 0);
        const sessions = all.filter((one) => (cwd ?? null) === null || one.cwd === cwd);
        return { sessions: sessions.map((one) => ({ sessionId: one.id, cwd: one.cwd })) };
      },
      "session/close": () => ({}),
      "session/delete": ({ sessionId }) => void conversations.delete(sessionId),
      "session/prompt": async ({ prompt }, { turn, session, client, signal }) => {
        for (const content of prompt) session.state.updates.push({ sessionUpdate: "user_message_chunk", content });
        const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
        if (text.startsWith("Count")) {
          for (let count = 0; count < counts; count++) {
            await turn.message(`${count} `);
            await delay(5, undefined, { signal });
          }
        } else if (text.startsWith("Delete")) {
          const toolCall = {
            toolCallId: `call-${session.state.updates.length}`,
            title: "Delete",
            kind: "delete",
          } as const;
          await turn.update({
            sessionUpdate: "tool_call",
            ...toolCall,
            locations: [{ path: "/project/a.txt", line: 1 }],
          });
          const options = [
            { optionId: "yes", name: "Delete it", kind: "allow_once" },
            { optionId: "no", name: "Keep it", kind: "reject_once" },
          ] as const;
          const question = { toolCall, options: [...options] };
          const answer = await client.request("session/request_permission", question, { signal });
          signal.throwIfAborted();
          const { outcome } = answer;
          const isAllowed = outcome.outcome === "selected" && outcome.optionId === "yes";
          await turn.update({
            sessionUpdate: "tool_call_update",
            toolCallId: toolCall.toolCallId,
            status: isAllowed ? "completed" : "failed",
          });
        } else if (text.startsWith("Read") && client.capabilities.fs?.readTextFile === true) {
          const { content } = await client.request("fs/read_text_file", { path: "/project/notes.txt" }, { signal });
          await turn.message(`It has ${content.length} characters.`);
        } else await turn.message("Hello!");
        return { stopReason: "end_turn" };
      },
    },
  });
}
