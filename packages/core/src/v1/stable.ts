/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core`: all its names, and the types of version 1, so that what is inferred can be named by them wherever
// `@acp/schema` cannot be resolved. Where both have a name, it is that of this package.
export * from "./index.ts";
export { ErrorCode, type PermissionOption } from "./index.ts";
export type * from "@acp/schema/v1/types";
