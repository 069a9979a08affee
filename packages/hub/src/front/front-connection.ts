import { RequestError } from "@acp/core";
import { isObject, randomId } from "@acp/core/internal";

import type { Access } from "../access.ts";
import { type Cursor, formatCursor, parseCursor } from "../journal/cursor.ts";
import { type ExtensionMessage, extensionNotification, extensionRequest, noSuchMethod } from "../extensions.ts";
import type { Command } from "../journal/entry.ts";
import type { ListedSession } from "../journal/journal.ts";
import type { OpenAsk } from "../journal/session-facts.ts";
import type { KeeperStart } from "../keeper/keepers.ts";
import type { Act, HubUser } from "../rights.ts";
import type { Audience } from "../wire-error.ts";
import { type AttachedClient, Attachment } from "./attachment.ts";
import type { Answering } from "./attention.ts";
import type { Feed } from "./feed.ts";
import type { HubSessions } from "./hub-sessions.ts";
import type { OwnPrompts } from "./own-prompts.ts";
import type { AgentFacts, NamedProgram } from "./program.ts";
import { runPrompt } from "./run-prompt.ts";

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

/** A client of any version. */
export interface FrontClient extends AttachedClient, Answering {
  readonly prompts: OwnPrompts;
}

/** The session of a client, as `AgentSession` of any version has it. */
export interface FrontSession {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly signal: AbortSignal;
  readonly client: { readonly info: { readonly title?: string | null; readonly name: string } | undefined };
}

/** One client on one session. */
export interface Attached<Client> {
  readonly feed: Feed;
  readonly client: Client;
  /** What opens the session, if nobody keeps it. */
  readonly start: KeeperStart;
}

/** What a front remembers of a client's session. */
export interface FrontState<Client> {
  attached: Attached<Client> | undefined;
  /** The client has cancelled the turns that run. */
  isCancelled: boolean;
  /** The keys of the client's prompts that have not ended. */
  readonly prompts: Set<string>;
}

/** A session of a client, with what the front remembers of it. */
type OpenSession<Client> = FrontSession & { readonly state: FrontState<Client> };

/** A session that no client has opened yet. */
export function newState<Client>(): FrontState<Client> {
  return { attached: undefined, isCancelled: false, prompts: new Set() };
}

/** What a client has not seen: everything, what comes from now on, or what is behind a place. */
export type History = "shown" | "left out" | Cursor;

/** How long the name of a prompt may be, in UTF-16 code units. */
const longestOperation = 256;
/** How long a client may take from closing a question to its end, in milliseconds. */
const leaveTime = 1000;
const lostNotice = "The hub has lost the place up to which you have seen this session. All that it has follows again.";

/** What the hub does for one connection, in any version. Keepers and agents get the words of version 1. */
export class FrontConnection<Client extends FrontClient> {
  readonly parts: FrontParts;
  /** What only users of this machine learn. */
  readonly audience: Audience;
  readonly id: string = randomId();
  readonly #open = new Map<string, OpenSession<Client>>();

  constructor(parts: FrontParts) {
    this.parts = parts;
    this.audience = parts.user === undefined ? "machine" : "remote";
  }

  /** Who a client is to others. */
  nameOf({ client: { info } }: FrontSession): string | undefined {
    const { user } = this.parts;
    return user?.name ?? user?.id ?? info?.title ?? info?.name;
  }

  /** A share is of one session. */
  refuseShare(): void {
    if (this.parts.user?.share === undefined) return;
    throw RequestError.invalidParams("Your token is for one session: it cannot start others, or log in to the agent");
  }

  /** Makes a session, which has the id that the connection has proposed. */
  async create(session: FrontSession, mcpServers: readonly unknown[]): Promise<{ feed: Feed; start: KeeperStart }> {
    this.refuseShare();
    const { sessions, program, user } = this.parts;
    const { cwd, additionalDirectories } = session;
    const setup = { cwd, additionalDirectories, mcpServers };
    const start = { session: session.id, program, setup, login: this.parts.chosenLogin(user?.id) };
    return { feed: await sessions.create(user?.id, start, this.audience), start };
  }

