import { type InteropCase, isFor, type Pairing } from "../interop-case.ts";
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
import { unstableAgentMethodCases } from "./unstable/agent-methods.ts";
import { unstableClientMethodCases } from "./unstable/client-methods.ts";
import { mixedCases } from "./unstable/mixed.ts";
import { proxyChainCases } from "./unstable/proxy-chain.ts";
import { unstableStoryCases } from "./unstable/story.ts";
import { unofferedCases } from "./unstable/unoffered.ts";
import { unstableUpdateCases } from "./unstable/updates.ts";

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

/** The table of what is unstable, with the stable rows that share a connection: the other entry has to pass them too. */
const unstableCases: readonly InteropCase[] = [
  ...storyCases,
  ...agentMethodCases,
  ...clientMethodCases,
  ...updateCases,
  ...turnCancellationCases,
  ...requestCancellationCases,
  ...toleranceCases,
  ...extensionCases,
  ...unstableAgentMethodCases,
  ...unstableClientMethodCases,
  ...unstableUpdateCases,
  ...unstableStoryCases,
  ...unofferedCases,
  ...mixedCases,
];

/** What is the same with a proxy in between, which knows none of it. */
const proxiedCases: readonly InteropCase[] = [
  ...storyCases,
  ...agentMethodCases,
  ...clientMethodCases,
  ...updateCases,
  ...extensionCases,
  ...unstableAgentMethodCases,
  ...unstableClientMethodCases,
  ...unstableUpdateCases,
  ...unstableStoryCases,
];

/** The rows for a pairing. */
export function casesFor(pairing: Pairing): readonly InteropCase[] {
  return tableFor(pairing).filter((row) => isFor(row, pairing));
}

function tableFor({ agent, entry, between }: Pairing): readonly InteropCase[] {
  if (agent === "reference") return referenceCases;
  if (between === "chain") return proxiedCases;
  // Messages of a conductor and its proxies are for a proxy to pass on like any other.
  if (between === "proxy") return [...proxiedCases, ...proxyChainCases];
  return entry === "unstable" ? unstableCases : directedCases;
}
