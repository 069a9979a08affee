/** A login by a request alone. */
export const guestLogin = { name: "As a guest", description: "Without a name, at once" } as const;

/** A login in a terminal. The client runs this program again, with `args` added to its arguments. */
export const terminalLogin: { name: string; args: string[] } = {
  name: "With a name, in a terminal",
  args: ["--login"],
};

/** The environment variable that the client sets for the login in a terminal. */
export const greetingVariable = { name: "ACP_LOGIN_GREETING", value: "Welcome to the reference agent." } as const;
