import type { Area } from "./requirement.ts";
import { checklists } from "./checklists.ts";
import { elicitation } from "./client-requests/elicitation.ts";
import { files } from "./client-requests/files.ts";
import { permission } from "./client-requests/permission.ts";
import { terminals } from "./client-requests/terminals.ts";
import { authentication } from "./connection/authentication.ts";
import { conventions } from "./connection/conventions.ts";
import { errors } from "./connection/errors.ts";
import { extensions } from "./connection/extensions.ts";
import { initialization } from "./connection/initialization.ts";
import { jsonRpc } from "./connection/json-rpc.ts";
import { requestCancellation } from "./connection/request-cancellation.ts";
import { tolerance } from "./connection/tolerance.ts";
import { transport } from "./connection/transport.ts";
import { commands } from "./sessions/commands.ts";
import { configOptions } from "./sessions/config-options.ts";
import { mcpServers } from "./sessions/mcp-servers.ts";
import { modes } from "./sessions/modes.ts";
import { sessionLists } from "./sessions/session-lists.ts";
import { sessions } from "./sessions/sessions.ts";
import { content } from "./turns/content.ts";
import { notices } from "./turns/notices.ts";
import { plans } from "./turns/plans.ts";
import { promptTurns } from "./turns/prompt-turns.ts";
import { toolCalls } from "./turns/tool-calls.ts";
import { turnCancellation } from "./turns/turn-cancellation.ts";
import { updates } from "./turns/updates.ts";

/** All rules of version 1 that bind an agent, a client or a transport, in the order of the report. */
export const areas: readonly Area[] = [
  jsonRpc,
  conventions,
  transport,
  initialization,
  authentication,
  sessions,
  mcpServers,
  sessionLists,
  promptTurns,
  updates,
  turnCancellation,
  requestCancellation,
  content,
  toolCalls,
  permission,
  files,
  terminals,
  plans,
  modes,
  configOptions,
  commands,
  elicitation,
  extensions,
  errors,
  notices,
  tolerance,
  checklists,
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
