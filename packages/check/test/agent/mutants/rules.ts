import { at, type Message, textAt } from "@acp/testing";

import type { Bend } from "../bent-agent.ts";
import {
  accepts,
  isBusy,
  isMethod,
  isPrompt,
  keepsCancels,
  misses,
  onAnswer,
  onUpdate,
  overlooks,
  promptsOf,
  refuses,
  textOf,
  withCode,
  withResult,
} from "./bends.ts";

const isVersion =
  (version: unknown) =>
  (message: Message): boolean =>
    message.method === "initialize" && at(message, "params", "protocolVersion") === version;

const option =
  (change: object) =>
  (result: object): object => ({
    ...result,
    configOptions: [{ ...(at(result, "configOptions", 0) as object), ...change }],
  });

const permission = (change: (params: object) => object): Bend => ({
  outgoing: (message) =>
    message.method === "session/request_permission"
      ? { ...message, params: change(message.params as object) }
      : message,
});

/** Sends updates of a loaded session that fit behind the answer. */
const holdsHistory = (fits: (update: unknown) => boolean): Bend => {
  const held: Message[] = [];
  return {
    outgoing: (message, wire) => {
      if (!wire.asked.some(isMethodLoad)) return message;
      if (message.method === "session/update" && fits(at(message, "params", "update"))) {
        held.push(message);
        return undefined;
      }
      wire.tell(message);
      if (message.method === undefined) for (const late of held.splice(0)) wire.tell(late);
      return undefined;
    },
  };
};

const cancelledAs = (answer: object): Bend =>
  onAnswer("session/prompt", (message) =>
    at(message, "result", "stopReason") === "cancelled" ? { jsonrpc: "2.0", id: message.id, ...answer } : message,
  );

const chunk = (message: Message, text: string): object => ({
  method: "session/update",
  params: {
    sessionId: textAt(message, "params", "sessionId"),
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  },
});

