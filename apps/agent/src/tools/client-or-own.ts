import { CapabilityError } from "@acp/core";
import { fileSystem, terminals } from "@acp/node";

/** The agent's own tools, for clients without files or terminals; they keep to the session's directories. */
export const ownFiles: ReturnType<typeof fileSystem> = fileSystem();
export const ownTerminals: ReturnType<typeof terminals> = terminals();

/** The client's way if it offers one, else our own (FS-02, TERM-02). */
export async function clientOrOwn<Result>(
  client: () => Promise<Result>,
  own: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await client();
  } catch (error) {
    if (!(error instanceof CapabilityError)) throw error;
    return own();
  }
}
