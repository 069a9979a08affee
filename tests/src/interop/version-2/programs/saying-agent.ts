// An agent of version 2 that says everything there is a function for in `@acp/core/v2/agent`. A prompt is a command that
// names what it is to say. What it sends against the letter of the draft is on stderr, and in its exit code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createAgent, type TerminalExitStatus } from "@acp/core/v2";
import {
  askPermission,
  type CommandToRun,
  createPlan,
  createSettings,
  defineCommands,
  diff,
  elicitForm,
  elicitUrl,
  embeddedFile,
  image,
  resourceLink,
  runCommand,
  sendNotice,
  sendSessionInfo,
  sendToolCall,
  sendUsage,
  startCompaction,
  text,
  userMessage,
} from "@acp/core/v2/agent";
import { serveStdio } from "@acp/node";
import { strictValidator } from "@acp/validators/v2/strict";

const settings = createSettings({
  configOptions: [
    {
      type: "select",
      configId: "mode",
      category: "mode",
      name: "Mode",
      currentValue: "ask",
      options: [
        { value: "ask", name: "Ask" },
        { value: "code", name: "Code" },
      ],
    },
    { type: "boolean", configId: "web", name: "Web", currentValue: true },
  ],
});

/** Runs a command of this runtime's. */
async function start({ command, args, cwd, signal, output }: CommandToRun): Promise<TerminalExitStatus> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  signal.addEventListener("abort", () => child.kill());
  const show = async (): Promise<void> => {
    for await (const bytes of child.stdout) await output(bytes as Uint8Array);
  };
  const [[exitCode, endedBy]] = await Promise.all([once(child, "close"), show()]);
  return { exitCode: exitCode as number | null, signal: endedBy as string | null };
}

const commands = defineCommands({
  show: {
    description: "Shows content",
    run: async (_input, turn) => {
      await turn.message(text("Hello"));
      await turn.message(image(new Uint8Array([1]), "image/png"));
      await turn.message(resourceLink("file:///project/a", "a"));
      await turn.message(embeddedFile({ uri: "file:///project/a", text: "a" }));
    },
  },
  tell: {
    description: "Tells news",
    run: async (_input, turn) => {
      await sendUsage(turn, { used: 1, size: 2, cost: { amount: 0.1, currency: "EUR" } });
      await sendSessionInfo(turn, { title: "A title", updatedAt: "2026-11-23T10:00:00Z" });
      await sendNotice(turn, { severity: "info", title: "Hi" });
      const compaction = await startCompaction(turn);
      await compaction.chunk("In ");
      await compaction.complete("In short");
    },
  },
  plan: {
    description: "Plans",
    run: async (_input, turn) => {
      const plan = await createPlan(turn, ["a", "b"]);
      await plan.next();
      await plan.change(1, { status: "cancelled" });
    },
  },
  edit: {
    description: "Edits files",
    run: async (_input, turn) => {
      await sendToolCall(turn, { toolCallId: "edit", title: "Edit", kind: "edit", status: "in_progress" });
      const call = await turn.toolCall({ title: "Move" });
      const { allowed } = await askPermission(call, { description: "It moves a file", remember: "move" });
      const again = await askPermission(call, { remember: "move" });
      await call.complete(`${allowed} ${again.remembered}`);
      await sendToolCall(turn, {
        toolCallId: "edit",
        status: "completed",
        content: [
          diff({ path: "/project/new", newText: "a\n" }, { path: "/project/b", oldPath: "/project/a", newText: "" }),
          text("Done"),
        ],
      });
    },
  },
  ask: {
    description: "Asks",
    run: async (_input, turn) => {
      const form = await elicitForm(turn, {
        message: "Where to?",
        schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
      });
      if (form.action === "accept") await turn.message(form.content.stage);
      const url = await elicitUrl(turn, { message: "Pay", url: "https://example.com" });
      if (url.action === "accept") await url.complete();
    },
  },
  run: {
    description: "Runs a command",
    hint: "a program for Node.js",
    run: async (input, turn) => {
      const result = await runCommand(turn, {
        command: process.execPath,
        args: ["-e", input],
        cwd: process.cwd(),
        call: { title: "node" },
        run: start,
      });
      await turn.message(JSON.stringify(result));
    },
  },
  mode: { description: "Goes to work", run: (_input, turn) => settings.set(turn.session, "mode", "code") },
});

const agent = createAgent({
  info: { name: "saying-agent", version: "1.0.0" },
  validate: strictValidator,
  onDiagnostic: ({ type, message }) => {
    if (type !== "violation") return;
    console.error(message);
    process.exitCode = 1;
  },
  handlers: {
    ...settings.handlers,
    "session/new": async (_params, { session }) => {
      await commands.announce(session, ["run"]);
      return { sessionId: session.id, ...settings.open(session), availableCommands: [...commands.available] };
    },
    "session/resume": async ({ replayFrom }, { session }) => {
      if (replayFrom != null) await userMessage(session, [text("Hello"), text(" again")], { messageId: "1" });
      return settings.open(session, { mode: "code" });
    },
    "session/prompt": async ({ prompt }, { turn }) => {
      const run = await commands.run(prompt, turn);
      return { stopReason: run.kind === "command" ? "end_turn" : "refusal" };
    },
  },
});
await serveStdio(agent);
