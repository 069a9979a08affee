/**
 * Real processes for tests: a scripted agent that any client can start, and programs whose stdin and stdout a test holds.
 *
 * @module
 */
export {
  agentCommand,
  type AgentCommand,
  type AgentCommandOptions,
  type AgentPlayer,
  type FakeProcess,
} from "./agent-command.ts";
export { serveAgent } from "./serve-agent.ts";
export { type Program, type ProgramOptions, startProgram } from "./start-program.ts";
