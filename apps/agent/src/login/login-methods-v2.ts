import type { AuthMethod } from "@acp/schema/v2";

import { greetingVariable, guestLogin, terminalLogin } from "./shared-login-methods.ts";

/** How users can log in. Clients without terminals are not offered the login in a terminal. */
export const loginMethods: readonly AuthMethod[] = [
  { type: "agent", methodId: "guest", ...guestLogin },
  { type: "terminal", methodId: "terminal", ...terminalLogin, env: [greetingVariable] },
];
