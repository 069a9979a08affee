import { createClient } from "@acp/core";
import { expect, test } from "vitest";

import { spawnAgent } from "../index.ts";

test.runIf(process.platform !== "win32").each([["cat"], ["tee"]])(
  "spawnAgent() reports that %s, which echoes its input, does not speak ACP",
  async (command) => {
    const client = createClient({ info: { name: "test", version: "1.0.0" } });
    await expect(spawnAgent(client, { command })).rejects.toMatchObject({
      code: "protocol_violation",
      message: "initialize: the program sends back what it gets: it does not speak ACP",
    });
  },
);
