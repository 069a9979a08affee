import type { AgentCheck } from "../agent-context.ts";
import { initializing } from "./initializing.ts";
import { noise } from "./noise.ts";

/** All checks of agents, in the order of reports. */
export const agentChecks: readonly AgentCheck[] = [...initializing, ...noise];
