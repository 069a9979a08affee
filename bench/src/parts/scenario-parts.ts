import { titles } from "../contestants/contestants.ts";
import { runScenario, type ScenarioResult } from "../run/run-scenario.ts";
import { megabytes, milliseconds, perSecond, quotient } from "../report/table.ts";
import { reduced, scenarios } from "../workload/scenario.ts";
import type { Part } from "./part.ts";

/** The scenarios that time an agent and a client. */
export const scenarioParts: readonly Part[] = scenarios.map((scenario) => ({
  name: scenario.name,
  group: scenario.group,
  isOfNode: scenario.group === "network",
  async run({ runtime, rounds, quick }) {
    // vscode-jsonrpc is written for Node, and the comparison is one of libraries, not of runtimes.
    const isNode = runtime.startsWith("node");
    const contestants = scenario.contestants.filter((name) => isNode || name !== "json-rpc");
    const result = await runScenario(runtime, quick ? reduced(scenario) : scenario, contestants, rounds);
    const isRate = scenario.work.kind !== "large";
    const hasRaw = contestants.includes("raw");
    return {
      title: scenario.title,
      head: [
        "",
        isRate ? "rate" : "time",
        ...(hasRaw ? ["time, raw = 1"] : []),
        "time, @acp = 1",
        "peak memory, agent",
        "client",
      ],
      rows: result.contestants.map((entry) => [
        titles[entry.contestant],
        isRate ? perSecond(entry.rate) : milliseconds(1_000 / entry.rate),
        ...(hasRaw ? [quotient(entry.againstRaw)] : []),
        quotient(entry.againstToolkit),
        megabytes(entry.agentPeak),
        megabytes(entry.clientPeak),
      ]),
      figures: result satisfies ScenarioResult,
    };
  },
}));