  /** Finds a session that may have no agent at the moment. */
  async reopen(session: FrontSession, mcpServers: readonly unknown[]): Promise<{ feed: Feed; start: KeeperStart }> {
    const { access, sessions, user } = this.parts;
    const found = await this.#allow(session.id, "watch");
    const feed = await sessions.feed(session.id);
    const setup = {
      cwd: found.cwd,
      additionalDirectories: found.additionalDirectories ?? [],
      // A server of MCP is a program to start, which only who may make such a session may choose.
      mcpServers: access.acts(user, found).includes("admin") ? mcpServers : [],
    };
    const login = this.parts.chosenLogin(found.owner);
    try {
      const start = { session: session.id, program: this.parts.programOf(found), setup, login };
      await sessions.adopt(start);
      return { feed, start };
    } catch (error) {
      sessions.release(feed);
      throw error;
    }
  }

  /** Attaches a client, and shows it the history that it has not seen. Returns the `_meta` of the answer. */
  async attach(session: OpenSession<Client>, attached: Attached<Client>, history: History): Promise<object> {
    const { sessions, access, user } = this.parts;
    const { feed, client } = attached;
    const after = history === "shown" ? undefined : history === "left out" ? feed.facts.cursor : history;
    const countOut = this.#countIn(attached);
    const attachment = new Attachment(feed, client, after, session.signal);
    session.state.attached = attached;
    this.#open.set(session.id, session);
    const detach = (): void => {
      countOut();
      if (this.#open.get(session.id) === session) this.#open.delete(session.id);
      sessions.release(session.state.attached?.feed ?? feed);
    };
    // A client may go while it is about to come.
    if (session.signal.aborted) detach();
    else session.signal.addEventListener("abort", detach, { once: true });
    if (history !== "left out") await attachment.replay();
    // Once the client has the answer, and knows that the session is open.
    setTimeout(() => void this.#follow(session, attachment).catch(() => {}), 0);
    const may = access.acts(user, await this.#allow(session.id, "watch"));
    const { state, queue } = feed.facts;
    const { cursor } = attachment;
    const sourceEventId = cursor && formatCursor(cursor);
    return { "acp-hub": { may, state: state.state, queue, ...(sourceEventId && { sourceEventId }) } };
  }

  /** Counts a client in. Returns what counts it out. */
  #countIn({ feed, client }: Attached<Client>): () => void {
    const { sessions } = this.parts;
    try {
      return sessions.attach(feed.session, client);
    } catch (error) {
      sessions.release(feed);
      throw error;
    }
  }

  /** Shows what comes. A client whose place the journal has lost is told so, and shown everything again. */
  async #follow(session: OpenSession<Client>, attachment: Attachment): Promise<void> {
    const { sessions } = this.parts;
    const attached = attachedOf(session);
    if (attachment.lost === undefined) await attachment.follow();
    if (attachment.lost !== "gone" || session.signal.aborted) return;
    const feed = await sessions.reach(() => sessions.feed(session.id));
    if (session.signal.aborted) return sessions.release(feed);
    sessions.release(attached.feed);
    session.state.attached = { ...attached, feed };
    await attached.client.show({ t: "notice", text: lostNotice, n: 0, epoch: 0, at: 0 });
    const again = new Attachment(feed, attached.client, undefined, session.signal);
    await again.replay();
    await this.#follow(session, again);
  }

  /** Sends a command, if the user may still do this when it is sent. */
  async send(session: string, act: Act, command: Command, key?: string): Promise<void> {
    const { access, sessions, user } = this.parts;
    await sessions.send(session, command, key, () => access.allow(user, session, act));
  }

  /** A client has answered a question. */
  async answer(session: FrontSession, question: OpenAsk, result: unknown, client: Client): Promise<void> {
    if (isClosed(result)) {
      // A client that goes away answers like this, too. Then it is for others to answer.
      await new Promise((resolve) => setTimeout(resolve, leaveTime));
      if (session.signal.aborted || (await this.parts.sessions.canOthersAnswer(session.id, question, client))) return;
    }
    const by = this.nameOf(session);
    await this.send(session.id, "answer", { type: "answer", ask: question.id, v: 1, result, by });
  }

  /** Sends a request to the agent of a session. */
  async call(session: OpenSession<Client>, method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const { sessions } = this.parts;
    await this.#allow(session.id, "prompt");
    const { feed, start } = attachedOf(session);
    await sessions.ensureKept(start);
    const key = randomId();
    await this.send(session.id, "prompt", { type: "call", v: 1, method, params, by: this.nameOf(session) }, key);
    return await sessions.endOf(feed, key, this.audience, signal);
  }

  /** The handlers of the client's methods that are of extensions: they are for the agent of the session that they name. */
  get extensions(): {
    readonly [extensionRequest]: (message: ExtensionMessage, context: { signal: AbortSignal }) => Promise<unknown>;
    readonly [extensionNotification]: (message: ExtensionMessage) => Promise<unknown>;
  } {
    return {
      [extensionRequest]: async (message, { signal }) => {
        const { method, sessionId } = message;
        if (sessionId === undefined) throw noSuchMethod(method);
        const session = this.#open.get(sessionId);
        if (session !== undefined) return await this.#extend(session, message, signal);
        throw RequestError.resourceNotFound(`No such session: ${sessionId}`, { sessionId });
      },
      [extensionNotification]: async (message) => {
        const session = this.#open.get(message.sessionId ?? "");
        if (session !== undefined) await this.#extend(session, message);
      },
    };
  }

  /** Passes a message of an extension to the agent; a notification has no signal. A client that leaves lets its request go on. */
  async #extend(
    session: OpenSession<Client>,
    { method, params }: ExtensionMessage,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { sessions } = this.parts;
    await this.#allow(session.id, "prompt");
    const { feed, start } = attachedOf(session);
    await sessions.ensureKept(start);
    const { _meta, ...members } = Object(params) as { readonly _meta?: unknown };
    const key = this.operationOf(_meta);
    const by = this.nameOf(session);
    const own = isObject(_meta) ? withoutOwn(_meta) : _meta;
    const call = { ...members, ...(own !== undefined && { _meta: own }) };
    const isNotification = signal === undefined;
    await this.send(session.id, "prompt", { type: "call", v: 1, method, params: call, isNotification, by }, key);
    if (signal === undefined) return undefined;
    const drop = (): void => {
      if (!session.signal.aborted) this.send(session.id, "prompt", { type: "drop", call: key, by }).catch(() => {});
    };
    // The end of the connection aborts both.
    const dropSoon = (): void => void setTimeout(drop, 0);
    if (signal.aborted) dropSoon();
    signal.addEventListener("abort", dropSoon, { once: true });
    try {
      return await sessions.endOf(feed, key, this.audience, session.signal);
    } finally {
      signal.removeEventListener("abort", dropSoon);
    }
  }

