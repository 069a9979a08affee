/**
 * Import this first to keep stdout clean from the start: modules that print while they are imported run
 * before `serveStdio` can guard anything.
 *
 * @module
 */
import { guardStdout } from "./stdio/stdout-guard.ts";

guardStdout();
