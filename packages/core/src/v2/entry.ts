/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2`: version 2 of the protocol, a draft that may change. All its names, and the types of that version,
// so that they can name inferred types. If both have a name, this package's wins.
export * from "./index.ts";
export { ErrorCode, type PermissionOption } from "./index.ts";
export type * from "@acp/schema/v2/types";
