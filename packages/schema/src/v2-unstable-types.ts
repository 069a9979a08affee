// The types alone, for a package that exports them as its own: of a whole entry, it would list the decoders as well.
export type { AgentMethods, ClientMethods, ProtocolMethods } from "./v2/unstable/methods.ts";
/** The same types as received: unions that may be open have a member for unknown variants. */
export type * as Received from "./v2/unstable/received.ts";
export type * from "./v2/unstable/types.ts";
