/** A client with a bug in what it is told of stderr by, which its agent has more to write to than a pipe holds. */
import { spawnAgent } from "#runtime";
import { createClient } from "@acp/core";

import { argument, runtimeArgument } from "../command-line.ts";
import { programOn } from "../platform.ts";

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
const agent = await spawnAgent(client, {
  ...programOn(runtimeArgument(), "unruly", ["--complain", "--stderr-bytes", "1048576"]),
  onStderr(line) {
    if (line === "please log in") throw new Error("thrown on purpose");
  },
});
await agent.newSession({ cwd: argument("directory") });
await agent.close();
