import { fileSystem, terminals } from "#runtime";

/** The agent's own tools, for clients without files or terminals; they keep to the session's directories. */
export const ownFiles: ReturnType<typeof fileSystem> = fileSystem();
export const ownTerminals: ReturnType<typeof terminals> = terminals();
