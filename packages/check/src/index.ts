/**
 * Checks of agents and clients: whether they keep the rules of the protocol, and cope with what real peers do. `acp check`
 * runs them.
 *
 * @module
 */
export type { AgentPrompts, AgentSettings, AgentTarget } from "./agent/agent-context.ts";
export { agentChecks } from "./agent/checks/index.ts";
export { checkAgent, type CheckAgentOptions, checksOfAgents, registrySet, UnreachableError } from "./check-agent.ts";
export { checkClient, type CheckClientOptions } from "./check-client.ts";
export { clientChecks } from "./client/checks/index.ts";
export type { ClientSettings } from "./client/client-settings.ts";
export type { Check, CheckLevel } from "./engine/check.ts";
export type { CheckReport, CheckResult, CheckStatus, Exchanged } from "./engine/result.ts";
export { NotStartedError } from "./engine/not-started.ts";
export { selectChecks, type Selection, unknownWords } from "./engine/select-checks.ts";
export { acpTck } from "./kits/acp-tck.ts";
export { checkSets, checksOfSet, currentSet, nextSet } from "./sets/index.ts";
export type { CheckSet } from "./sets/check-set.ts";
export { type Baseline, BaselineError, type KnownFailure, parseBaseline } from "./engine/baseline.ts";
export { judgeReport, type Verdict, type VerdictOptions } from "./engine/verdict.ts";
export { formatReport, type ReportFormat, reportFormats } from "./report/index.ts";
export { reportPage } from "./report/report-page.ts";
export { resultLines, verdictLines } from "./report/text-report.ts";
