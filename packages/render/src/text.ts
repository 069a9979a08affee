/**
 * Makes foreign text safe to show. Needs nothing else of this package, so that a program can load it at its start.
 *
 * @module
 */
export { cutLine, printable, printableLine, withoutControls } from "./text/printable.ts";