  /** Has a prompt run. Resolves with its result, once the client was shown everything before it. */
  async prompt(
    session: OpenSession<Client>,
    prompt: { readonly key: string; readonly blocks: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { prompts } = session.state;
    prompts.add(prompt.key);
    try {
      return await this.#prompt(session, prompt, signal);
    } finally {
      prompts.delete(prompt.key);
    }
  }

  async #prompt(
    session: OpenSession<Client>,
    prompt: { readonly key: string; readonly blocks: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<unknown> {
    await this.#allow(session.id, "prompt");
    // A cancel ends the turn at the agent. Otherwise the client only lets go of it, and the turn goes on.
    const letGo = new Promise<object>((resolve) => {
      signal.addEventListener("abort", () =>
        setTimeout(() => session.state.isCancelled || resolve({ stopReason: "cancelled" }), 0),
      );
    });
    session.state.isCancelled = false;
    return await Promise.race([this.#run(session, prompt), letGo]);
  }

  async #run(
    session: OpenSession<Client>,
    { key, blocks }: { readonly key: string; readonly blocks: readonly unknown[] },
  ): Promise<unknown> {
    const { feed, client, start } = attachedOf(session);
    const command = { type: "prompt", v: 1, prompt: blocks, client: this.id, by: this.nameOf(session) } as const;
    const { sessions } = this.parts;
    const send = (): Promise<void> => this.send(session.id, "prompt", command, key);
    return await runPrompt({ sessions, feed, prompts: client.prompts, start, key, audience: this.audience, send });
  }

  /** The client cancels the turn, whoever has begun it. */
  async cancel(session: OpenSession<Client>): Promise<void> {
    const { state } = session;
    state.isCancelled = true;
    const by = this.nameOf(session);
    // It may arrive late: it is for what the client sees now.
    const { active } = attachedOf(session).feed.facts;
    const prompts = [...state.prompts, ...(active === undefined ? [] : [active])];
    await this.send(session.id, "prompt", { type: "cancel", client: this.id, prompts, by });
  }

  /** A page of the sessions that the user may watch, of this agent. */
  async list(
    cwd: string | null | undefined,
    cursor: string | null | undefined,
  ): Promise<{ sessions: SessionInfo[]; nextCursor?: string }> {
    const { access, user, program } = this.parts;
    const filter = { agent: program.name, cwd: cwd ?? undefined };
    const { sessions: found, next } = await access.list(user, filter, cursor ?? undefined);
    return { sessions: found.map(toInfo), ...(next !== undefined && { nextCursor: next }) };
  }

  async remove(sessionId: string): Promise<void> {
    await this.parts.remove(await this.#allow(sessionId, "admin"));
  }

  /** Lets the user do something, or rejects. A journal that cannot be reached is tried again for a while. */
  #allow(session: string, act: Act): Promise<ListedSession> {
    const { access, sessions, user } = this.parts;
    return sessions.reach(() => access.allow(user, session, act));
  }

  /** The name of a prompt: one that its client sends again with the same name runs once. Nobody can use that of another user. */
  operationOf(meta: unknown): string {
    const { user } = this.parts;
    const own = isObject(meta) ? meta["acp-hub"] : undefined;
    const id = isObject(own) ? own["operationId"] : undefined;
    if (typeof id !== "string" || id === "") return randomId();
    if (id.length > longestOperation)
      throw RequestError.invalidParams(`An operationId has at most ${longestOperation} characters, not ${id.length}`);
    return user === undefined ? id : JSON.stringify([user.id, id]);
  }
}

/** What a client says to the hub is not for the agent. */
function withoutOwn(meta: Readonly<Record<string, unknown>>): object | undefined {
  const { "acp-hub": _, ...others } = meta;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** What lists say of a session. */
export interface SessionInfo {
  sessionId: string;
  cwd: string;
  title?: string;
  updatedAt: string;
}

export function attachedOf<Client>({ state }: { readonly state: FrontState<Client> }): Attached<Client> {
  if (state.attached === undefined) throw RequestError.internalError("The session is not attached");
  return state.attached;
}

/** Where a client that comes back goes on. */
export function cursorOf(meta: unknown): Cursor | undefined {
  const own = isObject(meta) ? meta["acp-hub"] : undefined;
  const after = isObject(own) ? own["after"] : undefined;
  return typeof after === "string" ? parseCursor(after) : undefined;
}

/** What a client is told of a session when it opens it. */
export function setupOf(feed: Feed): object {
  return Object(feed.facts.agent?.setup) as object;
}

function toInfo({ session, cwd, title, updatedAt }: ListedSession): SessionInfo {
  return { sessionId: session, cwd, ...(title !== undefined && { title }), updatedAt: updatedAt.toISOString() };
}

/** Whether an answer only says that this client asks no more. */
function isClosed(result: unknown): boolean {
  const outcome = isObject(result) ? result["outcome"] : undefined;
  return isObject(outcome) && outcome["outcome"] === "cancelled";
}
