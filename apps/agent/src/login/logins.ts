/** A login that takes no more than a call. */
export const guest = { name: "As a guest", description: "Without a name, at once" } as const;

/** A login in a terminal: the arguments are added to those of this program. */
export const inTerminal: { name: string; args: string[] } = { name: "With a name, in a terminal", args: ["--login"] };

/** A variable for the environment of the login in a terminal. */
export const greeting = { name: "ACP_LOGIN_GREETING", value: "Welcome to the reference agent." } as const;
