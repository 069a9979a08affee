// Runs in the frame of the playground: the agent of the reader, and a client for it, joined in memory. The frame has an origin
// of its own and no network, so that the agent reaches nothing but this.
import * as core from "@acp/core";
import * as kit from "@acp/core/agent";
import * as state from "@acp/core/state";

import type { FromFrame, Item, ToFrame } from "./messages.ts";

const modules: Readonly<Record<string, object>> = {
  "@acp/core": core,
  "@acp/core/agent": kit,
  "@acp/core/state": state,
};

const report = (message: FromFrame): void => parent.postMessage(message, "*");
const files = new Map([["/project/settings.json", '{\n  "strict": false,\n  "target": "es2022"\n}\n']]);
const answers = new Map<number, (optionId: string | null) => void>();
let session: core.ClientSession | undefined;
let turn: core.Turn | undefined;

for (const level of ["log", "info", "warn", "error"] as const)
  console[level] = (...values: readonly unknown[]) => report({ type: "printed", text: values.map(asText).join(" ") });
addEventListener("error", ({ message }) => report({ type: "failed", text: message }));
addEventListener("unhandledrejection", ({ reason }) => report({ type: "failed", text: asText(reason) }));

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return JSON.stringify(value) ?? String(value);
}

function moduleOf(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/** Lets the reader's code import the packages by their names. */
function addImportMap(): void {
  const bundled = Symbol.for("acp.playground");
  Object.assign(globalThis, { [bundled]: modules });
  const imports = Object.entries(modules).map(([name, module]) => {
    const values = Object.keys(module).map((key) => `export const ${key} = module.${key};`);
    const code = `const module = globalThis[Symbol.for("acp.playground")][${JSON.stringify(name)}];\n${values.join("\n")}`;
    return [name, moduleOf(code)];
  });
  const script = document.createElement("script");
  script.type = "importmap";
  script.nonce = document.currentScript instanceof HTMLScriptElement ? document.currentScript.nonce : "";
  script.textContent = JSON.stringify({ imports: Object.fromEntries(imports) });
  document.head.append(script);
}

/** The client's end of the connection, whose messages the page shows. */
function traced(transport: core.Transport): core.Transport {
  const say = (from: "agent" | "client", text: string): void => report({ type: "message", message: { from, text } });
  return {
    start: (sink) =>
      transport.start({
        message(text) {
          say("agent", text);
          sink.message(text);
        },
        issue: (issue) => sink.issue(issue),
        closed: (reason) => sink.closed(reason),
      }),
    send(text, flush, isStringified) {
      say("client", text);
      return transport.send(text, flush, isStringified);
    },
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}

let questions = 0;

const client = core.createClient({
  info: { name: "playground", version: "1.0.0" },
  handlers: {
    "fs/read_text_file": ({ path }) => {
      const content = files.get(path);
      if (content === undefined) throw core.RequestError.resourceNotFound(`There is no ${path}`, { path });
      return { content };
    },
    "fs/write_text_file": ({ path, content }) => {
      files.set(path, content);
    },
    "session/request_permission": async ({ toolCall, options }, { signal }) => {
      const id = ++questions;
      report({ type: "question", question: { id, title: toolCall.title ?? "Allow it?", options } });
      const optionId = await new Promise<string | null>((resolve) => {
        answers.set(id, resolve);
        signal.addEventListener("abort", () => resolve(null));
      });
      answers.delete(id);
      report({ type: "withdrawn", id });
      return optionId === null ? { outcome: { outcome: "cancelled" } } : { outcome: { outcome: "selected", optionId } };
    },
  },
});

function itemOf(item: state.TimelineItem): Item {
  if ("chunks" in item) return { kind: item.type.replace("_", " "), text: state.joinText(item.chunks), lines: [] };
  if (item.type === "tool_call") {
    const lines = item.content.flatMap((content) =>
      content.type === "diff" ? state.lineDiff(content.oldText, content.newText) : [],
    );
    return { kind: `tool call, ${item.status}`, text: item.title, lines };
  }
  if (item.type === "plan") {
    const marks = { completed: "✓", in_progress: "…", pending: "·" } as Readonly<Record<string, string>>;
    return {
      kind: "plan",
      text: item.entries.map(({ status, content }) => `${marks[status] ?? "?"} ${content}`).join("\n"),
      lines: [],
    };
  }
  return { kind: item.type, text: JSON.stringify(item), lines: [] };
}

/** Loads the reader's agent, connects to it and opens a session. */
async function start(code: string): Promise<void> {
  const { agent }: { readonly agent?: core.AgentDefinition } = await import(moduleOf(code));
  if (agent === undefined) throw new Error("The code exports no agent: export const agent = createAgent({ … });");
  const [ours, theirs] = core.createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await client.connect(traced(ours));
  session = await connected.newSession({ cwd: "/project" });
  const store = state.createSessionState(session);
  let waiting = false;
  store.subscribe(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      report({ type: "items", items: store.state.timeline.map(itemOf) });
    }, 20);
  });
  report({ type: "started" });
}

async function ask(text: string): Promise<void> {
  if (session === undefined) return;
  turn = session.prompt(text);
  const { stopReason } = await turn.response;
  // Behind the last items, which wait a moment.
  setTimeout(() => report({ type: "ended", stopReason }), 30);
}

addImportMap();
addEventListener("message", ({ source, data }: MessageEvent<ToFrame>) => {
  if (source !== parent) return;
  const failed = (error: unknown): void => report({ type: "failed", text: asText(error) });
  if (data.type === "start") start(data.code).catch(failed);
  else if (data.type === "prompt") ask(data.text).catch(failed);
  else if (data.type === "answer") answers.get(data.id)?.(data.optionId);
  else turn?.cancel();
});
report({ type: "ready" });
