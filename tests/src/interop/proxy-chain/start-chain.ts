import { spawnAgent } from "@acp/node";
import { type ClientSession, type ConnectedAgent, createClient } from "@acp/core";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { isAlive } from "../../support/is-alive.ts";

export const program = (name: string): readonly string[] => [
  fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)),
];

/** The command line of a conductor, whose proxies do what `behaviours` say, before the agent that does as it is told. */
export function conductorOf(
  behaviours: readonly string[],
  agent: readonly string[] = [process.execPath, ...program("agent")],
  startTimeout = 20_000,
): readonly string[] {
  return [process.execPath, ...program("conductor"), String(startTimeout), behaviours.join(","), ...agent];
}

const client = createClient({
  info: { name: "test", version: "1.0.0" },
  handlers: {
    "fs/read_text_file": ({ path }) => ({ content: `content of ${path}` }),
    "session/request_permission": ({ options }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }),
  },
});

/** A client, and the processes behind it. */
export class Chain implements AsyncDisposable {
  readonly #pids: string;
  readonly agent: ConnectedAgent;

  private constructor(agent: ConnectedAgent, pids: string) {
    this.agent = agent;
    this.#pids = pids;
  }

  static async start(command: readonly string[]): Promise<Chain> {
    const pids = realpathSync(mkdtempSync(join(tmpdir(), "acp-chain-")));
    const [program_ = "", ...args] = command;
    try {
      const agent = await spawnAgent(client, { command: program_, args, env: { ACP_TEST_PIDS: pids } });
      return new Chain(agent, pids);
    } catch (error) {
      // Whoever has failed to start is gone.
      await allGone(pids);
      rmSync(pids, { recursive: true });
      throw error;
    }
  }

  /** The programs that were started: what they are called, and how many are still there. */
  get programs(): { readonly names: readonly string[]; readonly alive: number } {
    return programsIn(this.#pids);
  }

  async close(): Promise<void> {
    await this.agent.close();
    await allGone(this.#pids);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    rmSync(this.#pids, { recursive: true });
  }
}

function programsIn(pids: string): { readonly names: readonly string[]; readonly alive: number } {
  const files = readdirSync(pids).map((file) => file.split("-") as [string, string]);
  return {
    names: files.map(([name]) => name).toSorted(),
    alive: files.filter(([, pid]) => isAlive(Number(pid))).length,
  };
}

/** Resolves when nothing is left running. The test's own time limit is the limit. */
async function allGone(pids: string): Promise<void> {
  while (programsIn(pids).alive > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** All that is said in a turn. */
export async function said(session: ClientSession, prompt: string): Promise<string> {
  const turn = session.prompt(prompt);
  let text = "";
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  }
  await turn.response;
  return text;
}
