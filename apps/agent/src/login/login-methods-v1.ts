import type { AuthMethod } from "@acp/schema/v1";

import { greetingVariable, guestLogin, terminalLogin } from "./shared-login-methods.ts";

/** How users can log in. Clients without terminals are not offered the login in a terminal (AUTH-03). */
export const loginMethods: readonly AuthMethod[] = [
  { id: "guest", ...guestLogin },
  { type: "terminal", id: "terminal", ...terminalLogin, env: { [greetingVariable.name]: greetingVariable.value } },
];
