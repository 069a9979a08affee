/**
 * Import this first to keep stdout clean from the start: modules that print while they load run before `serveStdio` can
 * guard anything.
 *
 * @module
 */
import { guardStdout } from "./stdio/stdout-guard.ts";

guardStdout();
