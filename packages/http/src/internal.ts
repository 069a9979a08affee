/**
 * For the packages of this repository only, and outside of semantic versioning: names here change and go without a major
 * release. Programs use `@acp/http`.
 *
 * @module
 */
export { EventStreamParser } from "./event-stream-parser.ts";
export { chunksOf } from "./read-body.ts";
export { eventStreamType, jsonType, mediaType } from "./wire-names.ts";
