import { type AgentDefinition, type AgentSession, createAgent, RequestError } from "@acp/core";
import { isObject, randomId } from "@acp/core/internal";

import type { Access } from "../access.ts";
import { type Cursor, parseCursor } from "../journal/cursor.ts";
import type { Command } from "../journal/entry.ts";
import type { ListedSession } from "../journal/journal.ts";
import type { OpenAsk } from "../journal/session-facts.ts";
import type { KeeperStart } from "../keeper/keepers.ts";
import type { Act, HubUser } from "../rights.ts";
import { Attachment } from "./attachment.ts";
import type { Feed } from "./feed.ts";
import type { HubSessions } from "./hub-sessions.ts";
import type { AgentFacts, NamedProgram } from "./program.ts";
import { runPrompt } from "./run-prompt.ts";
import { V1Client } from "./v1-client.ts";

/** What a front needs for one connection. */
export interface FrontParts {
  readonly sessions: HubSessions;
  readonly program: NamedProgram;
  readonly facts: AgentFacts;
  readonly user: HubUser | undefined;
  readonly access: Access;
  /** The program that opens an earlier session. */
  programOf(session: ListedSession): NamedProgram;
  login(methodId: string): Promise<void>;
  /** The login that the owner of a session has chosen for the agent. */
  chosenLogin(owner: string | undefined): string | undefined;
  remove(session: ListedSession): Promise<void>;
}

/** How long the name of a prompt may be, in UTF-16 code units. */
const longestOperation = 256;
/** How long a client may take from closing a question to its end, in milliseconds. */
const leaveTime = 1000;

/** One client on one session. */
interface Attached {
  readonly feed: Feed;
  readonly client: V1Client;
  /** What opens the session, if nobody keeps it. */
  readonly start: KeeperStart;
}

/** What a front remembers of a client's session. */
interface FrontSession {
  attached: Attached | undefined;
  /** The client has cancelled the turns that run. */
  isCancelled: boolean;
}

type Session = AgentSession<FrontSession>;

