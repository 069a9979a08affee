import { clientRequests } from "./client-requests.ts";
import { connection } from "./connection.ts";
import { elicitation } from "./elicitation.ts";
import { everywhere } from "./everywhere.ts";
import type { Area } from "./requirement.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { turns } from "./turns.ts";

/** All rules of version 1 that bind an agent, a client or a transport, in the order of the report. */
export const areas: readonly Area[] = [
  ...connection,
  ...sessions,
  ...turns,
  ...clientRequests,
  ...settings,
  ...elicitation,
  ...everywhere,
];

export {
  type Area,
  type Check as CheckedBy,
  type Level,
  type Party,
  type Requirement,
  rule,
  type Side,
  sidesOf,
  unchecked,
} from "./requirement.ts";
