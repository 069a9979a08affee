import { isObject } from "@acp/core/internal";
import type { AgentDefinition } from "@acp/core";
import { type AgentSession, createAgent } from "@acp/core/v2";
import { unknownVariant } from "@acp/schema";

import { promptDown } from "../bridge/prompts.ts";
import { initializeAnswerUp, openDown } from "../bridge/setup.ts";
import { parseCursor } from "../journal/cursor.ts";
import {
  attachedOf,
  cursorOf,
  FrontConnection,
  type FrontParts,
  type FrontState,
  type History,
  newState,
  setupOf,
} from "./front-connection.ts";
import { V2Client } from "./v2-client.ts";

type Session = AgentSession<FrontState<V2Client>>;

/** The hub as an agent of version 2, for one connection. */
export function frontAgent2(parts: FrontParts): AgentDefinition {
  const { facts, user, access, sessions } = parts;
  const front = new FrontConnection<V2Client>(parts);
  const { capabilities, authMethods = [] } = initializeAnswerUp({
    protocolVersion: 1,
    agentCapabilities: facts.capabilities,
    authMethods: [...facts.authMethods],
  }) as { readonly capabilities: object; readonly authMethods?: readonly never[] };

  async function attach(
    session: Session,
    { feed, start }: Awaited<ReturnType<typeof front.reopen>>,
    history: History,
  ): Promise<object> {
    const client: V2Client = new V2Client(session, front.audience, {
      connection: front.id,
      mayAnswer: () => access.may(user, session.id, "answer"),
      answered: (question, result) => front.answer(session, question, result, client),
      unable: () => sessions.checkAttention(session.id),
      lost: () => {},
    });
    const configOptions = client.settings.open(setupOf(feed));
    const _meta = await front.attach(session, { feed, client, start }, history);
    return { ...(configOptions !== undefined && { configOptions }), _meta };
  }

  const serversOf = (session: Session): readonly unknown[] =>
    (openDown({ mcpServers: session.mcpServers as never }) as { readonly mcpServers: readonly unknown[] }).mcpServers;

  return createAgent({
    info: { name: "acp-hub", version: "1.0.0", title: `${facts.title} (hub)` },
    capabilities,
    authMethods: user?.share === undefined ? authMethods : [],
    overlappingPrompts: "alongside",
    session: (): FrontState<V2Client> => newState(),
    handlers: {
      ...front.extensions,
      "auth/login": async ({ methodId }) => {
        front.refuseShare();
        await parts.login(methodId);
        return {};
      },
      "auth/logout": () => ({}),
      "session/new": async (_params, { session }) => {
        const created = await front.create(session, serversOf(session));
        return { sessionId: session.id, ...(await attach(session, created, "shown")) };
      },
      "session/resume": async ({ replayFrom, _meta }, { session }) =>
        await attach(session, await front.reopen(session, serversOf(session)), historyOf(replayFrom, _meta)),
      "session/list": ({ cwd, cursor }) => front.list(cwd, cursor),
      // Of this client only: the session goes on for the others.
      "session/close": () => ({}),
      "session/delete": async ({ sessionId }) => {
        await front.remove(sessionId);
        return {};
      },
      "session/set_config_option": async (request, { session, signal }) => {
        const { settings } = attachedOf(session).client;
        const call = settings.call(request as never);
        return settings.answer(call, await front.call(session, call.method, call.params, signal)) as never;
      },
      "session/prompt": async ({ prompt, _meta }, { session, signal, turn, client }) => {
        const key = front.operationOf(_meta);
        const end = attachedOf(session).client.begin(key, client, () => void turn.accept());
        try {
          const result = await front.prompt(session, { key, blocks: promptDown(prompt) }, signal);
          const stopReason = isObject(result) ? result["stopReason"] : undefined;
          return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn" } as never;
        } finally {
          end();
        }
      },
      "session/cancel": async (_params, { session }) => {
        if (session !== undefined) await front.cancel(session);
      },
    },
  });
}

/** From where a client wants the history: from the start, from behind an event, or not at all. */
function historyOf(replayFrom: unknown, meta: unknown): History {
  const { type, received } = Object(replayFrom) as { readonly type?: unknown; readonly received?: unknown };
  if (type === "start") return "shown";
  const { type: kind, sourceEventId } = Object(type === unknownVariant ? received : replayFrom) as {
    readonly type?: unknown;
    readonly sourceEventId?: unknown;
  };
  const cursor = kind === "after_event" && typeof sourceEventId === "string" ? parseCursor(sourceEventId) : undefined;
  return cursor ?? cursorOf(meta) ?? "left out";
}
