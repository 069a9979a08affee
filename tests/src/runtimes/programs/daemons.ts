/**
 * A client whose agent and terminal each leave a daemon behind, which holds their pipes open. It lets the daemons live,
 * closes all that it has opened, and has nothing more to do then. No pipe is left on its side. With `--stay` it lets nothing
 * live, and waits for its own end.
 */
import * as runtime from "#runtime";

import { eventually } from "../check.ts";
import { argument, hasFlag } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import { existsSync, openPipes } from "../platform.ts";

const [first, second] = [`${argument("pids")}1`, `${argument("pids")}2`];
const turnOff = hasFlag("stay") ? "" : "ACP_PROCESS_GROUP= ";
const leave = (file: string): string => `${turnOff}setsid sh -c 'echo $$ > ${file}; exec sleep 300' & `;

const before = openPipes();
const transport = await runtime.spawnTransport({ command: "/bin/sh", args: ["-c", `${leave(first)} cat`] });
const context = testSession("/");
const terminals = runtime.terminals();
const params = { sessionId: "session", command: "sh", args: ["-c", leave(second)] };
const { terminalId } = await terminals["terminal/create"](params, context);
await eventually(() => existsSync(first) && existsSync(second), "the daemons run");
if (hasFlag("stay")) {
  console.log("ready");
  await new Promise(() => {});
}
await transport.close();
await terminals["terminal/release"]({ sessionId: "session", terminalId }, context);
await eventually(() => openPipes() <= before, "its pipes are closed");
