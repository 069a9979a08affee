import { type AgentKind, type InteropCase, isFor, type Sdk } from "../interop-case.ts";
import { agentMethodCases } from "./agent-methods.ts";
import { clientMethodCases } from "./client-methods.ts";
import { errorCases } from "./errors.ts";
import { extensionCases } from "./extensions.ts";
import { toleranceCases } from "./tolerance.ts";
import { loadCases } from "./load.ts";
import { capabilityCases } from "./capabilities.ts";
import { referenceCases } from "./reference.ts";
import { requestCancellationCases } from "./request-cancellation.ts";
import { sessionCases } from "./sessions.ts";
import { hostCases } from "./hosts.ts";
import { elicitationCases } from "./elicitation.ts";
import { processCases } from "./processes.ts";
import { storyCases } from "./story.ts";
import { turnCancellationCases } from "./turn-cancellation.ts";
import { updateCases } from "./updates.ts";

/** The table of directed agents. */
const directedCases: readonly InteropCase[] = [
  ...storyCases,
  ...agentMethodCases,
  ...clientMethodCases,
  ...updateCases,
  ...turnCancellationCases,
  ...requestCancellationCases,
  ...processCases,
  ...elicitationCases,
  ...hostCases,
  ...sessionCases,
  ...capabilityCases,
  ...loadCases,
  ...toleranceCases,
  ...extensionCases,
  ...errorCases,
];

/** The rows for a pairing. */
export function casesFor(client: Sdk, agent: AgentKind): readonly InteropCase[] {
  return (agent === "reference" ? referenceCases : directedCases).filter((row) => isFor(row, client, agent));
}