/** What is wrong with agents that break a rule, by the check that finds it. */
export const ruleMutants: Readonly<Record<string, readonly (() => Bend)[]>> = {
  "answers-initialize": [
    () => withResult("initialize", (result) => ({ ...result, protocolVersion: "1" })),
    () => misses(isMethod("initialize")),
  ],
  "negotiates-an-unknown-version": [
    () => refuses(isVersion(65_535)),
    () => withResult("initialize", (result) => ({ ...result, protocolVersion: 65_535 })),
  ],
  "negotiates-version-zero": [() => refuses(isVersion(0))],
  "keeps-the-version-it-speaks": [
    () =>
      withResult("initialize", (result, request) =>
        isVersion(65_535)(request) ? { ...result, protocolVersion: 2 } : result,
      ),
  ],
  "names-itself": [() => withResult("initialize", (result) => ({ ...result, agentInfo: { name: "", version: "1" } }))],
  "initializes-without-capabilities": [
    () => refuses((message) => isVersion(1)(message) && at(message, "params", "clientCapabilities") === undefined),
  ],
  "ignores-unknown-capabilities": [
    () => refuses((message) => at(message, "params", "clientCapabilities", "hologram") !== undefined),
  ],
  "offers-logins-with-id-and-name": [
    () => withResult("initialize", (result) => ({ ...result, authMethods: [{ id: "guest" }] })),
    () =>
      withResult("initialize", (result) => ({ ...result, authMethods: [{ id: "a", name: "A", type: "terminal" }] })),
  ],
  "refuses-an-unknown-login": [() => accepts("authenticate")],
  "login-opens-sessions": [() => refuses(isMethod("session/new"), -32_000), () => refuses(isMethod("authenticate"))],
  "answers-have-a-result-or-an-error": [
    () => onAnswer("session/new", ({ id, result }) => ({ id, result })),
    () => onAnswer("session/new", (answer) => ({ ...answer, result: {}, error: { code: 1, message: "both" } })),
    () => onAnswer("check/unknown", (answer) => ({ ...answer, error: { code: "-32601", message: "no" } })),
  ],
  "unknown-method": [() => withCode("check/unknown", -32_603), () => misses(isMethod("check/unknown"))],
  "unknown-extension-method": [() => accepts("_check.example/unknown")],
  "refuses-invalid-params": [() => accepts("session/prompt", { stopReason: "end_turn" })],
  "invalid-params-have-their-code": [() => withCode("session/new", -32_603)],
  "errors-hide-the-inside": [
    () =>
      onAnswer("session/new", (answer) => ({
        ...answer,
        error: { code: -32_602, message: "no", data: "TypeError: x\n    at handler (/home/me/agent.js:1:2)" },
      })),
  ],
  "broken-json-is-answered": [() => overlooks((line) => line.endsWith(":"))],
  "no-request-is-answered": [() => overlooks((line) => line.startsWith('"'))],
  "batch-is-refused": [() => overlooks((line) => line.startsWith("["))],
  "ids-come-back-unchanged": [
    () => ({
      outgoing: (message) =>
        typeof message.id === "string" && /^\d+$/u.test(message.id) ? { ...message, id: Number(message.id) } : message,
    }),
    () => ({ outgoing: (message) => (message.id === 0 ? { ...message, id: null } : message) }),
  ],
  "notifications-are-not-answered": [
    () => ({
      incoming: (message, wire) => {
        if (message.method?.startsWith("_") === true && message.id === undefined)
          wire.tell({ id: null, error: { code: -32_601, message: "no" } });
        return message;
      },
    }),
  ],
  "answers-while-a-turn-runs": [
    () => misses((message, wire) => isBusy(wire, message) && message.method === "check/unknown"),
  ],
  "same-id-in-both-directions": [
    () =>
      misses(
        ({ method, id }, wire) =>
          method !== undefined &&
          wire.told.some((told) => told.method !== undefined && told.id === id && id !== undefined),
      ),
  ],
  "own-ids-are-plain": [
    () => ({
      outgoing: (message) =>
        message.method !== undefined && typeof message.id === "number" ? { ...message, id: message.id + 0.5 } : message,
      incoming: (message) =>
        message.method === undefined && typeof message.id === "number" ? { ...message, id: message.id - 0.5 } : message,
    }),
  ],
  "meta-is-accepted": [
    () => refuses((message) => message.method === "session/new" && at(message, "params", "_meta") !== undefined),
  ],
  "no-names-of-its-own": [
    () => onUpdate((update) => ({ ...update, mood: "good" })),
    () =>
      withResult("initialize", (result) => ({
        ...result,
        agentCapabilities: { sessionCapabilities: { holograms: {} } },
      })),
  ],
  "messages-are-valid": [
    () => onUpdate((update) => ({ ...update, content: { text: "no type" } })),
    () => onUpdate((update) => ({ ...update, ...("status" in update ? { status: "done" } : {}) })),
    () => withResult("session/prompt", (result) => ({ ...result, stopReason: "done" })),
    () => withResult("session/new", (result) => ({ ...result, modes: { currentModeId: "ask" } })),
    () => permission(({ ...params }) => ({ ...params, options: "yes" })),
  ],
  "stdout-has-only-messages": [
    () => onAnswer("initialize", (answer, wire) => (wire.tell("Starting the agent …"), answer)),
    () => onAnswer("session/prompt", (answer, wire) => (wire.tell("[1, 2]"), answer)),
  ],

  "opens-sessions": [
    () => withResult("session/new", (result) => ({ ...result, sessionId: "same" })),
    () => refuses(({ method }, { asked }) => method === "session/new" && asked.filter(isMethodNew).length > 1),
  ],
  "refuses-an-unknown-session": [() => accepts("session/prompt", { stopReason: "refusal" })],
  "relative-directory-is-refused": [() => accepts("session/new", { sessionId: "relative" })],
  "lists-sessions": [
    () => withResult("session/list", () => ({ sessions: [{ sessionId: "a", cwd: "project" }] })),
    () => withResult("session/list", () => ({})),
  ],
  "lists-sessions-of-a-directory": [
    () => ({
      incoming: (message) => (message.method === "session/list" ? { ...message, params: {} } : message),
    }),
    () => refuses((message) => message.method === "session/list" && at(message, "params", "cwd") !== undefined),
  ],
  "unknown-cursor-is-refused": [() => accepts("session/list", { sessions: [] })],
  "load-replays-the-conversation": [
    () => ({
      outgoing: (message, { asked }) =>
        message.method === "session/update" && asked.some(isMethodLoad) ? undefined : message,
    }),
    () =>
      onUpdate((update) =>
        "sessionUpdate" in update && update.sessionUpdate === "user_message_chunk" ? undefined : update,
      ),
    () => holdsHistory((update) => update !== undefined),
  ],
  "no-history-after-load": [
    () => holdsHistory((update) => update !== undefined),
    () => holdsHistory((update) => at(update, "sessionUpdate") === "user_message_chunk"),
  ],
  "load-refuses-an-unknown-session": [() => accepts("session/load")],
  "resume-replays-nothing": [
    () => onAnswer("session/resume", (answer, wire, request) => (wire.tell(chunk(request, "Hello!")), answer)),
  ],
  "closes-sessions": [() => withResult("session/close", () => null), () => refuses(isMethod("session/close"))],
  "close-cancels-the-turn": [
    () => cancelledAs({ result: { stopReason: "end_turn" } }),
    () => onAnswer("session/prompt", () => undefined),
  ],
  "deleted-sessions-are-not-listed": [
    () => ({
      incoming: (message, wire) => {
        if (message.method !== "session/delete") return message;
        wire.tell({ id: message.id, result: {} });
        return undefined;
      },
    }),
  ],
  "deleting-nothing-succeeds": [() => refuses(isMethod("session/delete"))],
  "sessions-side-by-side": [
    () => {
      let first: string | undefined;
      return {
        outgoing: (message) => {
          if (message.method !== "session/update") return message;
          first ??= textAt(message, "params", "sessionId");
          return { ...message, params: { ...(message.params as object), sessionId: first } };
        },
      };
    },
  ],

  "current-mode-is-offered": [
    () =>
      withResult("session/new", (result) => ({
        ...result,
        modes: { ...(at(result, "modes") as object), currentModeId: "x" },
      })),
  ],
  "sets-modes": [() => refuses(isMethod("session/set_mode"))],
  "refuses-an-unknown-mode": [() => accepts("session/set_mode")],
  "current-value-is-offered": [() => withResult("session/new", option({ currentValue: "x" }))],
  "sets-options": [
    () => withResult("session/set_config_option", option({ currentValue: "ask" })),
    () => withResult("session/set_config_option", () => ({ configOptions: [] })),
  ],
  "refuses-an-unknown-option": [() => accepts("session/set_config_option", { configOptions: [] })],
  "no-boolean-options-unasked": [() => withResult("session/new", option({ type: "boolean", currentValue: true }))],

  "turn-ends-with-a-reason": [() => withResult("session/prompt", (result) => ({ ...result, stopReason: "done" }))],
  "turn-is-answered-once": [() => onAnswer("session/prompt", (answer, wire) => (wire.tell(answer), answer))],
  "text-comes-before-the-answer": [
    () => {
      const held: Message[] = [];
      return {
        outgoing: (message, wire) => {
          if (message.method === "session/update") {
            held.push(message);
            return undefined;
          }
          wire.tell(message);
          for (const late of held.splice(0)) wire.tell(late);
          return undefined;
        },
      };
    },
  ],
  "takes-links": [
    () =>
      refuses(
        isPrompt((prompt) => textAt(prompt, 1, "type") === "resource_link"),
        -32_602,
      ),
  ],
  "takes-what-it-advertises": [
    () =>
      refuses(
        isPrompt((prompt) => textAt(prompt, 1, "type") === "image"),
        -32_602,
      ),
  ],
  "session-goes-on": [
    () => misses(isPrompt((_, __, wire) => promptsOf(wire).length > 1)),
    () => refuses(isPrompt((_, __, wire) => promptsOf(wire).length > 2)),
  ],
  "cancelled-turn-ends-as-cancelled": [
    () => cancelledAs({ error: { code: -32_603, message: "AbortError" } }),
    () => cancelledAs({ result: { stopReason: "end_turn" } }),
    () => misses(isMethod("session/cancel")),
  ],
  "nothing-after-a-cancelled-turn": [
    () =>
      onAnswer("session/prompt", (answer, wire, request) => {
        wire.tell(answer);
        wire.tell(chunk(request, "one more"));
        return undefined;
      }),
  ],
  "cancel-without-a-turn-does-nothing": [() => keepsCancels()],
  "cancel-with-an-open-question": [
    () => cancelledAs({ error: { code: -32_603, message: "rejected" } }),
    () => cancelledAs({ result: { stopReason: "refusal" } }),
  ],
  "cancelled-request-is-answered-once": [
    () => ({
      incoming: (message, wire) => {
        if (message.method !== "$/cancel_request") return message;
        const answer = { id: at(message, "params", "requestId"), error: { code: -32_800, message: "cancelled" } };
        wire.tell(answer);
        wire.tell(answer);
        return undefined;
      },
    }),
    () => ({
      incoming: (message, wire) => {
        if (message.method === "$/cancel_request")
          wire.tell({ id: at(message, "params", "requestId"), error: { code: -32_603, message: "broken" } });
        return message.method === "$/cancel_request" ? undefined : message;
      },
      outgoing: (message, { asked }) =>
        asked.some(isMethodCancelRequest) && at(message, "result", "stopReason") !== undefined ? undefined : message,
    }),
  ],
  "question-offers-options": [
    () => permission((params) => ({ ...params, options: [] })),
    () => permission((params) => ({ ...params, options: [{ optionId: "yes", name: "Yes", kind: "perhaps" }] })),
    () =>
      permission((params) => ({
        ...params,
        options: ["allow_once", "reject_once"].map((kind) => ({ optionId: "same", name: kind, kind })),
      })),
  ],
  "allowed-tool-runs": [
    () => onUpdate((update) => ("status" in update && update.status === "completed" ? undefined : update)),
  ],
  "tool-calls-have-ids-and-titles": [
    () =>
      onUpdate((update) => ("sessionUpdate" in update && update.sessionUpdate === "tool_call" ? undefined : update)),
    () =>
      onUpdate((update) =>
        "sessionUpdate" in update && update.sessionUpdate === "tool_call" ? { ...update, title: 5 } : update,
      ),
  ],
  "uses-only-what-is-advertised": [
    () => ({
      incoming: (message, wire) => {
        if (isPrompt((prompt) => textOf(prompt).startsWith("Read"))(message, wire))
          wire.tell({ id: "file", method: "fs/read_text_file", params: { sessionId: "s", path: "/a" } });
        return message;
      },
    }),
  ],
  "paths-are-absolute": [
    () => onUpdate((update) => ("locations" in update ? { ...update, locations: [{ path: "a.txt" }] } : update)),
    () =>
      onUpdate((update) => ("locations" in update ? { ...update, locations: [{ path: "/a.txt", line: 0 }] } : update)),
    () =>
      onUpdate((update) =>
        "kind" in update ? { ...update, content: [{ type: "diff", path: "b.txt", newText: "" }] } : update,
      ),
  ],
  "turn-says-something": [() => onUpdate(() => undefined)],
  "updates-name-their-session": [
    () => ({
      outgoing: (message) =>
        message.method === "session/update"
          ? { ...message, params: { update: at(message, "params", "update") } }
          : message,
    }),
    () => onUpdate(({ ...update }) => ({ ...update, content: "text" })),
  ],
};

const isMethodNew = ({ method }: Message): boolean => method === "session/new";
const isMethodLoad = ({ method }: Message): boolean => method === "session/load";
const isMethodCancelRequest = ({ method }: Message): boolean => method === "$/cancel_request";
