import process from "node:process";
import { describeError } from "@acp/core/internal";

import { systemClock } from "../../clock.ts";
import type { Journal } from "../../journal/journal.ts";
import { listenLocally } from "../../local/local-server.ts";
import { agentConnector, type HubRuntime } from "../agent-connector.ts";
import { Keeper, SessionHeldError } from "../keeper.ts";
import type { KeeperStart } from "../keepers.ts";
import { openAgentsOfVersion1 } from "../v1-agent.ts";
import { Fronts } from "./fronts.ts";
import { keeperIdOf } from "./keeper-id.ts";
import { type KeeperOrder, type KeeperReport, limitsFromJson } from "./wire.ts";

/** Options of {@link runKeeper}. */
export interface RunKeeperOptions {
  readonly runtime: HubRuntime;
  /** Opens the journal that the hub uses, by the option `more` of its `processKeepers`. */
  journal(more: unknown): Journal | Promise<Journal>;
  /** Answers questions of the agent before anybody is asked. Default: asks people. */
  readonly policy?:
    | ((start: KeeperStart, more: unknown) => ((method: string, params: unknown) => unknown) | undefined)
    | undefined;
}

/**
 * The whole program of a keeper's process, which `processKeepers` starts: it keeps one session until its agent is no longer
 * needed. Resolves when the process may end.
 */
export async function runKeeper(options: RunKeeperOptions): Promise<void> {
  const order = JSON.parse(await readLine()) as KeeperOrder;
  try {
    await keep(order, options);
  } catch (error) {
    report({ type: "failed", message: describeError(error) });
  }
}

async function keep({ start, socket: path, limits, more }: KeeperOrder, options: RunKeeperOptions): Promise<void> {
  const { runtime } = options;
  const journal = await options.journal(more);
  const fronts = new Fronts();
  const connector = agentConnector(runtime, start.program, () => start.login);
  let keeper: Keeper | undefined;
  try {
    const parts = {
      journal,
      session: start.session,
      openAgent: openAgentsOfVersion1(connector),
      setup: start.setup,
      limits: limitsFromJson(limits),
      clock: systemClock,
      policy: options.policy?.(start, more),
      onStored: () => fronts.tell(),
    };
    keeper = await Keeper.start(parts, keeperIdOf(process.pid));
  } catch (error) {
    if (!(error instanceof SessionHeldError)) throw error;
    return report({ type: "held" });
  }
  if (keeper === undefined) return report({ type: "failed", message: `There is no session ${start.session}` });
  const kept = keeper;
  kept.onRequest(fronts.ask);
  const server = await listenLocally(path, (socket) => fronts.add(socket, kept));
  const close = (): void => void kept.close();
  process.on("SIGTERM", close);
  report({ type: "up" });
  // How it went is an entry.
  if (start.opens !== false) void kept.open().catch(() => {});
  // A process without work ends: this one waits for work.
  const alive = setInterval(() => {}, 60_000);
  await kept.closed;
  clearInterval(alive);
  process.off("SIGTERM", close);
  await server?.close();
  await journal.close();
}

function report(line: KeeperReport): void {
  // Nobody reads on.
  process.stdout.on("error", () => {});
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function readLine(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text;
}
