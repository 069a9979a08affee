// The types alone, for a package that exports them as its own: of a whole entry, it would list the decoders as well.
export type { AgentMethods, ClientMethods, ProtocolMethods } from "./v1/methods.ts";
/** The same types as received: unions that may be open have a member for unknown variants. */
export type * as Received from "./v1/received.ts";
export type * from "./v1/types.ts";
