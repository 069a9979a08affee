/**
 * Makes a page of a recording: one HTML file that opens without a network.
 *
 * @module
 */
export { traceHtml, type TraceHtmlOptions } from "./web/trace-html.ts";
export type { TraceContent } from "./web/trace-entries.ts";
