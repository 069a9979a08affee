import { realpathSync } from "node:fs";

import { visibleText } from "@acp/core/state";
import type { Report } from "@acp/render";

import type { Environment } from "../cli/streams.ts";
import type { Launch } from "../agents/launch.ts";
import type { LaunchSettings } from "../agents/launch-settings.ts";
import { exitCodeOf, ExitCode } from "../cli/exit.ts";
import { type Agent, type Session, type TurnEnd, wayBack } from "../protocol/agent.ts";
import { commandLineOf } from "../text/command-line-of.ts";
import { startEvent } from "./events/exec-event.ts";
import { SessionFeed } from "./events/session-feed.ts";
import { agentOf, isSameAgent, type NamedSession } from "./named-session.ts";
import { NamedRun } from "./named-run.ts";
import { SessionStore } from "./session-store.ts";

/** Where sessions are, and the name of the first one if the user has given one. */
export interface RecorderPlace {
  readonly cwd: string;
  readonly env: Environment;
  readonly name: string | undefined;
}

/** What the user is told who goes on in a session that the agent has forgotten. */
export const forgotten =
  "The agent does not remember this session: a new one goes on here. /recall sends what was said along with the next prompt";

/** A session in which the user has said something. */
interface Recorded {
  readonly run: NamedRun;
  /** Makes the events of the journal. */
  readonly feed: SessionFeed;
}

/**
 * Remembers the sessions in which the user says something, to go on in them another day: by a name of the user, or by a short one
 * that it makes. It keeps a journal of each: many agents cannot load a session, and some lose what they said they would keep.
 */
export class SessionRecorder {
  /** Whether it remembers sessions without a name of the user, too. */
  remembersAll = true;
  readonly #place: RecorderPlace;
  readonly #store: SessionStore;
  /** Whether the sessions belong to another directory than the one that the user is in. */
  readonly #isElsewhere: boolean;
  readonly #sessions = new Map<Session, Recorded | undefined>();
  /** The session that the command line names, until it is open. */
  #named: NamedRun | undefined;
  #agent: { readonly launch: Launch; readonly settings: LaunchSettings } | undefined;
  #last: Recorded | undefined;
  #forgotten = "";
  #isRecalled = false;

  /** @throws {ProgramFailure} if another process uses the session of that name. */
  constructor(place: RecorderPlace) {
    this.#place = place;
    this.#store = new SessionStore(place.env);
    this.#isElsewhere = realpathSync(place.cwd) !== realpathSync(".");
    this.#named = place.name === undefined ? undefined : new NamedRun(place.name, place.cwd, place.env);
  }

  /** Whether the command line names a session. */
  get isNamed(): boolean {
    return this.#place.name !== undefined;
  }

  /** The session to go on in; `undefined` to begin one, and once it is open. */
  get known(): NamedSession | undefined {
    return this.#named?.known;
  }

  /** The agent is chosen. @throws {ProgramFailure} if the session belongs to another one. */
  use(launch: Launch, settings: LaunchSettings): void {
    this.#agent = { launch, settings };
    this.#named?.requireAgent(launch);
  }

  /** Whether something was said before that the agent does not remember. */
  get hasForgotten(): boolean {
    return this.#forgotten !== "";
  }

  /** The next prompt goes with what the agent does not remember. */
  recall(): void {
    this.#isRecalled = this.hasForgotten;
  }

