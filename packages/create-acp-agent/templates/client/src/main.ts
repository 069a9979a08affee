#!/usr/bin/env node
// my-client "A prompt" -- agent and its arguments
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { ClientSession } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { ask } from "./ask.ts";
import { createMyClient } from "./client.ts";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const prompt = args.slice(0, Math.max(end, 0)).join(" ");
const [command, ...agentArgs] = args.slice(end + 1);
if (prompt === "" || end < 0 || command === undefined) {
  process.stderr.write('Usage: my-client "A prompt" -- agent and its arguments\n');
  process.exitCode = 2;
} else {
  await run(command);
}

async function run(agentCommand: string): Promise<void> {
  const cancelled = new AbortController();
  process.once("SIGINT", () => cancelled.abort());
  const agent = await spawnAgent(createMyClient(allow), { command: agentCommand, args: agentArgs });
  try {
    const session = await agent.newSession({ cwd: process.cwd() });
    const shown = show(session.updates);
    const turn = session.prompt(prompt);
    cancelled.signal.addEventListener("abort", () => turn.cancel());
    const { stopReason } = await turn.response;
    // Some agents send text behind their answer.
    await setTimeout(500);
    await agent.close();
    await shown;
    process.stdout.write("\n");
    process.exitCode = stopReason === "end_turn" ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await agent.close();
  }

  /** Prints what the agent says and does, until the session ends. */
  async function show(updates: ClientSession["updates"]): Promise<void> {
    try {
      for await (const update of updates) {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          process.stdout.write(update.content.text);
        if (update.sessionUpdate === "tool_call") process.stdout.write(`\n[${update.title}]\n`);
      }
    } catch {
      // The prompt fails for the same reason, and says it.
    }
  }

  /** Asks on the terminal. Nobody is there to ask in a script, so the answer is no. */
  async function allow(title: string, signal: AbortSignal): Promise<boolean> {
    return process.stdin.isTTY && (await ask(`${title}? [y/N] `, signal)).toLowerCase().startsWith("y");
  }
}
