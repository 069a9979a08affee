import type { AgentCheck } from "../agent-context.ts";
import { bytes } from "./hostile/bytes.ts";
import { cancelling } from "./hostile/cancelling.ts";
import { ends } from "./hostile/ends.ts";
import { manySessions } from "./hostile/many-sessions.ts";
import { oddMessages } from "./hostile/odd-messages.ts";
import { prompts } from "./hostile/prompts.ts";
import { questions } from "./hostile/questions.ts";
import { initializing } from "./rules/initializing.ts";
import { jsonRpc } from "./rules/json-rpc.ts";
import { messages } from "./rules/messages.ts";
import { sessions } from "./rules/sessions.ts";
import { settings } from "./rules/settings.ts";
import { turns } from "./rules/turns.ts";

/** All checks of agents, in the order of reports. */
export const agentChecks: readonly AgentCheck[] = [
  ...initializing,
  ...jsonRpc,
  ...messages,
  ...sessions,
  ...settings,
  ...turns,
  ...bytes,
  ...oddMessages,
  ...cancelling,
  ...questions,
  ...prompts,
  ...manySessions,
  ...ends,
];
