/**
 * Import this first to keep stdout clean from the start. Modules that print while they load do so before `serveStdio`
 * can redirect them.
 *
 * @module
 */
import { guardStdout } from "./stdio/stdout-guard.ts";

guardStdout();
