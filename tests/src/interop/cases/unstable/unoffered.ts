import { deepStrictEqual as equal } from "node:assert";

import type { AgentCapabilities } from "@acp/schema/v1/unstable";

import { eventually } from "../../eventually.ts";
import { codeOf } from "../../failure.ts";
import { isOffered } from "../../handled-requests.ts";
import { type CaseContext, type InteropCase, test } from "../../interop-case.ts";
import { at, type Json } from "../../json.ts";
import { wholeAgent, wholeClient } from "../../profile.ts";
import { acpServer, plans, systemPrompts, toolsProgress, unstableUpdates } from "../../../support/samples-unstable.ts";

const cwd = "/project";
const session = { sessionId: "s" };
const setup = { cwd, mcpServers: [] };
const [append, override] = systemPrompts;
const message = { serverId: acpServer.serverId, requestId: "1" };

/** What a client may ask of an unstable agent, and what an agent of the toolkit says that has not offered it. */
const asked: readonly {
  readonly needs: string;
  readonly method: string;
  readonly params: Json;
  /** `taken`: an agent does not refuse what it has not asked for; `note`: a notification, which has no answer. */
  readonly refusal: number | "taken" | "note";
}[] = [
  { needs: "sessionCapabilities.fork", method: "session/fork", params: { ...session, ...setup }, refusal: -32601 },
  { needs: "sessionCapabilities.archive", method: "session/archive", params: session, refusal: -32601 },
  { needs: "sessionCapabilities.archive", method: "session/unarchive", params: session, refusal: -32601 },
  { needs: "sessionCapabilities.status", method: "session/status", params: session, refusal: -32601 },
  {
    needs: "sessionCapabilities.title",
    method: "session/set_title",
    params: { ...session, title: "T" },
    refusal: -32601,
  },
  { needs: "auth.status", method: "auth/status", params: {}, refusal: -32601 },
  { needs: "providers", method: "providers/list", params: {}, refusal: -32601 },
  {
    needs: "providers",
    method: "providers/set",
    params: { providerId: "p", apiType: "openai", baseUrl: "https://example.com" },
    refusal: -32601,
  },
  { needs: "providers", method: "providers/disable", params: { providerId: "p" }, refusal: -32601 },
  { needs: "mcpCapabilities.acp", method: "mcp/message", params: { ...message, ...toolsProgress }, refusal: "note" },
  {
    needs: "mcpCapabilities.acp",
    method: "session/new",
    params: { cwd, mcpServers: [acpServer] },
    refusal: "taken",
  },
  {
    needs: "sessionCapabilities.systemPrompt",
    method: "session/new",
    params: { ...setup, systemPrompt: append },
    refusal: "taken",
  },
  {
    needs: "sessionCapabilities.systemPrompt.mode.override",
    method: "session/new",
    params: { ...setup, systemPrompt: override },
    refusal: "taken",
  },
];

/** Each capability is once the only one, and none is offered once. */
const offers: readonly AgentCapabilities[] = [
  {},
  { sessionCapabilities: { fork: {} } },
  { sessionCapabilities: { archive: {}, fork: null } },
  { sessionCapabilities: { status: {} } },
  { sessionCapabilities: { title: {} } },
  { sessionCapabilities: { systemPrompt: {} } },
  { sessionCapabilities: { systemPrompt: { mode: { override: {} } } } },
  { auth: { status: {} } },
  { providers: {} },
  { mcpCapabilities: { acp: true } },
];

const ofSubagents = Object.entries(unstableUpdates)
  .filter(([variant]) => !variant.startsWith("plan"))
  .map(([sessionUpdate, members]) => ({ tryUpdate: { sessionUpdate, ...members } }));

