import { authentication } from "./authentication.ts";
import { checklists } from "./checklists.ts";
import { commands } from "./commands.ts";
import { configOptions } from "./config-options.ts";
import { content } from "./content.ts";
import { conventions } from "./conventions.ts";
import { elicitation } from "./elicitation.ts";
import { errors } from "./errors.ts";
import { extensions } from "./extensions.ts";
import { files } from "./files.ts";
import { initialization } from "./initialization.ts";
import { jsonRpc } from "./json-rpc.ts";
import { mcpServers } from "./mcp-servers.ts";
import { modes } from "./modes.ts";
import { notices } from "./notices.ts";
import { permission } from "./permission.ts";
import { plans } from "./plans.ts";
import { promptTurns } from "./prompt-turns.ts";
import { requestCancellation } from "./request-cancellation.ts";
import { sessionLists } from "./session-lists.ts";
import { sessions } from "./sessions.ts";
import { terminals } from "./terminals.ts";
import { tolerance } from "./tolerance.ts";
import { toolCalls } from "./tool-calls.ts";
import { transport } from "./transport.ts";
import { turnCancellation } from "./turn-cancellation.ts";
import { updates } from "./updates.ts";
import type { Area } from "../requirement.ts";

/** Every rule of the protocol's first version that binds an agent, a client or what is between them. */
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
