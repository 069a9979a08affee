// An agent of both versions, on stdio. In version 2 a prompt names what it is to do.
import { createAgent as createAgent1 } from "@acp/core";
import { agentOfVersions, type AgentTurnContext, createAgent, RequestError, type SessionUpdate } from "@acp/core/v2";
import { strictValidator } from "@acp/validators/v2/strict";
import { serveStdio } from "#runtime";

interface Conversation {
  readonly cwd: string;
  readonly updates: SessionUpdate[];
}

type Deed = (context: AgentTurnContext<Conversation>) => Promise<void>;

/** What sessions were told, until the process ends. */
const conversations = new Map<string, Conversation>();
const info = { name: "toolkit-agent", version: "1.0.0" };
const end = { stopReason: "end_turn" } as const;
const model = (currentValue: string) => ({
  type: "select" as const,
  configId: "model",
  name: "Model",
  currentValue,
  options: [
    { value: "fast", name: "Fast" },
    { value: "deep", name: "Deep" },
  ],
});

const deeds: Readonly<Record<string, Deed>> = {
  async work({ turn }) {
    await turn.thought("Let me see");
    await turn.plan([{ content: "Edit", priority: "high", status: "in_progress" }]);
    const call = await turn.toolCall({ title: "Edit", kind: "edit", locations: [{ path: "/project/a.ts", line: 1 }] });
    const outcome = await call.requestPermission({ description: "It changes a file" });
    if (outcome.outcome !== "selected" || outcome.optionId !== "allow") return call.cancelled("Not allowed");
    await call.append([{ type: "diff", changes: [{ operation: "modify", path: "/project/a.ts" }] }]);
    await call.append("Edited");
    await call.complete();
    await turn.message("Done");
  },
  async wait({ turn, signal }) {
    await turn.message("Waiting");
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  },
  async watch({ turn }) {
    const call = await turn.toolCall({ title: "Watch", capabilities: { cancel: {} } });
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    await call.cancelled();
  },
  async run({ turn }) {
    const terminal = await turn.terminal({ command: "echo hello", cwd: "/project" });
    await terminal.output("hello\n");
    await terminal.exited({ exitCode: 0 });
  },
  fail: () => Promise.reject(RequestError.authRequired()),
  async failLate({ turn }) {
    await turn.message("Hm");
    throw RequestError.internalError("No model today");
  },
};

const v2 = createAgent({
  info,
  validate: strictValidator,
  onDiagnostic: ({ type, message }) => {
    if (type !== "violation") return;
    console.error(message);
    process.exitCode = 1;
  },
  session: ({ sessionId, cwd }): Conversation => {
    const known = conversations.get(sessionId) ?? { cwd, updates: [] };
    conversations.set(sessionId, known);
    return known;
  },
  authMethods: [{ type: "agent", methodId: "key", name: "Key" }],
  onUpdate: (update, { state }) => void state.updates.push(update),
  handlers: {
    "auth/login": () => {},
    "auth/logout": () => {},
    "session/new": (_params, { session }) => ({ sessionId: session.id, configOptions: [model("fast")] }),
    "session/list": () => ({ sessions: [...conversations].map(([sessionId, { cwd }]) => ({ sessionId, cwd })) }),
    "session/delete": ({ sessionId }) => void conversations.delete(sessionId),
    "session/resume": async ({ replayFrom }, { session }) => {
      if (replayFrom?.type !== "start") return;
      for (const update of session.state.updates) await session.update(update);
    },
    "session/set_config_option": (params) => ({ configOptions: [model(params.type === "id" ? params.value : "fast")] }),
    "session/prompt": async ({ prompt }, context) => {
      const [block] = prompt;
      const deed = block?.type === "text" ? deeds[block.text] : undefined;
      await deed?.(context);
      return end;
    },
  },
});

const v1 = createAgent1({
  info,
  handlers: {
    "session/prompt": async (_params, { turn }) => {
      await turn.message("This is version 1");
      return end;
    },
  },
});

await serveStdio(agentOfVersions({ v1, v2 }));
