// The agent: it says what you said, counts slowly, and writes files when the user allows it.
import { setTimeout } from "node:timers/promises";
import { type AgentTurn, createAgent } from "@acp/core";
import { askPermission, defineCommands, diff } from "@acp/core/agent";
import { resolveInside, writeFile } from "./files.ts";

const commands = defineCommands({
  write: { description: "Writes a file", hint: "a file and its text", run: write },
  count: { description: "Counts slowly, until you cancel", run: count },
});

export const agent = createAgent({
  info: { name: "my-agent", title: "My agent", version: "1.0.0" },
  // Your state of each session.
  session: () => ({ prompts: 0 }),
  handlers: {
    "session/new": async (_params, { session }) => {
      await commands.announce(session);
      return { sessionId: session.id };
    },
    "session/prompt": async ({ prompt }, { turn, session }) => {
      session.state.prompts += 1;
      const run = await commands.run(prompt, turn);
      if (run.kind === "unknown") await turn.message(`There is no /${run.command.name}.`);
      if (run.kind === "text") {
        const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
        await turn.message(`You said: ${text} (prompt ${session.state.prompts} of this session)`);
      }
      return { stopReason: "end_turn" };
    },
  },
});

async function write(input: string, turn: AgentTurn): Promise<void> {
  const [name = "", ...words] = input.split(" ");
  if (name === "") return await turn.message("Write /write, a file and its text.");
  const path = resolveInside(turn.session.cwd, name);
  const newText = `${words.join(" ")}\n`;
  const content = [diff({ path, newText })];
  const call = await turn.toolCall({ title: `Write ${name}`, kind: "edit", locations: [{ path }], content });
  const { allowed } = await askPermission(call, { remember: "write" });
  if (!allowed) return await call.fail("The user said no.");
  await writeFile(turn, path, newText);
  await call.complete();
}

async function count(_input: string, turn: AgentTurn): Promise<void> {
  for (let number = 1; number <= 30; number += 1) {
    await turn.message(`${number} `);
    await setTimeout(200, undefined, { signal: turn.signal });
  }
}
