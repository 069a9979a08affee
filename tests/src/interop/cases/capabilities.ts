import { deepStrictEqual as equal } from "node:assert";

import type { AgentCapabilities, ClientCapabilities } from "@acp/schema/v1";

import { desk } from "../agent-desk.ts";
import { asked, combinations, gatedUpdates, wanted } from "../capability-table.ts";
import { codeOf } from "../failure.ts";
import { isOffered } from "../handled-requests.ts";
import type { CaseContext, InteropCase } from "../interop-case.ts";
import { asObject, at } from "../json.ts";
import { agentInfo, clientInfo, wholeAgent } from "../profile.ts";
import { configOptions, updates } from "../../support/samples.ts";
import type { Step } from "../steps.ts";

/** What was offered works, and what was not is not called, or refused. */
export const capabilityCases: readonly InteropCase[] = combinations.map(({ name, agent, client }): InteropCase => ({
  name: `INIT-13: ${name}`,
  agent: { capabilities: agent, authMethods: wholeAgent.authMethods },
  client,
  async run(context) {
    await checkInitialize(context, agent, client);
    await checkAsked(context, agent);
    await checkWanted(context, client);
    await checkUpdates(context, client);
    await checkOptions(context, client);
  },
}));

async function checkInitialize(
  { client: port }: CaseContext,
  agent: AgentCapabilities,
  client: ClientCapabilities,
): Promise<void> {
  const { protocolVersion, agentCapabilities, agentInfo: info, authMethods } = port.details;
  equal([protocolVersion, agentCapabilities, info], [1, agent, agentInfo]);
  // A terminal login is only for clients that can open one (AUTH-03).
  const offered = wholeAgent.authMethods.filter((method) => client.auth?.terminal === true || !("type" in method));
  equal(authMethods, offered);
  const peer = await port.call(desk.peer, {});
  equal(peer["info"], clientInfo);
  for (const needs of [...wanted, ...gatedUpdates].map((one) => one.needs)) {
    equal(isOffered(peer["capabilities"], needs), isOffered(client, needs), needs.join("."));
  }
}

async function checkAsked(
  { client, clientSdk, agentSdk, newSession, agentLog }: CaseContext,
  agent: AgentCapabilities,
): Promise<void> {
  for (const { needs, call, refusal } of asked) {
    const method = String(call["method"]);
    const isScoped = method === "session/prompt" || method === "session/close";
    // oxlint-disable-next-line no-await-in-loop
    const scope = isScoped ? { sessionId: await newSession() } : {};
    // oxlint-disable-next-line no-await-in-loop
    await agentLog();
    // oxlint-disable-next-line no-await-in-loop
    const code = await codeOf(client.call(method, { ...scope, ...asObject(call["params"]) }));
    // oxlint-disable-next-line no-await-in-loop
    const reached = (await agentLog()).some((entry) => entry.method === method);
    const label = `${method} ${needs.join(".")}`;
    if (needs.length === 0 || isOffered(agent, needs)) equal([code, reached], [undefined, true], label);
    else if (clientSdk === "toolkit") equal([code, reached], ["missing_capability", false], label);
    // The official agent takes any content; neither agent refuses servers and directories it did not ask for.
    else if (refusal === "taken" || (refusal === -32602 && agentSdk === "official")) equal(code, undefined, label);
    else equal([code, reached], [refusal, false], label);
  }
}

async function checkWanted(
  { client: port, agentSdk, newSession, play }: CaseContext,
  client: ClientCapabilities,
): Promise<void> {
  for (const { call, result } of wanted) port.record.answer(call, () => result);
  const { results } = await play(
    // oxlint-disable-next-line no-await-in-loop
    await newSession(),
    wanted.map(({ call, params }): Step => ({ call, params })),
  );
  for (const [index, { needs, call }] of wanted.entries()) {
    const label = `${call} ${needs.join(".")}`;
    const code = at(results[index], "failure", "code");
    if (isOffered(client, needs)) equal(code, undefined, label);
    else if (agentSdk === "toolkit") equal(code, "missing_capability", label);
    // With a handler for the other mode, it is the params that are wrong (ELIC-02).
    else if (call === "elicitation/create" && hasElicitation(client)) equal(code, -32602, label);
    else equal(code, -32601, label);
  }
}

async function checkUpdates({ agentSdk, newSession, play }: CaseContext, client: ClientCapabilities): Promise<void> {
  const sent = gatedUpdates.map(({ variant }) => ({ sessionUpdate: variant, ...updates[variant] }));
  const turn = await play(
    await newSession(),
    sent.map((update) => ({ tryUpdate: update })),
  );
  const allowed = gatedUpdates.map(({ needs }) => agentSdk === "official" || isOffered(client, needs));
  equal(
    turn.results.map((result) => at(result, "failure", "code") ?? "sent"),
    allowed.map((isAllowed) => (isAllowed ? "sent" : "missing_capability")),
  );
  equal(
    turn.updates,
    sent.filter((_, index) => allowed[index]),
  );
}

/** Boolean options are for clients that advertised them (CONF-05); the official agent leaves that to its author. */
async function checkOptions(
  { client: port, agentSdk, arrange, play }: CaseContext,
  client: ClientCapabilities,
): Promise<void> {
  const isTold = agentSdk === "official" || isOffered(client, ["session", "configOptions", "boolean"]);
  const expected = isTold ? configOptions : configOptions.filter(({ type }) => type !== "boolean");
  await arrange("session/new", { result: { sessionId: "options", configOptions } });
  const opened = await port.call("session/new", { cwd: "/project", mcpServers: [] });
  equal(opened["configOptions"], expected);
  const turn = await play("options", [{ update: { sessionUpdate: "config_option_update", configOptions } }]);
  equal(turn.updates, [{ sessionUpdate: "config_option_update", configOptions: expected }]);
  await arrange("session/set_config_option", { result: { configOptions } });
  const set = { sessionId: "options", configId: "model", value: "large" };
  equal(await port.call("session/set_config_option", set), { configOptions: expected });
}

function hasElicitation(client: ClientCapabilities): boolean {
  return isOffered(client, ["elicitation", "form"]) || isOffered(client, ["elicitation", "url"]);
}
