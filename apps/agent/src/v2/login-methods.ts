import type { AuthMethod } from "@acp/schema/v2";

import { greeting, guest, inTerminal } from "../login/logins.ts";

/** The ways to log in. Those in a terminal are only offered to clients that can open one. */
export const loginMethods: readonly AuthMethod[] = [
  { type: "agent", methodId: "guest", ...guest },
  { type: "terminal", methodId: "terminal", ...inTerminal, env: [greeting] },
];