/** What is not offered is refused before a byte is sent, or by the agent, or replaced. */
export const unofferedCases: readonly InteropCase[] = [
  ...offers.map((capabilities) =>
    test(
      `INIT-13/client: an agent that offers ${JSON.stringify(capabilities)} is asked for no more (the official client asks, and is refused)`,
      { agent: { capabilities, authMethods: [] } },
      async (context) => {
        equal(context.client.details.agentCapabilities, capabilities);
        await checkAsked(context, capabilities);
      },
    ),
  ),
  test(
    // It knows no such type of servers.
    "INIT-12/client: nothing unstable is asked of a stable agent (the official client asks, and is refused)",
    { entries: { agent: "stable" } },
    (context) => checkAsked(context, {}, { "mcpCapabilities.acp": -32602 }),
  ),
  ...(["unstable", "stable"] as const).flatMap((client): readonly InteropCase[] => [
    test(
      `PLAN-07, PLAN-08: the toolkit's agent sends plans to a ${client} client without \`plan\` as the plan it knows`,
      { only: { agent: "toolkit" }, entries: { client }, client: wholeClient },
      checkPlans,
    ),
    test(
      `INIT-12/agent: the toolkit's agent sends a ${client} client without \`subagents\` none`,
      { only: { agent: "toolkit" }, entries: { client }, client: wholeClient },
      async ({ newSession, play }) => {
        const { results, updates } = await play(await newSession(), ofSubagents);
        equal([codesOf(results), updates], [Array(3).fill("missing_capability"), []]);
      },
    ),
  ]),
  test(
    "INIT-12/agent: only agents that offered it get requests for servers and logins (the official agent does it all the same)",
    { agent: wholeAgent },
    async ({ agentSdk, client, newSession, play }) => {
      client.record.answer("mcp/message", () => ({ result: null }));
      const { results } = await play(await newSession(), [
        { call: "mcp/message", params: { ...message, method: "tools/list" } },
        { tryNotify: "auth/status_update", params: { state: "unknown" } },
      ]);
      const isOfficial = agentSdk === "official";
      equal(codesOf(results), isOfficial ? [undefined, undefined] : Array(2).fill("missing_capability"));
      equal(client.record.paramsOf("mcp/message").length, isOfficial ? 1 : 0);
    },
  ),
];

/**
 * Asks for everything: what was offered works, the rest does not leave a client of the toolkit. `other` are refusals
 * that are not the usual ones.
 */
async function checkAsked(
  { client, clientSdk, agentLog }: CaseContext,
  capabilities: AgentCapabilities,
  other: Readonly<Record<string, number>> = {},
): Promise<void> {
  for (const { needs, method, params, refusal } of asked) {
    const isNote = refusal === "note";
    // One after another: the agent has one log.
    // oxlint-disable-next-line no-await-in-loop
    const code = await codeOf(isNote ? client.notify(method, params) : client.call(method, params));
    const isGiven = isOffered(capabilities, needs.split("."));
    const label = `${method} with ${needs}`;
    // oxlint-disable-next-line no-await-in-loop
    const reached = isGiven && isNote ? await isLogged(agentLog) : (await agentLog()).length > 0;
    if (isGiven) equal([code, reached], [undefined, true], label);
    else if (clientSdk === "toolkit") equal([code, reached], ["missing_capability", false], label);
    else if (isNote) equal(code, undefined, label);
    else equal(code, other[needs] ?? (refusal === "taken" ? undefined : refusal), label);
  }
}

/** The official SDK may start the handler of a later request before that of an earlier notification. */
function isLogged(agentLog: CaseContext["agentLog"]): Promise<true> {
  return eventually(async () => ((await agentLog()).length > 0 ? true : undefined), "the notification is logged");
}

async function checkPlans({ newSession, play }: CaseContext): Promise<void> {
  const { items, markdown, file } = plans;
  const { updates } = await play(await newSession(), [
    ...[items, markdown, file].map((plan) => ({ update: { sessionUpdate: "plan_update", plan } })),
    { update: { sessionUpdate: "plan_removed", planId: items?.["planId"] } },
  ]);
  const listed = at(items, "entries") as readonly Json[];
  const task = { content: "Grüße", priority: "medium", status: "completed" };
  const link = { content: file?.["uri"], priority: "medium", status: "pending" };
  const lists = [listed, [...listed, task], [...listed, task, link], [task, link]];
  equal(
    updates,
    lists.map((entries) => ({ sessionUpdate: "plan", entries })),
  );
}

function codesOf(results: readonly unknown[]): readonly unknown[] {
  return results.map((result) => at(result, "failure", "code"));
}
