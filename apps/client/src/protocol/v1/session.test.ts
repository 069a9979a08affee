import { createAgent, createClient, createMemoryTransportPair } from "@acp/core";
import { expect, test } from "vitest";

import { selectOptions } from "../select-options.ts";
import { sessionOf } from "./session.ts";

const info = { name: "test", version: "1" };

test("selectOptions() sets the option that is the mode, also of an agent without modes", async () => {
  const options = ["ask", "code"].map((value) => ({ value, name: value }));
  const list = (currentValue: string) => [
    { type: "select" as const, id: "m", category: "mode", name: "Mode", currentValue, options },
  ];
  const agent = createAgent({
    info,
    handlers: {
      "session/new": () => ({ sessionId: "s", configOptions: list("ask") }),
      "session/set_config_option": ({ value }) => ({ configOptions: list(String(value)) }),
      "session/prompt": () => ({ stopReason: "end_turn" }),
    },
  });
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  const connected = await createClient({ info }).connect(near);
  const session = await connected.newSession({ cwd: "/project" });
  await selectOptions(sessionOf(session), [{ like: "mode", id: "mode", value: "code", place: undefined }]);
  expect(session.configOptions?.[0]?.currentValue).toBe("code");
  await connected.close();
});
