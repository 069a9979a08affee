import type { InteropCase } from "../interop-case.ts";
import { agentMethodCases } from "./agent-methods.ts";
import { cancellationCases } from "./cancellation.ts";
import { clientMethodCases } from "./client-methods.ts";
import { errorCases } from "./errors.ts";
import { extensionCases } from "./extensions.ts";
import { toleranceCases } from "./tolerance.ts";
import { loadCases } from "./load.ts";
import { storyCases } from "./story.ts";
import { updateCases } from "./updates.ts";

/** The table. */
export const interopCases: readonly InteropCase[] = [
  ...storyCases,
  ...agentMethodCases,
  ...clientMethodCases,
  ...updateCases,
  ...cancellationCases,
  ...loadCases,
  ...toleranceCases,
  ...extensionCases,
  ...errorCases,
];
