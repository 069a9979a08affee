/**
 * Makes a page of a recording, of two that are compared, or of several behind a page of yours: one HTML file that opens without a network.
 *
 * @module
 */
export { compareHtml } from "./web/compare-html.ts";
export { traceHtml, type TraceHtmlOptions } from "./web/trace-html.ts";
export { type NamedTrace, tracesHtml } from "./web/traces-html.ts";
export type { FrontPage } from "./web/viewer.ts";
export type { TraceContent } from "./web/trace-entries.ts";
