/**
 * From the messages and the state of a session of version 1 or 2 to what is shown of it.
 *
 * @module
 */
export { toReport } from "./session/report.ts";
export { showContent, type ShownFiles } from "./session/shown-content.ts";
export { showSession, type ShownStore } from "./session/shown-session.ts";
