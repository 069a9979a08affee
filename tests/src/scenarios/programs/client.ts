/**
 * A client that starts an agent and a terminal, both hard to end, says so, and then ends itself the way
 * its flags say, without having closed anything.
 */
import * as runtime from "#runtime";
import { createClient } from "@acp/core";

import { testSession } from "../host-session.ts";
import { process, programOn } from "../platform.ts";
import { argument, hasFlag, runtimeArgument } from "../command-line.ts";

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
const stubborn = ["--helpers", "--ignore-eof", "--ignore-sigterm", "--pids", argument("pids")];
await runtime.spawnAgent(client, programOn(runtimeArgument(), "unruly", stubborn));

const session = testSession("/");
const script = "trap '' TERM; sleep 300 & echo $$ $!; while :; do sleep 1; done";
const terminals = runtime.terminals({
  onCreate: (terminal) => terminal.onOutput((chunk) => process.stdout.write(chunk)),
});
await terminals["terminal/create"]({ sessionId: "session", command: "sh", args: ["-c", script] }, session);

process.stdin.on("data", () => {
  if (hasFlag("throw")) throw new Error("thrown on purpose");
  if (hasFlag("exit")) process.exit(5);
});
