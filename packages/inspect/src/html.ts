/**
 * Makes a page of a recording, or of two: one HTML file that opens without a network.
 *
 * @module
 */
export { compareHtml } from "./web/compare-html.ts";
export { traceHtml, type TraceHtmlOptions } from "./web/trace-html.ts";
export type { TraceContent } from "./web/trace-entries.ts";
