import { deepStrictEqual as equal } from "node:assert";

import { codeOf } from "../../failure.ts";
import type { CaseContext, InteropCase } from "../../interop-case.ts";
import { at, type Json } from "../../json.ts";
import { wholeAgent, wholeClient } from "../../profile.ts";
import { acpServer, plans, systemPrompts, toolsProgress, unstableUpdates } from "../../samples-unstable.ts";

const cwd = "/project";
const session = { sessionId: "s" };
const setup = { cwd, mcpServers: [] };
const [append, override] = systemPrompts;
const message = { serverId: acpServer.serverId, requestId: "1" };

/** What a client may ask of an unstable agent, and what an agent of the toolkit says that has not offered it. */
const asked: readonly {
  readonly what?: string;
  readonly method: string;
  readonly params: Json;
  /** `taken`: an agent does not refuse what it has not asked for; `note`: a notification, which has no answer. */
  readonly refusal: number | "taken" | "note";
}[] = [
  { method: "session/fork", params: { ...session, ...setup }, refusal: -32601 },
  { method: "session/archive", params: session, refusal: -32601 },
  { method: "session/unarchive", params: session, refusal: -32601 },
  { method: "session/status", params: session, refusal: -32601 },
  { method: "session/set_title", params: { ...session, title: "T" }, refusal: -32601 },
  { method: "auth/status", params: {}, refusal: -32601 },
  { method: "providers/list", params: {}, refusal: -32601 },
  { method: "providers/set", params: { providerId: "p", apiType: "openai", baseUrl: "https://a" }, refusal: -32601 },
  { method: "providers/disable", params: { providerId: "p" }, refusal: -32601 },
  { method: "mcp/message", params: { ...message, ...toolsProgress }, refusal: "note" },
  { what: "append", method: "session/new", params: { ...setup, systemPrompt: append }, refusal: "taken" },
  { what: "override", method: "session/new", params: { ...setup, systemPrompt: override }, refusal: "taken" },
  { what: "acp", method: "session/new", params: { cwd, mcpServers: [acpServer] }, refusal: "taken" },
];

const ofSubagents = Object.entries(unstableUpdates)
  .filter(([variant]) => !variant.startsWith("plan"))
  .map(([sessionUpdate, members]) => ({ tryUpdate: { sessionUpdate, ...members } }));

/** What is not offered is refused before a byte is sent, or by the agent, or replaced. */
export const unofferedCases: readonly InteropCase[] = [
  {
    name: "INIT-12: nothing unstable is asked of an unstable agent that offers none of it (the official client does, and is refused)",
    agent: wholeAgent,
    run: (context) => checkAsked(context),
  },
  {
    name: "INIT-12: nothing unstable is asked of a stable agent (the official client does, and is refused)",
    entries: { agent: "stable" },
    // What a stable agent cannot read is wrong: its servers have no such type.
    run: (context) => checkAsked(context, { acp: -32602 }),
  },
  {
    name: "INIT-12: a system prompt overrides only where the agent lets it (the official client asks all the same)",
    agent: {
      capabilities: { sessionCapabilities: { systemPrompt: {} } },
      authMethods: [],
    },
    async run({ client, clientSdk, agentLog }) {
      await client.call("session/new", { ...setup, systemPrompt: append });
      const code = await codeOf(client.call("session/new", { ...setup, systemPrompt: override }));
      equal(code, clientSdk === "toolkit" ? "missing_capability" : undefined);
      const modes = (await agentLog()).map(({ params }) => at(params, "systemPrompt", "mode"));
      equal(modes, clientSdk === "toolkit" ? ["append"] : ["append", "override"]);
    },
  },
  ...(["unstable", "stable"] as const).flatMap((client): readonly InteropCase[] => [
    {
      name: `PLAN-07, PLAN-08: the toolkit's agent tells plans to a ${client} client without \`plan\` as the plan it knows`,
      only: { agent: "toolkit" },
      entries: { client },
      client: wholeClient,
      run: checkPlans,
    },
    {
      name: `INIT-12: the toolkit's agent tells a ${client} client without \`subagents\` of none`,
      only: { agent: "toolkit" },
      entries: { client },
      client: wholeClient,
      async run({ newSession, play }) {
        const { results, updates } = await play(await newSession(), ofSubagents);
        equal([codesOf(results), updates], [Array(3).fill("missing_capability"), []]);
      },
    },
  ]),
  {
    name: "INIT-12: servers are asked, and logins told, only by agents that offered it (the official agent does it all the same)",
    agent: wholeAgent,
    async run({ agentSdk, client, newSession, play }) {
      client.record.answer("mcp/message", () => ({ result: null }));
      const { results } = await play(await newSession(), [
        { call: "mcp/message", params: { ...message, method: "tools/list" } },
        { tryNotify: "auth/status_update", params: { state: "unknown" } },
      ]);
      const isOfficial = agentSdk === "official";
      equal(codesOf(results), isOfficial ? [undefined, undefined] : Array(2).fill("missing_capability"));
      equal(client.record.paramsOf("mcp/message").length, isOfficial ? 1 : 0);
    },
  },
];

/** Asks for all that is not offered; `other` are refusals that are not the usual ones. */
async function checkAsked(
  { client, clientSdk, agentLog, newSession }: CaseContext,
  other: Readonly<Record<string, number>> = {},
): Promise<void> {
  for (const { what = "", method, params, refusal } of asked) {
    const isNote = refusal === "note";
    const calling = isNote ? client.notify(method, params) : client.call(method, params);
    // One after another: the agent has one log.
    // oxlint-disable-next-line no-await-in-loop
    const code = await codeOf(calling);
    // oxlint-disable-next-line no-await-in-loop
    const reached = (await agentLog()).length > 0;
    const label = `${method} ${what}`;
    if (clientSdk === "toolkit") equal([code, reached], ["missing_capability", false], label);
    else if (isNote) equal(code, undefined, label);
    else equal(code, other[what] ?? (refusal === "taken" ? undefined : refusal), label);
  }
  // All of it does no harm.
  await newSession();
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
