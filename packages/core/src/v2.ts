/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2`: version 2 of the protocol, a draft that may change. It has what the main entry has beside the
// protocol, so that nobody needs both, and the types of version 2.
export type * from "@acp/schema/v2/types";
export { v2 } from "./v2/protocol.ts";
export type { PromptResponseOf, ReceivedUpdateOf } from "./v2/vocabulary.ts";
