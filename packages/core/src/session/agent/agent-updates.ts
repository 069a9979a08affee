import type { SessionNotification, SessionUpdate } from "@acp/schema/v1/types";
import type { Connection } from "../../rpc/connection.ts";
import { callListener, ignoreRejection } from "../../base/promises.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { GivenOptions } from "../../v1/agent-connection.ts";
import type { ClientDetails } from "../../v1/agent-handlers.ts";
import type { CallRules } from "../rules/call-rules.ts";
import { type Choices, checkOffer, offersChoices } from "../rules/choices.ts";
import { offerOptions } from "./offered-options.ts";
import type { OpenSession } from "./open-session.ts";
import { isObject } from "../../base/values.ts";

/** What an agent's updates need from their connection. */
export interface AgentUpdatesOptions {
  readonly table: AgentRole;
  readonly rules: CallRules;
  readonly connection: Connection;
  clientDetails(): ClientDetails;
  /** Has the agent's own listener. */
  readonly given: Pick<GivenOptions, "onUpdate">;
}

/** An agent's updates, and what it offers its client to choose from: what may be sent, when, and who is told. */
export interface AgentUpdates {
  /** Sends an update of a session. `more` are the members of the params beside the update. */
  update(session: OpenSession, update: SessionUpdate, more?: object): Promise<void>;
  /** The same for an update that the client can do without (NOTC-01, NOTC-06): whether it was sent. */
  offer(session: OpenSession, update: SessionUpdate): Promise<boolean>;
  /** Sends an update of a session that is not open here: the params of `session/update`. */
  updateOther(params: unknown): Promise<void>;
  /** What a session offers to choose from, as its client gets it; what is chosen later is held to it. */
  offered(method: string, made: unknown, session: OpenSession | undefined): unknown;
}

const method = "session/update";

export function createAgentUpdates(options: AgentUpdatesOptions): AgentUpdates {
  const { table, rules, connection, clientDetails, given } = options;
  /** What stands for sessions that are not open here, such as those of subagents: by their ids, where it is asked for. */
  const others = new Map<string, object>();

  function update(session: OpenSession, made: SessionUpdate, more?: object): Promise<void> {
    if (session.isSilent && !connection.hasEnded) {
      const { reopening, signal } = session;
      const state = reopening === undefined ? "has ended" : "is being opened again";
      // Its client may end a session at any time, which `signal` tells.
      const cause = reopening ?? signal.reason;
      return ignoreRejection(Promise.reject(new UsageError(`${method}: the session ${state}`, { cause })));
    }
    const { waiting } = session;
    let checked = made;
    let text: string | undefined;
    try {
      text = waiting !== undefined || more !== undefined ? undefined : session.writeTextChunk(made);
      if (text === undefined) checked = check(made, session);
    } catch (error) {
      return Promise.reject(isObject(made) ? error : new UsageError(`${method}: /update is no object`));
    }
    if (waiting === undefined) return send(session, checked, more, text);
    waiting.push(() => {
      // Its sender was told that it waits, and hears no more of it.
      send(session, checked, more).catch((error: unknown) => connection.reportUnsent(method, error));
    });
    return Promise.resolve();
  }

  async function offer(session: OpenSession, made: SessionUpdate): Promise<boolean> {
    try {
      await update(session, made);
      return true;
    } catch (error) {
      if (!(error instanceof CapabilityError)) throw error;
      const { capability, message } = error;
      rules.report({ type: "left-out", level: "info", message: `${message}; it was left out`, method, capability });
      return false;
    }
  }

  function offered(subject: string, made: unknown, session: OpenSession | undefined): unknown {
    const holder = offerOptions(rules, subject, made);
    rules.refuse(subject, checkOffer(holder, session?.choices ?? {}));
    const { modes, configOptions } = (holder ?? {}) as Choices;
    if (session !== undefined && (modes ?? configOptions) != null) {
      session.choices = { ...session.choices, ...(modes && { modes }), ...(configOptions && { configOptions }) };
    }
    return holder;
  }

  /** An update as it may be sent, in a session that is open here or has this id. */
  function check(made: SessionUpdate, session: OpenSession | undefined, id = ""): SessionUpdate {
    const holder = session ?? others.get(id) ?? {};
    const known = (table.substitute?.(made, holder, clientDetails().capabilities) ?? made) as SessionUpdate;
    if (known !== made && session === undefined) others.set(id, holder);
    rules.checkVariant(method, "SessionUpdate", known.sessionUpdate, known);
    const { update: shown } = rules.checkNotification(method, { update: known }, session) as { update: SessionUpdate };
    // What is left out are items of a list, so it is an update as before.
    return offersChoices(shown) ? (offered(method, shown, session) as SessionUpdate) : shown;
  }

  function send(session: OpenSession, made: SessionUpdate, more: object | undefined, text?: string): Promise<void> {
    const params = text === undefined ? { sessionId: session.id, update: made, ...more } : undefined;
    let sent: Promise<void>;
    try {
      sent = text === undefined ? connection.send(method, params) : connection.sendWritten(method, text);
    } catch (error) {
      const promise = Promise.reject(error);
      // The client may go at any time, which its session's signal tells.
      return connection.hasEnded ? ignoreRejection(promise) : promise;
    }
    // What goes wrong there is no matter of whoever sent it.
    if (given.onUpdate !== undefined && !session.isReplaying) {
      const fail = (error: unknown): string => connection.reportFailure(method, error);
      callListener((sentUpdate) => given.onUpdate?.(sentUpdate, session), made, fail);
    }
    return sent;
  }

  return {
    update,
    offer,
    offered,
    async updateOther(params) {
      const { update: made, sessionId } = params as SessionNotification;
      const checked = check(made, undefined, sessionId);
      await connection.send(method, checked === made ? params : { ...(params as object), update: checked });
    },
  };
}
