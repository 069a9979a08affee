import { CapabilityError, UsageError } from "../../base/errors.ts";
import { callListener, ignoreRejection } from "../../base/promises.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { CallRules } from "../rules/call-rules.ts";
import { type Choices, checkOffer, offersChoices } from "../rules/choices.ts";
import type { ShownIn } from "../rules/shown-paths.ts";
import type { AgentMethodNames, AgentOptions, SessionUpdate } from "./agent-options.ts";
import type { ConnectedClient } from "./connected-client.ts";
import { withoutUnsupportedOptions } from "./offered-options.ts";

/** The history of a session while it is repeated. */
export interface ReplayedHistory {
  /** The update that has to be sent before this one. */
  before(update: SessionUpdate): SessionUpdate | undefined;
}

/** The parts of a session that its updates need. */
export interface UpdatingSession extends ShownIn {
  readonly signal: AbortSignal;
  /** Whether updates are refused, because the session has ended or is being opened again. */
  readonly isSilent: boolean;
  /** Why it is being opened again. */
  readonly reopening: unknown;
  readonly replay: ReplayedHistory | undefined;
  /** How many timeline items the session has sent so far. */
  timelineItems: number;
  /** How many updates it has sent so far. */
  sentUpdates: number;
  /** While the client does not know the session's id: functions that send the updates once it does. */
  readonly unsent: (() => void)[] | undefined;
  /** The modes and options that its client was offered. */
  choices: Choices;
  /** Writes the JSON of a plain text chunk; `undefined` for other updates. Call it only once the id of the session is final. */
  writeTextChunk(update: SessionUpdate): string | undefined;
  /** Called when an update was sent. Returns whether it is new, so that `onUpdate` gets it; replayed updates are not. */
  noteSent(update: SessionUpdate): boolean;
}

/** The parts that an agent's updates need from their connection. */
export interface AgentUpdatesParts {
  readonly dialect: {
    /** Whether an update has a place of its own in the timeline. */
    isTimelineItem(update: SessionUpdate): boolean;
  };
  readonly names: AgentMethodNames;
  readonly table: AgentRole;
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly client: ConnectedClient;
  readonly options: AgentOptions;
}

/** Checks and sends an agent's updates, and checks the modes and options that it offers. */
export interface AgentUpdates {
  /** Sends an update of a session. `more` are the other members of the params. */
  update(session: UpdatingSession, update: SessionUpdate, more?: object): Promise<void>;
  /** Sends an update only if the client can take it (NOTC-01, NOTC-06). Resolves with whether it was sent. */
  offer(session: UpdatingSession, update: SessionUpdate): Promise<boolean>;
  /** Sends an update of a session that is not open here: the params of `session/update`. */
  updateOther(params: unknown): Promise<void>;
  /** Removes the options that the client cannot show from a result or an update. Remembers the rest, to check choices. */
  withSupportedOptions(subject: string, made: unknown, session: UpdatingSession | undefined): unknown;
}

export function createAgentUpdates({
  dialect,
  names: { update: method },
  table,
  rules,
  connection,
  client,
  options,
}: AgentUpdatesParts): AgentUpdates {
  /** The values that `substitute` keeps for sessions that are not open here, such as those of subagents, by id. */
  const others = new Map<string, object>();

  function update(session: UpdatingSession, made: SessionUpdate, more?: object): Promise<void> {
    const first = session.replay?.before(made);
    if (first !== undefined) void ignoreRejection(update(session, first));
    if (session.isSilent && !connection.hasEnded) return rejectSilent(method, session);
    const { unsent } = session;
    let checked = made;
    let text: string | undefined;
    try {
      text = unsent !== undefined || more !== undefined ? undefined : session.writeTextChunk(made);
      if (text === undefined) checked = check(made, session);
      if (text !== undefined || dialect.isTimelineItem(made)) session.timelineItems++;
    } catch (error) {
      return Promise.reject(error);
    }
    if (unsent === undefined) return send(session, checked, more, text);
    unsent.push(() => {
      // The promise of its sender has resolved already, so a diagnostic reports failures.
      send(session, checked, more).catch((error: unknown) => connection.reportUnsent(method, error));
    });
    return Promise.resolve();
  }

  async function offer(session: UpdatingSession, made: SessionUpdate): Promise<boolean> {
    try {
      await update(session, made);
      return true;
    } catch (error) {
      if (!(error instanceof CapabilityError)) throw error;
      const { capability, message } = error;
      rules.reportLeftOut(method, `${message}; it was left out`, capability);
      return false;
    }
  }

  async function updateOther(params: unknown): Promise<void> {
    const { update: made, sessionId } = params as { readonly update: SessionUpdate; readonly sessionId: string };
    const checked = check(made, undefined, sessionId);
    await connection.send(method, checked === made ? params : { ...(params as object), update: checked });
  }

  function withSupportedOptions(subject: string, made: unknown, session: UpdatingSession | undefined): unknown {
    const holder = withoutUnsupportedOptions(rules, subject, made);
    rules.refuse(subject, checkOffer(holder, session?.choices ?? {}));
    const { modes, configOptions } = (holder ?? {}) as Choices;
    if (session !== undefined) {
      session.choices = { ...session.choices, ...(modes && { modes }), ...(configOptions && { configOptions }) };
    }
    return holder;
  }

  /** Returns an update in the form in which it may be sent, in an open session or in one with this id. */
  function check(made: SessionUpdate, session: UpdatingSession | undefined, id = ""): SessionUpdate {
    const params = { sessionId: id, update: made };
    const { update: shown } = rules.checkNotification(method, params, session) as { update: SessionUpdate };
    const holder = session ?? others.get(id) ?? {};
    const known = (table.substitute?.(shown, holder, client.details.capabilities) ?? shown) as SessionUpdate;
    if (known !== shown && session === undefined) others.set(id, holder);
    rules.checkVariant(method, "SessionUpdate", known.sessionUpdate, known);
    // Only items of a list are removed, so the type stays the same.
    return offersChoices(known) ? (withSupportedOptions(method, known, session) as SessionUpdate) : known;
  }

  function send(session: UpdatingSession, made: SessionUpdate, more: object | undefined, text?: string): Promise<void> {
    let sent: Promise<void>;
    try {
      sent =
        text === undefined
          ? connection.send(method, { sessionId: session.id, update: made, ...more })
          : connection.sendWritten(method, text);
    } catch (error) {
      const promise = Promise.reject(error);
      // The client may disconnect at any time; the signal of the session reports that.
      return connection.hasEnded ? ignoreRejection(promise) : promise;
    }
    session.sentUpdates++;
    if (session.noteSent(made) && options.onUpdate !== undefined) {
      // A diagnostic reports failures of the listener, so that the sender need not handle them.
      const fail = (error: unknown): string => connection.reportFailure(method, error);
      callListener((sentUpdate) => options.onUpdate?.(sentUpdate, session), made, fail);
    }
    return sent;
  }

  return { update, offer, updateOther, withSupportedOptions };
}

function rejectSilent(method: string, { reopening, signal }: UpdatingSession): Promise<never> {
  const state = reopening === undefined ? "has ended" : "is being opened again";
  // The client may end a session at any time; its signal reports that.
  const cause = reopening ?? signal.reason;
  return ignoreRejection(Promise.reject(new UsageError(`${method}: the session ${state}`, { cause })));
}
