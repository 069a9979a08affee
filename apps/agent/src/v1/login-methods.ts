import type { AuthMethod } from "@acp/schema/v1";

import { greeting, guest, inTerminal } from "../login/logins.ts";

/** The ways to log in. Those in a terminal are only offered to clients that can open one (AUTH-03). */
export const loginMethods: readonly AuthMethod[] = [
  { id: "guest", ...guest },
  { type: "terminal", id: "terminal", ...inTerminal, env: { [greeting.name]: greeting.value } },
];