  /** A prompt with what it is to remind the agent of. */
  withRecalled(prompt: string): string {
    if (!this.#isRecalled) return prompt;
    const before = this.#forgotten;
    this.#isRecalled = false;
    this.#forgotten = "";
    // The prompt comes first: agents make titles of how a session begins.
    return `${prompt}\n\nThis was said and done in an earlier session, which you do not remember:\n\n${before}`;
  }

  /**
   * Opens the session of another day. Where the agent does not know it, opens a new one in its place. `history` is what was said
   * before, as Markdown, if the agent does not tell that itself.
   */
  async openAgain(
    known: NamedSession,
    agent: Agent,
  ): Promise<{ readonly session: Session; readonly history: string; readonly isForgotten: boolean }> {
    const { sessionId } = known;
    const { cwd } = this.#place;
    const how = wayBack(agent.can, "load");
    const { historyOf } = await import("./markdown-log.ts");
    const history = await historyOf(this.#store, known);
    try {
      const session = how && (await agent.reopenSession(sessionId, cwd, how));
      if (session !== undefined) return { session, history: how === "load" ? "" : history, isForgotten: false };
    } catch (error) {
      const { classifyFailure } = await import("../protocol/failure.ts");
      if (history === "" || classifyFailure(error).code !== "no_such_session") throw error;
    }
    this.#forgotten = history;
    return { session: await agent.newSession(cwd), history, isForgotten: true };
  }

  /** The session of the command line is open: this one. */
  opened(session: Session): void {
    const run = this.#named;
    if (run === undefined) return;
    this.#named = undefined;
    const recorded = this.#follow(session, run);
    this.#sessions.set(session, recorded);
    if (run.known !== undefined) this.#last = recorded;
  }

  /** The user says something in a session. */
  prompted(session: Session, text: string, attachments: readonly string[]): void {
    if (!this.#sessions.has(session)) this.#sessions.set(session, this.#begin(session));
    const recorded = this.#sessions.get(session);
    if (recorded === undefined || this.#agent === undefined) return;
    this.#last = recorded;
    this.#save(session, recorded.run, text);
    const { command, args, name } = this.#agent.launch;
    const start = startEvent(this.#place.cwd, [command, ...args], name);
    for (const event of [start, { type: "prompt", text, attachments }] as const) recorded.run.log.write(event);
  }

  /** The agent has said or done something. */
  show(report: Report, session: Session): void {
    void this.#sessions.get(session)?.feed.show(report);
  }

  ended(session: Session, { stopReason, duration, failure }: TurnEnd): void {
    const recorded = this.#sessions.get(session);
    if (recorded === undefined) return;
    this.#save(session, recorded.run);
    recorded.feed.end();
    const exitCode = failure === undefined ? exitCodeOf(stopReason) : ExitCode.failure;
    const none = { text: "", lastMessage: "", usage: null, toolCalls: 0 };
    recorded.run.log.write({ type: "end", stopReason, ...none, duration: Math.round(duration), exitCode });
  }

  /** How to go on in the session in which something was said last; `undefined` if there is none. */
  get advice(): string | undefined {
    const { name, cwd } = this.#last?.run.saved ?? {};
    if (name === undefined || cwd === undefined) return undefined;
    const words = ["acp", "resume", name, ...(this.#isElsewhere ? ["--cwd", cwd] : [])];
    return `Resume with: ${visibleText(commandLineOf(words))}`;
  }

  close(): void {
    this.#named?.close();
    for (const run of new Set([...this.#sessions.values()].map((recorded) => recorded?.run))) run?.close();
    this.#sessions.clear();
  }

  /** A session that another process uses, and one that cannot be written, is not remembered: that is no reason to stop. */
  #begin(session: Session): Recorded | undefined {
    const { cwd, env } = this.#place;
    if (this.#agent === undefined || !this.remembersAll) return undefined;
    const again = [...this.#sessions].find(([{ id }, recorded]) => id === session.id && recorded !== undefined)?.[1];
    // The agent has started again, or the user has left it meanwhile.
    if (again !== undefined) return this.#follow(session, again.run);
    const agent = agentOf(this.#agent.launch);
    try {
      const here = realpathSync(cwd);
      const earlier = this.#store
        .list()
        .find((one) => one.cwd === here && one.sessionId === session.id && isSameAgent(one.agent, agent));
      return this.#follow(session, new NamedRun(earlier?.name ?? this.#store.newName(here), cwd, env, true));
    } catch {
      return undefined;
    }
  }

  #follow(session: Session, run: NamedRun): Recorded {
    return { run, feed: new SessionFeed(session, (event) => run.log.write(event)) };
  }

  #save(session: Session, run: NamedRun, prompt?: string): void {
    if (this.#agent === undefined) return;
    const { launch, settings } = this.#agent;
    try {
      run.save(session, launch, settings, prompt);
    } catch {
      // The state directory cannot be written any more.
    }
  }
}
