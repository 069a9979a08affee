/**
 * A client that starts an agent and a terminal, both hard to end, and then ends itself the way its flags say, without
 * having closed anything. `--agent` is a command that it starts instead.
 */
import * as runtime from "#runtime";
import { createClient } from "@acp/core";

import { testSession } from "../host-session.ts";
import { process, programOn } from "../platform.ts";
import { argument, hasFlag, runtimeArgument } from "../command-line.ts";

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
const stubborn = (pids: string) =>
  programOn(runtimeArgument(), "unruly", ["--helpers", "--ignore-eof", "--ignore-sigterm", "--pids", pids]);
if (hasFlag("agent")) await runtime.spawnAgent(client, { command: argument("agent") });
else {
  await runtime.spawnAgent(client, stubborn(argument("pids")));
  const session = testSession(process.cwd());
  const terminal = stubborn(`${argument("pids")}-of-terminal`);
  await runtime.terminals()["terminal/create"]({ sessionId: "session", ...terminal }, session);
}

process.stdin.on("data", () => {
  if (hasFlag("throw")) throw new Error("thrown on purpose");
  if (hasFlag("exit")) process.exit(5);
});
