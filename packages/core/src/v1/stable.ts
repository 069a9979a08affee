/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core`: all its names, and the types of version 1, so that they can name inferred types wherever
// `@acp/schema` cannot be resolved. If both have a name, this package's wins.
export * from "./index.ts";
export { ErrorCode, type PermissionOption } from "./index.ts";
export type * from "@acp/schema/v1/types";
