import { type AgentDefinition, type AgentSession, createAgent } from "@acp/core";

import {
  cursorOf,
  FrontConnection,
  type FrontParts,
  type FrontState,
  type History,
  newState,
  setupOf,
} from "./front-connection.ts";
import { V1Client } from "./v1-client.ts";

type Session = AgentSession<FrontState<V1Client>>;

/** The hub as an agent of version 1, for one connection. */
export function frontAgent(parts: FrontParts): AgentDefinition {
  const { facts, user, access, sessions } = parts;
  const front = new FrontConnection<V1Client>(parts);

  async function attach(
    session: Session,
    { feed, start }: Awaited<ReturnType<typeof front.reopen>>,
    history: History,
  ): Promise<object> {
    const client: V1Client = new V1Client(session, front.audience, {
      connection: front.id,
      mayAnswer: () => access.may(user, session.id, "answer"),
      answered: (question, result) => front.answer(session, question, result, client),
      unable: () => sessions.checkAttention(session.id),
      lost: () => {},
    });
    const _meta = await front.attach(session, { feed, client, start }, history);
    return { ...setupOf(feed), _meta };
  }

  return createAgent({
    info: { name: "acp-hub", version: "1.0.0", title: `${facts.title} (hub)` },
    capabilities: {
      _meta: facts.capabilities._meta,
      promptCapabilities: facts.capabilities.promptCapabilities,
      mcpCapabilities: facts.capabilities.mcpCapabilities,
      sessionCapabilities: { additionalDirectories: facts.capabilities.sessionCapabilities?.additionalDirectories },
    },
    authMethods: facts.authMethods.filter(
      (method) => user?.share === undefined && (!("type" in method) || method.type !== "terminal"),
    ),
    overlappingPrompts: "alongside",
    session: (): FrontState<V1Client> => newState(),
    handlers: {
      ...front.extensions,
      authenticate: async ({ methodId }) => {
        front.refuseShare();
        await parts.login(methodId);
        return {};
      },
      "session/new": async (_params, { session }) => {
        const created = await front.create(session, session.mcpServers);
        return { sessionId: session.id, ...(await attach(session, created, "shown")) };
      },
      "session/load": async (_params, { session }) =>
        await attach(session, await front.reopen(session, session.mcpServers), "shown"),
      "session/resume": async ({ _meta }, { session }) =>
        await attach(session, await front.reopen(session, session.mcpServers), cursorOf(_meta) ?? "left out"),
      "session/list": ({ cwd, cursor }) => front.list(cwd, cursor),
      // Of this client only: the session goes on for the others.
      "session/close": () => ({}),
      "session/delete": async ({ sessionId }) => {
        await front.remove(sessionId);
        return {};
      },
      "session/set_mode": async ({ modeId }, { session, signal }) => {
        await front.call(session, "session/set_mode", { modeId }, signal);
        return {};
      },
      "session/set_config_option": async (params, { session, signal }) =>
        (await front.call(session, "session/set_config_option", params, signal)) as never,
      "session/prompt": async ({ prompt, _meta }, { session, signal }) =>
        (await front.prompt(session, { key: front.operationOf(_meta), blocks: prompt }, signal)) as never,
      "session/cancel": async (_params, { session }) => {
        if (session !== undefined) await front.cancel(session);
      },
    },
  });
}
