// What an agent says in one line, files and terminals of the client, settings and commands.
import { RequestError } from "@acp/core";
import {
  audio,
  createPlan,
  createSettings,
  defineCommands,
  diff,
  embeddedFile,
  image,
  isNotFound,
  readTextFile,
  resourceLink,
  runCommand,
  sendNotice,
  sendSessionInfo,
  sendToolCall,
  sendUsage,
  startCompaction,
  text,
  userMessage,
  writeTextFile,
} from "@acp/core/agent";

import { between, type Scenario } from "../../harness/scenario.ts";
import { agentThat, clientWith, fullClient, handling, turn } from "./pair.ts";

const settings = () =>
  createSettings({
    modes: {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask", description: "Asks" },
        { id: "code", name: "Code" },
      ],
    },
    configOptions: [
      {
        type: "select",
        id: "model",
        name: "Model",
        category: "model",
        currentValue: "small",
        options: [
          { group: "g", name: "Group", options: [{ value: "small", name: "Small" }] },
          { group: "h", name: "Other", options: [{ value: "large", name: "Large", description: "Slow" }] },
        ],
      },
      { type: "boolean", id: "web", name: "Web", currentValue: false },
    ],
  });

export const helpers: readonly Scenario[] = [
  turn("content", async ({ turn: says }) => {
    await says.message(text("text"));
    await says.message(image(new Uint8Array([1, 2, 3]), "image/png"));
    await says.message(audio("AAAA", "audio/wav"));
    await says.message(resourceLink("file:///project/a", "a"));
    await says.message(embeddedFile({ uri: "file:///project/a", text: "a" }));
    await says.message(embeddedFile({ uri: "file:///project/b", data: new Uint8Array([255]), mimeType: "x/y" }));
    await says.toolCall({ title: "Edit", content: [diff({ path: "/project/a", oldText: "a", newText: "b" })] });
    await says.toolCall({ title: "New", content: [diff({ path: "/project/n", newText: "b" }), text("t")] });
  }),
  turn("a tracked plan", async ({ turn: says }) => {
    const plan = await createPlan(says, ["one", { content: "two", priority: "high" }, "three"]);
    await plan.start(0);
    await plan.next();
    await plan.change(1, { content: "two more", _meta: { changed: true } });
    await plan.add("zero", 0);
    await plan.add("four");
    await plan.remove(3);
    await plan.complete(2);
    await plan.next();
    await plan.next();
  }),
  turn("news", async ({ turn: says, session }) => {
    await sendUsage(says, { used: 1, size: 2, cost: { amount: 0.1, currency: "EUR" } });
    await sendUsage(session, { used: 3, size: 4, _meta: { u: 1 } });
    await sendSessionInfo(says, { title: "A title", updatedAt: "2026-11-23T10:00:00Z" });
    await sendSessionInfo(says, { title: null });
    await sendNotice(says, { severity: "warning", title: "Careful", description: "It is" });
    const compaction = await startCompaction(says);
    await compaction.complete("In short");
    const chunked = await startCompaction(session);
    await chunked.complete([text("a"), text("b")]);
    await (await startCompaction(says)).complete();
  }),
  turn(
    "news for a client without",
    async ({ turn: says }) => {
      await sendNotice(says, { severity: "error", title: "Lost" });
      const compaction = await startCompaction(says);
      await compaction.complete("In short");
    },
    {},
  ),
  turn("tool calls by id", async ({ turn: says }) => {
    await sendToolCall(says, { toolCallId: "mine", title: "Mine", kind: "fetch", status: "pending" });
    await sendToolCall(says, { toolCallId: "mine", status: "in_progress", content: "text" });
    await sendToolCall(says, { toolCallId: "mine", status: "completed", rawOutput: { a: 1 } });
    await sendToolCall(says, { toolCallId: "other" });
  }),
  turn("what the user said", async ({ turn: says, session }) => {
    await userMessage(says, "text");
    await userMessage(session, [text("a"), resourceLink("file:///a", "a")]);
    await userMessage(says, image("AAAA", "image/png"));
  }),
  turn("files", async ({ turn: says, client }, wire) => {
    await says.message(await readTextFile(says, "/project/a"));
    await says.message(await readTextFile(says, "/project/a", { line: 3, limit: 4 }));
    await writeTextFile(says, "/project/a", "content\n");
    await says.message(
      (await client.request("fs/read_text_file", { path: "/project/b", line: 0 }).catch(String)) as string,
    );
    await wire.outcome("a relative path", readTextFile(says, "a"));
    await wire.outcome("a relative path", writeTextFile(says, "./a", ""));
  }),
  turn(
    "files that fail",
    async ({ turn: says }, wire) => {
      const missing: unknown = await readTextFile(says, "/project/a").catch((error: unknown) => error);
      await says.message(String(isNotFound(missing)));
      await wire.outcome("write", writeTextFile(says, "/project/a", ""));
    },
    handling({
      "fs/read_text_file": ({ path }) => {
        throw RequestError.resourceNotFound(`file://${path}`);
      },
      "fs/write_text_file": () => {
        throw new Error("secret");
      },
    }),
  ),
  turn(
    "files and terminals for a client without",
    async ({ turn: says, client }, wire) => {
      await wire.outcome("read", readTextFile(says, "/project/a"));
      await wire.outcome("write", writeTextFile(says, "/project/a", ""));
      await wire.outcome("run", runCommand(says, { command: "npm" }));
      await wire.outcome("create", client.request("terminal/create", { command: "npm" }));
      const run = runCommand(says, {
        command: "npm",
        args: ["test"],
        fallback: () => ({ output: "by itself", exitCode: 0, signal: null, truncated: false, timedOut: false }),
      });
      await wire.outcome("fallback", run);
    },
    {},
  ),
  turn("terminals by hand", async ({ client, turn: says }) => {
    const { terminalId } = await client.request("terminal/create", {
      command: "npm",
      args: ["test"],
      cwd: "/project",
      env: [{ name: "CI", value: "1" }],
      outputByteLimit: 1000,
    });
    const call = await says.toolCall({ title: "npm test", content: [{ type: "terminal", terminalId }] });
    await client.request("terminal/output", { terminalId });
    await client.request("terminal/wait_for_exit", { terminalId });
    await client.request("terminal/kill", { terminalId });
    await client.request("terminal/release", { terminalId });
    await call.complete();
  }),
  turn("commands", async ({ turn: says }, wire) => {
    const result = await runCommand(says, { command: "npm", args: ["test", "--", "a b"], env: { CI: "1" }, cwd: "/x" });
    await says.message(JSON.stringify(result));
    const call = await says.toolCall({ title: "Mine", status: "pending" });
    await runCommand(says, { command: "ls", call });
    await runCommand(says, { command: "ls", call: { title: "List", kind: "search" }, outputByteLimit: 10 });
    await wire.outcome("a relative directory", runCommand(says, { command: "ls", cwd: "x" }));
  }),
  turn(
    "commands that fail",
    async ({ turn: says }, wire) => {
      await wire.outcome("exit", runCommand(says, { command: "false" }));
      await wire.outcome("start", runCommand(says, { command: "missing" }));
    },
    handling({
      "terminal/create": ({ command }) => {
        if (command === "missing") throw new RequestError({ code: -32010, message: "There is no such command" });
        return { terminalId: "t" };
      },
      "terminal/wait_for_exit": () => ({ exitCode: 1, signal: null }),
    }),
  ),
  between("settings", async (wire) => {
    const chosen = settings();
    const agent = await wire.connect(
      agentThat(
        async ({ prompt }, { turn: says, session }) => {
          const [block] = prompt;
          const word = block?.type === "text" ? block.text : "";
          if (word === "mode") await chosen.set(session, "mode", "code");
          if (word === "web") await chosen.set(session, "web", true);
          if (word === "same") await chosen.set(session, "web", true);
          if (word === "wrong") await wire.outcome("wrong", chosen.set(session, "model", "huge" as "large"));
          if (word === "replace")
            await chosen.replace(session, [{ type: "boolean", id: "fast", name: "Fast", currentValue: true }]);
          await says.message(JSON.stringify(chosen.values(session)));
          return { stopReason: "end_turn" };
        },
        { handlers: { ...chosen.handlers } },
      ),
      clientWith(fullClient),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("by the client");
    await wire.outcome("mode", session.setMode("code", { _meta: { set: 1 } }));
    await wire.outcome("model", session.setConfigOption("model", "large"));
    await wire.outcome("web", session.setConfigOption("web", true, { _meta: { set: 2 } }));
    await wire.outcome("no such mode", session.setMode("none"));
    await wire.outcome("no such option", session.setConfigOption("none", "a"));
    await wire.outcome("no such value", session.setConfigOption("model", "huge"));
    await wire.outcome("a wrong value", session.setConfigOption("web", "yes"));
    await wire.outcome("by name", agent.request("session/set_mode", { sessionId: session.id, modeId: "ask" }));
    for (const word of ["mode", "web", "same", "wrong", "replace"]) {
      await wire.step(word);
      await wire.outcome(word, session.prompt(word).response);
    }
    await agent.close();
  }),
  between("settings of a client without booleans, and an agent without any", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => ({ stopReason: "end_turn" }), { handlers: { ...settings().handlers } }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await wire.outcome("web", session.setConfigOption("web", true));
    await agent.close();
    const without = await wire.connect(
      agentThat(() => ({ stopReason: "end_turn" })),
      clientWith(),
    );
    const bare = await without.newSession({ cwd: "/project" });
    await wire.outcome("mode", bare.setMode("code"));
    await wire.outcome("option", bare.setConfigOption("web", true));
    await without.close();
  }),
  between("slash commands", async (wire) => {
    const commands = defineCommands({
      plan: { description: "Plans", run: (_input, says) => says.plan([]) },
      say: { description: "Says", hint: "what", run: (input, says) => says.message(`said ${input}`) },
    });
    const agent = await wire.connect(
      agentThat(
        async ({ prompt }, { turn: says, session }) => {
          const run = await commands.run(prompt, says);
          await says.message(run.kind);
          if (run.kind === "unknown") await commands.announce(session, ["plan"]);
          return { stopReason: "end_turn" };
        },
        {
          handlers: {
            "session/new": async (_params, { session }) => {
              await commands.announce(session);
              return { sessionId: session.id };
            },
          },
        },
      ),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const word of ["/plan", "/say  hello there", "/unknown", "text"]) {
      await wire.step(word);
      await wire.outcome(word, session.prompt(word).response);
    }
    await agent.close();
  }),
];
