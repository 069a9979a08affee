export * from "./decoding/index.ts";
export type * from "./protocol.ts";
