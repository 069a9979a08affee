import { at, textAt } from "@acp/testing";

import type { Bend } from "../bent-agent.ts";
import {
  accepts,
  diesOf,
  isBusy,
  isMethod,
  isPermission,
  isPrompt,
  keepsCancels,
  misses,
  obeysAnything,
  onAnswer,
  overlooks,
  promptsOf,
  questionOf,
  refuses,
  takes,
  textOf,
  withResult,
} from "./bends.ts";

const newline = 10;
const encoder = new TextEncoder();

/** Decodes each piece by itself. */
const decodesPieces: Bend = { bytes: (chunk) => encoder.encode(new TextDecoder().decode(chunk)) };

/** Dies of a text in a line. */
const diesOfText = (text: string): Bend => diesOf((line) => line.includes(text));

/** What is wrong with agents that cope badly with real clients, by the check that finds it. */
export const hostileMutants: Readonly<Record<string, readonly (() => Bend)[]>> = {
  "message-in-single-bytes": [
    () => ({ bytes: (chunk) => (chunk.length === 1 && chunk[0] !== newline ? undefined : chunk) }),
  ],
  "characters-cut-in-two": [() => decodesPieces],
  "many-messages-in-one-write": [() => ({ bytes: (chunk) => chunk.slice(0, chunk.indexOf(newline) + 1) })],
  "message-and-a-half": [() => ({ bytes: (chunk) => chunk.slice(0, chunk.lastIndexOf(newline) + 1) })],
  "huge-message": [() => diesOf((line) => line.length > 65_536)],
  "large-message-in-tiny-pieces": [
    () => {
      let pieces = 0;
      return {
        bytes: (chunk, wire) => {
          pieces = chunk.includes(newline) ? 0 : pieces + 1;
          if (pieces > 1000) wire.die();
          return chunk;
        },
      };
    },
  ],
  "windows-line-ends": [() => overlooks((line) => line.endsWith("\r"))],
  "blank-lines": [() => diesOf((line) => line.trim() === "")],
  "white-space-around-a-message": [() => overlooks((line) => line.startsWith(" "))],
  "noise-between-messages": [
    () => diesOf((line) => line === "null"),
    () => diesOf((line) => line.startsWith("Welcome")),
  ],
  "broken-utf-8": [() => diesOfText("\uFFFD")],
  "byte-order-mark": [() => diesOfText("\uFEFF")],
  "client-stops-reading": [
    () => ({ outgoing: (message, { told }) => (told.length > 620 && told.length < 680 ? undefined : message) }),
  ],

  batch: [() => diesOf((line) => line.startsWith("["))],
  "duplicate-ids": [() => misses(({ id, method }) => id === "twice" && method === "check/unknown")],
  "null-id": [() => diesOfText('"id":null')],
  "odd-ids": [() => diesOfText('"id":{}')],
  "unknown-notifications": [
    () => diesOf((_, { asked }) => asked.length > 300),
    () => ({
      incoming: (message, wire) => {
        if (message.method === "$/progress") wire.tell({ id: null, error: { code: -32_601, message: "no" } });
        return message;
      },
    }),
  ],
  "unknown-members": [() => refuses((message) => at(message, "params", "mood") !== undefined, -32_602)],
  "params-of-another-kind": [
    () => misses((message) => message.method === "session/prompt" && typeof message.params !== "object"),
    () => accepts("session/prompt", { stopReason: "end_turn" }),
  ],
  "method-names-of-the-language": [
    () => takes(({ method }) => method !== undefined && method in {}, {}),
    () => diesOfText('"method":"__proto__"'),
  ],
  "members-of-the-language": [
    () =>
      takes((message) => JSON.stringify(message) === "{}" || JSON.stringify(message.params) === "{}", {
        sessionId: "polluted",
      }),
    () => withResult("session/new", (result) => ({ ...result, sessionId: "polluted" })),
  ],
  "deep-json": [() => diesOfText("[".repeat(1000)), () => diesOfText('{"a":'.repeat(1000))],
  "answers-to-nothing": [() => diesOfText("Nobody asked")],
  "other-json-rpc": [() => diesOfText('"jsonrpc":"1.0"'), () => diesOfText('"method":5')],
  "session-before-initialize": [
    () =>
      misses(({ method }, { asked }) => method === "session/new" && !asked.some((one) => one.method === "initialize")),
  ],
  "initialize-twice": [
    () =>
      misses(
        (message, { asked }) =>
          message.method === "initialize" && asked.filter((one) => one.method === "initialize").length > 1,
      ),
    () => {
      let initialized = 0;
      return {
        incoming: (message, wire) => {
          if (message.method === "initialize") initialized++;
          if (message.method !== "session/prompt" || initialized < 2) return message;
          wire.tell({ id: message.id, error: { code: -32_002, message: "No such session" } });
          return undefined;
        },
      };
    },
  ],
  "cancel-request-of-nothing": [() => diesOfText('"requestId":null')],

  "cancel-together-with-the-prompt": [
    () => keepsCancels(1),
    () => misses(isPrompt((_, __, wire) => promptsOf(wire).length > 1)),
  ],
  "cancel-twice": [
    () => keepsCancels(2),
    () => onAnswer("session/prompt", (answer, wire) => (wire.tell(answer), answer)),
  ],
  "cancel-after-the-end": [() => keepsCancels(3)],
  "cancel-of-another-session": [
    () => ({
      incoming: (message, wire) =>
        message.method === "session/cancel"
          ? { ...message, params: { sessionId: textAt(promptsOf(wire)[0], "params", "sessionId") } }
          : message,
    }),
  ],
  "second-prompt-while-one-runs": [
    () => misses(isPrompt((_, message, wire) => isBusy(wire, message))),
    () => {
      let isTwo = false;
      return {
        incoming: (message, wire) => {
          isTwo ||= message.method === "session/prompt" && isBusy(wire, message);
          return message;
        },
        outgoing: (message) => (isTwo && at(message, "result", "stopReason") !== undefined ? undefined : message),
      };
    },
  ],
  "close-in-mid-turn": [
    () => refuses(isPrompt((_, __, { asked }) => asked.some(({ method }) => method === "session/close"))),
    () => onAnswer("session/prompt", () => undefined),
  ],
  "prompt-for-a-closed-session": [() => accepts("session/prompt", { stopReason: "end_turn" })],
  "many-prompts-in-a-row": [() => misses(isPrompt((_, __, wire) => promptsOf(wire).length > 5))],
  "prompts-in-two-sessions": [() => misses(isPrompt((_, message, wire) => isBusy(wire, message)))],

  "permission-rejected": [() => obeysAnything],
  "permission-with-an-unknown-option": [() => obeysAnything],
  "permission-with-an-error": [() => obeysAnything, () => misses((message) => message.error !== undefined)],
  "permission-without-an-outcome": [() => obeysAnything, () => misses(isPermission)],
  "permission-answered-late": [() => misses((message, wire) => isPermission(message, wire) && wire.asked.length > 40)],
  "permission-answered-twice": [
    () => {
      let answers = 0;
      return misses((message, wire) => isPermission(message, wire) && ++answers === 1);
    },
  ],
  "permission-never-answered": [() => misses(isMethod("session/cancel"))],
  "permission-answered-after-cancel": [
    () => ({
      incoming: (message, wire) => {
        const question = isPermission(message, wire) ? questionOf(message, wire) : undefined;
        if (question !== undefined)
          wire.tell({
            method: "session/update",
            params: {
              sessionId: textAt(question, "params", "sessionId"),
              update: {
                sessionUpdate: "tool_call_update",
                toolCallId: textAt(question, "params", "toolCall", "toolCallId"),
                status: "completed",
              },
            },
          });
        return message;
      },
    }),
  ],
  "file-with-an-error": [() => diesOf((line) => line.includes('"error"'))],
  "file-of-4-mib": [() => diesOf((line) => line.length > 1_000_000)],
  "file-without-content": [() => diesOf((line) => line.endsWith('"result":{}}'))],
  "file-never-answered": [() => misses(isMethod("session/cancel"))],

  "empty-prompt": [() => misses(isPrompt((prompt) => Array.isArray(prompt) && prompt.length === 0))],
  "empty-text": [
    () =>
      refuses(
        isPrompt((_, __, wire) => promptsOf(wire).some((prompt) => textOf(at(prompt, "params", "prompt")) === "")),
        -32_603,
      ),
  ],
  "prompt-of-1-mib": [() => diesOf((line) => line.length > 1_000_000)],
  "odd-characters": [() => diesOfText("\\u0000"), () => diesOfText("\u2028"), () => diesOfText("\\ud800")],
  "unknown-content": [() => misses(isPrompt((prompt) => textAt(prompt, 0, "type") === "hologram"))],
  "content-of-another-kind": [() => misses(isPrompt((prompt) => prompt === null)), () => diesOfText('"prompt":[null]')],
  "many-blocks": [() => misses(isPrompt((prompt) => Array.isArray(prompt) && prompt.length > 500))],
  "unknown-slash-command": [() => misses(isPrompt((prompt) => textOf(prompt).startsWith("/")))],

  "fifty-sessions": [
    () => refuses(({ method }, { asked }) => method === "session/new" && asked.length > 30),
    () =>
      refuses(
        isPrompt((_, __, { asked }) => asked.length > 40),
        -32_002,
      ),
  ],
  "sessions-at-once": [() => withResult("session/new", (result) => ({ ...result, sessionId: "same" }))],
  "load-twice": [
    () =>
      misses(
        ({ method }, { asked }) =>
          method === "session/load" && asked.filter((one) => one.method === "session/load").length > 1,
      ),
  ],
  "load-of-odd-ids": [() => accepts("session/load"), () => diesOfText('"sessionId":".."')],
  "directory-that-is-not-there": [() => diesOfText("no-such-folder")],
  "odd-directories": [
    () => misses((message) => message.method === "session/new" && at(message, "params", "cwd") === null),
  ],
  "mcp-server-that-does-not-start": [
    () => misses((message) => textAt(message, "params", "mcpServers", 0, "name") === "missing"),
    () => diesOfText("no-such-program"),
  ],
  "odd-mcp-servers": [() => diesOfText('"mcpServers":null')],
};
