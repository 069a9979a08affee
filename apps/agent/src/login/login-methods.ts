import type { AuthMethod } from "@acp/schema/v1";

/** The ways to log in. Those in a terminal are only offered to clients that can open one (AUTH-03). */
export const loginMethods: readonly AuthMethod[] = [
  { id: "guest", name: "As a guest", description: "Without a name, at once" },
  {
    type: "terminal",
    id: "terminal",
    name: "With a name, in a terminal",
    args: ["--login"],
    env: { ACP_LOGIN_GREETING: "Welcome to the reference agent." },
  },
];
