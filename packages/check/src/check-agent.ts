import { at, textAt } from "@acp/testing";

import { agentChecks } from "./agent/checks/index.ts";
import { type AgentSettings, createAgentContext } from "./agent/agent-context.ts";
import { runChecks } from "./engine/run-checks.ts";
import { selectChecks } from "./engine/select-checks.ts";
import type { CheckReport, CheckResult } from "./engine/result.ts";
import { currentSet } from "./sets.ts";

/** Options of {@link checkAgent}. */
export interface CheckAgentOptions extends AgentSettings {
  /** Ids of checks, rules, areas of rules, or levels. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** How many checks run at the same time. Default: 2. */
  readonly jobs?: number | undefined;
  /** Called with each result, in order. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks an agent: starts it anew for each check, and plays its client. */
export async function checkAgent(options: CheckAgentOptions): Promise<CheckReport> {
  const { target, protocol, timeout, only, jobs = 2, onResult, signal } = options;
  const begin = performance.now();
  const checks = selectChecks(agentChecks, { only, protocol });
  const introduced = await introduce(options);
  const results = await runChecks({
    checks,
    createContext: () => createAgentContext(options),
    jobs,
    limit: 4 * timeout,
    onResult,
    signal,
  });
  return {
    format: 1,
    side: "agent",
    target: "command" in target ? [target.command, ...(target.args ?? [])].join(" ") : "a connection",
    ...introduced,
    protocol,
    set: currentSet,
    seed: options.seed,
    took: Math.round(performance.now() - begin),
    results,
  };
}

/** What an agent calls itself. */
async function introduce(settings: AgentSettings): Promise<{ readonly name?: string; readonly version?: string }> {
  const context = createAgentContext(settings);
  try {
    const { initialized } = await context.initialize();
    const info = at(initialized, "agentInfo") ?? at(initialized, "info");
    const [name, version] = [textAt(info, "name"), textAt(info, "version")];
    return { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
  } catch {
    // The checks say why it does not.
    return {};
  } finally {
    await context.close();
  }
}
