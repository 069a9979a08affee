/** The toolkit as the agent of a raw client: tells on stderr what becomes of its promises. */
import { type AgentDefinition, contentLength, createAgent, ndjson } from "@acp/core";
import { createAgent as createAgent2 } from "@acp/core/v2";
import { serveStdio } from "#runtime";

import { hasFlag } from "../../runtimes/command-line.ts";
import { maxMessageBytes } from "../faults.ts";
import { type AgentReport, outcomeOf, tell, watchUnhandled } from "../outcome.ts";
import { askSeveral } from "./connected.ts";
import { aborted } from "../../support/aborted.ts";

watchUnhandled((problem) => tell(2, { name: "", problem } satisfies AgentReport));

/** Tells that something has begun, and what it comes to. */
async function track(name: string, promise: Promise<unknown>): Promise<void> {
  tell(2, { name, outcome: { state: "hangs" } } satisfies AgentReport);
  tell(2, { name, outcome: await outcomeOf(promise) } satisfies AgentReport);
}

function textOf([block]: readonly { readonly type: unknown; readonly text?: unknown }[]): unknown {
  return block?.type === "text" ? block.text : undefined;
}

interface Turn {
  readonly signal: AbortSignal;
  message(text: string): Promise<void>;
}

/** What a prompt asks for. */
async function run(
  what: unknown,
  turn: Turn,
  questions: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<{ stopReason: "end_turn" }> {
  if (what === "probe") await track("probe", turn.message("probed"));
  if (what === "work") {
    for (const word of ["one ", "two "]) await track(`message ${word}`, turn.message(word));
    for (const [name, ask] of Object.entries(questions)) await track(name, ask());
    await track("message three", turn.message("three"));
  }
  if (what === "wait") {
    await track("message wait", turn.message("waiting"));
    await track("cancel", aborted(turn.signal));
  }
  return { stopReason: "end_turn" };
}

const info = { name: "attacked", version: "1" };
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" as const }];
const onDiagnostic = (): void => {};

const version1 = (): AgentDefinition =>
  createAgent({
    info,
    onDiagnostic,
    authMethods: [{ id: "login", name: "Log in" }],
    handlers: {
      authenticate: () => {},
      logout: () => {},
      "session/load": () => {},
      "session/close": () => {},
      "session/prompt": ({ prompt }, { turn, client }) =>
        run(textOf(prompt), turn, {
          permission: () => client.request("session/request_permission", { toolCall: { toolCallId: "call" }, options }),
          "read file": () => client.request("fs/read_text_file", { path: "/work" }),
        }),
      _ask: ({ count }: { readonly count: number }, { client }) => track("echoes", askSeveral(count, client)),
    },
  });

const version2 = (): AgentDefinition =>
  createAgent2({
    info,
    onDiagnostic,
    authMethods: [{ type: "agent", methodId: "login", name: "Log in" }],
    handlers: {
      "auth/login": () => {},
      "auth/logout": () => {},
      "session/resume": () => {},
      "session/prompt": ({ prompt }, { turn, client, session }) =>
        run(textOf(prompt), turn, {
          permission: () => turn.requestPermission({ title: "Work", options }),
          form: () =>
            client.request("elicitation/create", {
              sessionId: session.id,
              mode: "form",
              message: "Work",
              requestedSchema: { type: "object", properties: {} },
            }),
        }),
      _ask: ({ count }: { readonly count: number }, { client }) => track("echoes", askSeveral(count, client)),
    },
  });

const framing = hasFlag("content-length") ? contentLength : ndjson;
await serveStdio(hasFlag("version-2") ? version2() : version1(), { framing, maxMessageBytes });
