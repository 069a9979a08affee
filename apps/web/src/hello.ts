/** What the server says of itself. */
export interface Hello {
  /** The directory that new sessions work in. */
  readonly cwd: string;
}

/**
 * Asks the server whether it is there, and takes the token: of a WebSocket that does not open, a browser tells nothing.
 *
 * @throws an error whose message is for the user.
 */
export async function sayHello(token: string): Promise<Hello> {
  const response = await fetch("acp/hello", { headers: { Authorization: `Bearer ${token}` } }).catch(() => {
    throw new Error("The server does not answer. Is acp serve or acp hub still running?");
  });
  if (response.status === 401)
    throw new Error("The token is missing or wrong. Open the address that acp serve printed, with its #token=…");
  if (!response.ok) throw new Error(`The server refuses: ${(await response.text()).slice(0, 500)}`);
  const { cwd } = (await response.json()) as { readonly cwd?: unknown };
  return { cwd: typeof cwd === "string" ? cwd : "/" };
}
