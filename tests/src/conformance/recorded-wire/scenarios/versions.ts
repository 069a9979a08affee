// One endpoint for both versions: which of them a connection speaks.
import * as v1 from "@acp/core";
import * as v2 from "@acp/core/v2";

import { between, byHand, type Scenario } from "../harness/scenario.ts";

const info = { name: "agent", version: "1.0.0" };
const done = { stopReason: "end_turn" } as const;

const first = v1.createAgent({ info, sessionId: () => "session-1", handlers: { "session/prompt": () => done } });
const second = v2.createAgent({ info, sessionId: () => "session-2", handlers: { "session/prompt": () => done } });
const both = v2.agentOfVersions({ v1: first, v2: second });
const client1 = v1.createClient({ info, handlers: { "fs/read_text_file": () => ({ content: "" }) } });
const client2 = v2.createClient({ info });
const clientOfBoth = v2.clientOfVersions({ v1: client1, v2: client2 });

export const versions: readonly Scenario[] = [
  ...Object.entries({ "version 1": first, "version 2": second, "both versions": both }).flatMap(([name, agent]) => [
    between(`an agent of ${name} with a client of both`, async (wire) => {
      const ends = wire.connection();
      agent.connect(ends.agent);
      const connected = await wire.outcome("connect", clientOfBoth.connect(ends.client, { _meta: { both: true } }));
      await wire.step("prompt");
      if (connected?.version === 1) {
        const session = await connected.agent.newSession({ cwd: "/project" });
        await wire.outcome("prompt", session.prompt("go").response);
      }
      if (connected?.version === 2) {
        const session = await connected.agent.newSession({ cwd: "/project" });
        await wire.outcome("prompt", session.prompt("go").finished);
      }
      await connected?.agent.close();
    }),
    between(`an agent of ${name} with a client of version 1`, async (wire) => {
      const ends = wire.connection();
      agent.connect(ends.agent);
      await (await wire.outcome("connect", client1.connect(ends.client)))?.close();
    }),
    between(`an agent of ${name} with a client of version 2`, async (wire) => {
      const ends = wire.connection();
      agent.connect(ends.agent);
      await (await wire.outcome("connect", client2.connect(ends.client)))?.close();
    }),
  ]),
  byHand("an agent of both versions with a client by hand", async (wire) => {
    for (const protocolVersion of [0, 1, 2, 3, 99, "1", null]) {
      await wire.step(String(protocolVersion));
      const client = wire.rawClient((transport) => both.connect(transport));
      await client.call("session/new", { cwd: "/early" });
      await client.notify("session/cancel", { sessionId: "s" });
      await client.send("{");
      await client.call("initialize", { protocolVersion, info, capabilities: {}, clientCapabilities: {} });
      await client.call("session/new", { cwd: "/project", mcpServers: [] });
      await client.close();
    }
  }),
];
