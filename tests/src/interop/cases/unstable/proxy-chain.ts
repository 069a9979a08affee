import { deepStrictEqual as equal } from "node:assert";

import { eventually } from "../../eventually.ts";
import { type InteropCase, test } from "../../interop-case.ts";
import { at } from "../../json.ts";
import { clientInfo, wholeProfiles } from "../../profile.ts";
import { meta } from "../../../support/samples.ts";

const { agent, client: clientCapabilities } = wholeProfiles.unstable;
const successor = { method: "session/prompt", params: { list: [1, null, { "": {} }] }, _meta: meta };
/** Why the rows are as they are. */
const reason = "the official SDK has its types and no side for it, so both ends register it by its name";

/** Messages between a conductor and a proxy, passed on by the toolkit's proxy as they are. */
export const proxyChainCases: readonly InteropCase[] = [
  test(`EXT-01: proxy/initialize (${reason})`, async ({ client, arrange, agentLog }) => {
    const params = { protocolVersion: 1, clientCapabilities, clientInfo, _meta: meta };
    const result = { protocolVersion: 1, agentCapabilities: agent.capabilities, _meta: meta };
    await arrange("proxy/initialize", { result });
    equal(await client.call("proxy/initialize", params), result);
    equal(await agentLog(), [{ method: "proxy/initialize", params }]);
  }),
  test(`proxy/successor, a request of the conductor (${reason})`, async ({ client, arrange, agentLog }) => {
    const result = { any: ["thing", null] };
    await arrange("proxy/successor", { result });
    equal(await client.call("proxy/successor", successor), result);
    equal(await agentLog(), [{ method: "proxy/successor", params: successor }]);
  }),
  test(`proxy/successor, a request of the proxy (${reason})`, async ({ client, newSession, play }) => {
    const { results } = await play(await newSession(), [{ call: "proxy/successor", params: successor }]);
    const sent = client.record.paramsOf("proxy/successor")[0];
    equal(results, [{ result: sent }]);
    equal(at(sent, "params"), successor.params);
    equal(at(sent, "_meta"), meta);
  }),
  test(`proxy/successor, a notification both ways (${reason})`, async ({ client, agentLog, newSession, play }) => {
    const sessionId = await newSession();
    await agentLog();
    await client.notify("proxy/successor", successor);
    const logged = await eventually(async () => (await agentLog())[0], "the notification");
    equal(logged, { method: "proxy/successor", params: successor });
    await play(sessionId, [{ notify: "proxy/successor", params: successor }]);
    const seen = await eventually(() => client.record.paramsOf("proxy/successor")[0], "the notification back");
    equal(seen, successor);
  }),
];
