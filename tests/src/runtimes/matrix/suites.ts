import { scenarios as across } from "../suites/across.ts";
import { scenarios as apps } from "../suites/apps.ts";
import { scenarios as ends } from "../suites/ends.ts";
import { scenarios as fileRaces } from "../suites/file-races.ts";
import { scenarios as escaped } from "../suites/escaped.ts";
import { scenarios as files } from "../suites/files.ts";
import { scenarios as login } from "../suites/login.ts";
import { scenarios as mainJob } from "../suites/main-job.ts";
import { scenarios as mainJob2 } from "../suites/main-job-2.ts";
import { scenarios as mcp } from "../suites/mcp.ts";
import { scenarios as order } from "../suites/order.ts";
import { scenarios as processes } from "../suites/process.ts";
import type { Scenario } from "../scenario.ts";
import { scenarios as policy } from "../suites/policy.ts";
import { scenarios as roots } from "../suites/roots.ts";
import { scenarios as runCommand } from "../suites/run-command.ts";
import { scenarios as sessions } from "../suites/sessions.ts";
import { scenarios as stdio } from "../suites/stdio.ts";
import { scenarios as supervision } from "../suites/supervision.ts";
import { scenarios as terminals } from "../suites/terminals.ts";
import { scenarios as transport } from "../suites/transport.ts";
import { scenarios as version2 } from "../suites/version-2.ts";
import { scenarios as web } from "../suites/web.ts";
import { scenarios as wholeFiles } from "../suites/whole-files.ts";
import { scenarios as windows } from "../suites/windows.ts";
import { scenarios as windowsFiles } from "../suites/windows-files.ts";

/** A row of the matrix. */
export interface Suite {
  /** The file that holds it. */
  readonly name: string;
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

/** Run on every runtime. */
export const suites: readonly Suite[] = [
  { name: "stdio", title: "Agents over stdio", scenarios: stdio },
  { name: "transport", title: "Size, speed and noise on the wire", scenarios: transport },
  { name: "web", title: "WebSockets and workers", scenarios: web },
  { name: "mcp", title: "MCP servers of a client", scenarios: mcp },
  { name: "process", title: "Agent processes", scenarios: processes },
  { name: "escaped", title: "Processes that leave their group", scenarios: escaped },
  { name: "ends", title: "Silence and death at each step", scenarios: ends },
  { name: "supervision", title: "Agents that are started again", scenarios: supervision },
  { name: "files", title: "Files", scenarios: files },
  { name: "file-races", title: "Files that others replace", scenarios: fileRaces },
  { name: "whole-files", title: "Files that are written as a whole", scenarios: wholeFiles },
  { name: "roots", title: "Folders that an agent gets", scenarios: roots },
  { name: "terminals", title: "Terminals", scenarios: terminals },
  { name: "policy", title: "Permission policies", scenarios: policy },
  { name: "run-command", title: "Commands and files of an agent", scenarios: runCommand },
  { name: "login", title: "Logging in", scenarios: login },
  { name: "sessions", title: "Sessions that last", scenarios: sessions },
  { name: "order", title: "Order and cancellation", scenarios: order },
  { name: "version-2", title: "Version 2 of the protocol", scenarios: version2 },
  { name: "main-job", title: "The main job", scenarios: mainJob },
  { name: "main-job-2", title: "The main job in version 2", scenarios: mainJob2 },
  { name: "apps", title: "The reference programs", scenarios: apps },
  { name: "windows", title: "Processes on Windows", scenarios: windows },
  { name: "windows-files", title: "Files on Windows", scenarios: windowsFiles },
];

/** Run with the client on each runtime and the agent on each other. */
export const acrossSuite: Suite = { name: "across", title: "Across runtimes", scenarios: across };
