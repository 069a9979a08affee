// Each example of the protocol's reference, between an agent and a client of ours: all methods, and all kinds of updates.
import type { AnyPeer, Edition } from "../harness/edition.ts";
import {
  answering,
  loginOf,
  type MethodExample,
  methodExamples,
  sessionId,
  updateExamples,
} from "../harness/examples.ts";
import { between, type Scenario } from "../harness/scenario.ts";
import type { Wire } from "../harness/wire.ts";

/** In which order the client calls: what opens a session comes first, what ends it last. */
const order = [
  "authenticate",
  "auth/login",
  "session/new",
  "session/set_mode",
  "session/set_config_option",
  "session/prompt",
  "session/load",
  "session/resume",
  "session/fork",
  "session/status",
  "session/set_title",
  "*",
  "session/close",
  "session/unarchive",
  "session/archive",
  "session/delete",
  "logout",
  "auth/logout",
];
const placeOf = (method: string): number => order.indexOf(order.includes(method) ? method : "*");

function send(peer: AnyPeer, { method, params, result }: MethodExample): Promise<unknown> {
  return result === undefined ? peer.notify(method, params) : peer.request(method, params);
}

async function sendAllOfAgent(wire: Wire, edition: Edition, client: AnyPeer): Promise<void> {
  for (const example of methodExamples(edition, "agent")) {
    await wire.step(`the agent calls ${example.method}`);
    await wire.outcome(example.method, send(client, example));
  }
  for (const update of updateExamples(edition)) {
    await wire.step(`update ${String(update["sessionUpdate"])}`);
    await client.notify("session/update", { sessionId, update });
  }
}

export function everyMessage(edition: Edition): readonly Scenario[] {
  return [
    between("each example of the reference", async (wire) => {
      let client: AnyPeer | undefined;
      const agent = edition.createAgent({
        info: { name: "agent", version: "1.0.0" },
        gate: "diagnose",
        authMethods: [loginOf(edition)],
        handlers: {
          ...answering(edition, "client"),
          _begin: (_params, context) => {
            client = context.client;
            return {};
          },
        },
      });
      const host = edition.createClient({
        info: { name: "client", version: "1.0.0" },
        gate: "diagnose",
        capabilities: { elicitation: { form: {}, url: {} } },
        handlers: answering(edition, "agent"),
      });
      const ends = wire.connection();
      agent.connect(ends.agent);
      const connected = await host.connect(ends.client);
      await connected.request("_begin");
      const calls = methodExamples(edition, "client").filter(({ method }) => method !== "initialize");
      for (const call of calls.toSorted((a, b) => placeOf(a.method) - placeOf(b.method))) {
        await wire.step(`the client calls ${call.method}`);
        await wire.outcome(call.method, send(connected, call));
        if (call.method === "session/prompt" && client !== undefined) await sendAllOfAgent(wire, edition, client);
      }
      await wire.step("the client closes");
      await connected.close();
    }),
  ];
}
