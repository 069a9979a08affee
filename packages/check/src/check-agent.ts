import { at, textAt } from "@acp/testing";

import { agentChecks } from "./agent/checks/index.ts";
import {
  type AgentCheck,
  type AgentSettings,
  type AgentTarget,
  createAgentContext,
  type StartedAgent,
} from "./agent/agent-context.ts";
import { NotReached, reach } from "./engine/check.ts";
import { NotStartedError } from "./engine/not-started.ts";
import { quote } from "./engine/quote.ts";
import { runChecks } from "./engine/run-checks.ts";
import { selectChecks } from "./engine/select-checks.ts";
import type { CheckReport, CheckResult } from "./engine/result.ts";
import { registryChecks } from "./registry/registry-checks.ts";
import { checksOfSet, nextSet } from "./sets/index.ts";
import { requireObject } from "@acp/core/internal";

/** Options of {@link checkAgent}. */
export interface CheckAgentOptions extends AgentSettings {
  /**
   * The set of checks: a month such as `2026-11`; `next`, which has all; or `registry`, with what the public registry
   * demands. Default: `next`.
   */
  readonly set?: string | undefined;
  /** The folder of the agent in the registry, with `agent.json` and `icon.svg`: the set `registry` checks it as well. */
  readonly entry?: string | undefined;
  /** Ids of checks, rules, areas of rules, or levels. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** How many checks run at the same time. Default: 2. */
  readonly jobs?: number | undefined;
  /** Called with each result, in order. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Called whenever a check is done, with how many are. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks an agent: starts it anew for each check, and plays its client.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {NotStartedError} if it ends by itself before it says anything.
 * @throws {UnreachableError} if nothing answers at its URL.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<CheckReport> {
  requireObject(options, "checkAgent() takes options");
  requireObject(options.target, "checkAgent() takes a target: a command, or what connects");
  const { protocol, timeout, only, jobs = 2, set = nextSet, onResult, onProgress, signal } = options;
  const target = set === registrySet ? inEmptyHome(options) : options.target;
  const settings = { ...options, target };
  const begin = performance.now();
  const checks = selectChecks(checksOfAgents(set, options.entry), { only, protocol });
  const { silence, ...introduced } = await introduce(settings, signal);
  // One that does not begin to talk would be waited for in each of them.
  const reached = silence === undefined ? checks : checks.filter(({ id }) => saysWhyItIsSilent.has(id));
  const ran = await runChecks({
    checks: reached,
    createContext: () => createAgentContext(settings),
    jobs,
    limit: 4 * timeout,
    onResult,
    onProgress,
    signal,
  });
  const left = signal?.aborted === true ? [] : checks.filter((check) => !reached.includes(check));
  const rest = left.map((check) => notReached(check, silence));
  for (const result of rest) onResult?.(result);
  const results = [...ran, ...rest];
  return {
    format: 1,
    side: "agent",
    target: "command" in target ? [target.command, ...(target.args ?? [])].join(" ") : "a connection",
    ...introduced,
    protocol,
    set,
    seed: options.seed,
    took: Math.round(performance.now() - begin),
    results,
  };
}

/** The name of the set of what the public registry demands. */
export const registrySet = "registry";

/** The checks of agents in a set, for {@link selectChecks}. */
export function checksOfAgents(set: string, entry?: string): readonly AgentCheck[] {
  return set === registrySet ? registryChecks(entry) : checksOfSet(agentChecks, set);
}

/** The checks of an agent that has not answered `initialize`: they fail for it, and others are not reached. */
const saysWhyItIsSilent: ReadonlySet<string> = new Set([
  "answers-initialize",
  "registry-handshake",
  "registry-entry",
  "registry-distribution",
  "registry-icon",
]);

/** The registry starts agents where nobody has logged in. */
function inEmptyHome({ target, cwd }: AgentSettings): AgentTarget {
  if ("connect" in target) return target;
  return { ...target, env: { ...target.env, HOME: cwd, USERPROFILE: cwd, TERM: "dumb" } };
}

/** How much is kept of what an agent calls itself, in characters. */
const longestName = 200;

interface Introduced {
  readonly name?: string;
  readonly version?: string;
  /** Why it said nothing. */
  readonly silence?: string;
}

/** Nothing answers at the URL of an agent. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/**
 * Asks an agent what it calls itself.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {NotStartedError} if it ends by itself before it says anything.
 * @throws {UnreachableError} if nothing answers at its URL.
 */
async function introduce(settings: AgentSettings, signal: AbortSignal | undefined): Promise<Introduced> {
  const context = createAgentContext(settings);
  const end = (): void => void context.close();
  signal?.addEventListener("abort", end);
  let client: StartedAgent | undefined;
  try {
    client = await context.start();
    const initialized = await reach(client.initialize(), "The agent did not initialize");
    const spoken = at(initialized, "protocolVersion");
    if (spoken !== settings.protocol)
      return { silence: `The agent speaks version ${quote(spoken)}, not ${settings.protocol}` };
    const info = at(initialized, "agentInfo") ?? at(initialized, "info");
    const [name, version] = ["name", "version"].map((member) => textAt(info, member)?.slice(0, longestName));
    return { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
  } catch (error) {
    if ("connect" in settings.target) await requireAnswer(client, error);
    else if (signal?.aborted !== true) await requireRunning(client, settings);
    if (error instanceof NotReached) return { silence: error.message };
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    await context.close();
  }
}

/** A connection that ended before anything came is none: what a server refuses, it refuses for all checks. */
async function requireAnswer(client: StartedAgent | undefined, error: unknown): Promise<void> {
  const isOpen = client !== undefined && (!client.peer.isClosed || client.peer.received.length > 0);
  const cause = isOpen ? undefined : ((await client?.peer.closed) ?? error);
  if (cause instanceof Error) throw new UnreachableError(cause.message, { cause });
}

/** An agent that ends whatever it is sent does not run; one that ends by `initialize` fails the check that is about it. */
async function requireRunning(client: StartedAgent | undefined, settings: AgentSettings): Promise<void> {
  if (client?.peer.isClosed !== true || client.peer.traffic.some(({ direction }) => direction === "received")) return;
  const context = createAgentContext(settings);
  try {
    const { peer, program } = await context.start();
    await peer.until(() => peer.isClosed, "the end of the agent").catch(() => {});
    if (program !== undefined && peer.isClosed) {
      const end = await program.exited;
      throw new NotStartedError("agent", end, program.stderr());
    }
  } finally {
    await context.close();
  }
}

function notReached({ id, title, level, rules = [], seen }: AgentCheck, reason: string | undefined): CheckResult {
  const about = { id, title, level, rules, ...(seen === undefined ? {} : { seen }) };
  return {
    ...about,
    status: "not-reached",
    ...(reason === undefined ? {} : { reason }),
    runs: 0,
    took: 0,
    exchanged: [],
  };
}