/** The hub as an agent of version 1, for one connection. */
export function frontAgent(parts: FrontParts): AgentDefinition {
  const { sessions, program, facts, user, access } = parts;
  const connection = randomId();
  /** What only users of this machine learn. */
  const audience = user === undefined ? "machine" : "remote";
  /** Who a client is to others. */
  const nameOf = (session: Session): string | undefined => {
    const { info } = session.client;
    return user?.name ?? user?.id ?? info?.title ?? info?.name;
  };

  /** Attaches a client, and calls `history` before it gets what is new. */
  async function attach(session: Session, feed: Feed, start: KeeperStart, history: History): Promise<object> {
    const by = nameOf(session);
    const client = new V1Client(session, audience, {
      mayAnswer: () => access.may(user, session.id, "answer"),
      answered: (question, result) => answer(session, question, result, by, client),
      unable: () => sessions.checkAttention(session.id),
      lost: () => {},
    });
    const after = history === "shown" ? undefined : history === "left out" ? feed.facts.cursor : history;
    const attachment = new Attachment(feed, client, after, session.signal);
    session.state.attached = { feed, client, start };
    const detach = sessions.attach(feed.session, client);
    session.signal.addEventListener("abort", () => {
      detach();
      sessions.release(feed);
    });
    if (history !== "left out") await attachment.replay();
    // Once the client has the answer, and knows that the session is open.
    setTimeout(() => void attachment.follow().catch(() => {}), 0);
    const may = access.acts(user, await allow(session.id, "watch"));
    const { state, queue } = feed.facts;
    return { ...setupOf(feed), _meta: { "acp-hub": { may, state: state.state, queue } } };
  }

  /** Sends a command, if the user may still do this when it is sent. */
  async function send(session: string, act: Act, command: Command, key?: string): Promise<void> {
    await sessions.send(session, command, key, () => access.allow(user, session, act));
  }

  function allow(session: string, act: Act): Promise<ListedSession> {
    return sessions.reach(() => access.allow(user, session, act));
  }

  async function answer(
    session: Session,
    question: OpenAsk,
    result: unknown,
    by: string | undefined,
    client: V1Client,
  ): Promise<void> {
    if (isClosed(result)) {
      // A client that goes away answers like this, too. Then it is for others to answer.
      await new Promise((resolve) => setTimeout(resolve, leaveTime));
      if (session.signal.aborted || (await sessions.canOthersAnswer(session.id, question, client))) return;
    }
    await send(session.id, "answer", { type: "answer", ask: question.id, v: 1, result, by });
  }

  /** Opens a session that may have no agent at the moment. */
  async function reopen(session: Session, history: History): Promise<object> {
    const found = await allow(session.id, "watch");
    const feed = await sessions.feed(session.id);
    const setup = {
      cwd: found.cwd,
      additionalDirectories: found.additionalDirectories ?? [],
      // A server of MCP is a program to start, which only who may make such a session may choose.
      mcpServers: access.acts(user, found).includes("admin") ? session.mcpServers : [],
    };
    const login = parts.chosenLogin(found.owner);
    const start = { session: session.id, program: parts.programOf(found), setup, login };
    await sessions.adopt(start);
    return await attach(session, feed, start, history);
  }

  function attachedOf(session: Session): Attached {
    const { attached } = session.state;
    if (attached === undefined) throw RequestError.internalError("The session is not attached");
    return attached;
  }

  /** Sends a request to the agent of a session. */
  async function call(session: Session, method: string, params: object, signal: AbortSignal): Promise<unknown> {
    await allow(session.id, "prompt");
    const { feed, start } = attachedOf(session);
    await sessions.ensureKept(start);
    const key = randomId();
    await send(session.id, "prompt", { type: "call", v: 1, method, params, by: nameOf(session) }, key);
    return await sessions.endOf(feed, key, audience, signal);
  }

  return createAgent({
    info: { name: "acp-hub", version: "1.0.0", title: `${program.name} (hub)` },
    capabilities: {
      promptCapabilities: facts.capabilities.promptCapabilities,
      mcpCapabilities: facts.capabilities.mcpCapabilities,
      sessionCapabilities: { additionalDirectories: facts.capabilities.sessionCapabilities?.additionalDirectories },
    },
    authMethods: facts.authMethods.filter(
      (method) => user?.share === undefined && (!("type" in method) || method.type !== "terminal"),
    ),
    overlappingPrompts: "alongside",
    session: (): FrontSession => ({ attached: undefined, isCancelled: false }),
    handlers: {
      authenticate: async ({ methodId }) => {
        refuseShare(user);
        await parts.login(methodId);
        return {};
      },
      "session/new": async (_params, { session }) => {
        refuseShare(user);
        const { cwd, additionalDirectories, mcpServers } = session;
        const setup = { cwd, additionalDirectories, mcpServers };
        const start = { session: session.id, program, setup, login: parts.chosenLogin(user?.id) };
        const feed = await sessions.create(user?.id, start, audience);
        return { sessionId: session.id, ...(await attach(session, feed, start, "shown")) };
      },
      "session/load": async (_params, { session }) => await reopen(session, "shown"),
      "session/resume": async ({ _meta }, { session }) => await reopen(session, cursorOf(_meta) ?? "left out"),
      "session/list": async ({ cwd, cursor }) => {
        const filter = { agent: program.name, cwd: cwd ?? undefined };
        const { sessions: found, next } = await access.list(user, filter, cursor ?? undefined);
        return { sessions: found.map(toInfo), ...(next !== undefined && { nextCursor: next }) };
      },
      // Of this client only: the session goes on for the others.
      "session/close": () => ({}),
      "session/delete": async ({ sessionId }) => {
        await parts.remove(await allow(sessionId, "admin"));
        return {};
      },
      "session/set_mode": async ({ modeId }, { session, signal }) => {
        await call(session, "session/set_mode", { modeId }, signal);
        return {};
      },
      "session/set_config_option": async (params, { session, signal }) =>
        (await call(session, "session/set_config_option", params, signal)) as never,
      "session/prompt": async ({ prompt, _meta }, { session, signal }) => {
        await allow(session.id, "prompt");
        const { client, feed, start } = attachedOf(session);
        const key = operationOf(_meta, user) ?? randomId();
        const command = { type: "prompt", v: 1, prompt, client: connection, by: nameOf(session) } as const;
        const ended = runPrompt({
          sessions,
          feed,
          client,
          start,
          key,
          audience,
          send: () => send(session.id, "prompt", command, key),
        });
        // A cancel ends the turn at the agent. Otherwise the client only lets go of it, and the turn goes on.
        const letGo = new Promise<object>((resolve) => {
          signal.addEventListener("abort", () =>
            setTimeout(() => session.state.isCancelled || resolve({ stopReason: "cancelled" }), 0),
          );
        });
        session.state.isCancelled = false;
        return (await Promise.race([ended, letGo])) as never;
      },
      "session/cancel": async ({ sessionId }, { session }) => {
        if (session === undefined) return;
        session.state.isCancelled = true;
        await send(sessionId, "prompt", { type: "cancel", client: connection, by: nameOf(session) });
      },
    },
  });
}

/** What a client has not seen: everything, what comes from now on, or what is behind a place. */
type History = "shown" | "left out" | Cursor;

/** Where a client that comes back goes on. */
function cursorOf(meta: unknown): Cursor | undefined {
  const own = isObject(meta) ? meta["acp-hub"] : undefined;
  const after = isObject(own) ? own["after"] : undefined;
  return typeof after === "string" ? parseCursor(after) : undefined;
}

/** What a client is told of a session when it opens it. */
function setupOf(feed: Feed): object {
  return Object(feed.facts.agent?.setup) as object;
}

function toInfo({ session, cwd, title, updatedAt }: ListedSession): {
  sessionId: string;
  cwd: string;
  title?: string;
  updatedAt: string;
} {
  return { sessionId: session, cwd, ...(title !== undefined && { title }), updatedAt: updatedAt.toISOString() };
}

/** The name of a prompt that its client may send again. Nobody can use that of another user. */
function operationOf(meta: unknown, user: HubUser | undefined): string | undefined {
  const own = isObject(meta) ? meta["acp-hub"] : undefined;
  const id = isObject(own) ? own["operationId"] : undefined;
  if (typeof id !== "string" || id === "") return undefined;
  if (id.length > longestOperation)
    throw RequestError.invalidParams(`An operationId has at most ${longestOperation} characters, not ${id.length}`);
  return user === undefined ? id : JSON.stringify([user.id, id]);
}

/** A share is of one session. */
function refuseShare(user: HubUser | undefined): void {
  if (user?.share === undefined) return;
  throw RequestError.invalidParams("Your token is for one session: it cannot start others, or log in to the agent");
}

/** Whether an answer only says that this client asks no more. */
function isClosed(result: unknown): boolean {
  const outcome = isObject(result) ? result["outcome"] : undefined;
  return isObject(outcome) && outcome["outcome"] === "cancelled";
}
