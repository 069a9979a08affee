import { realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Lock } from "@acp/sessions/internal";

import type { Environment } from "../cli/streams.ts";
import type { Launch } from "../agents/launch.ts";
import { behindHub } from "../agents/through-hub.ts";
import type { LaunchSettings } from "../agents/launch-settings.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { optionError } from "../cli/options.ts";
import { runOptions } from "../cli/shared-options.ts";
import type { Session } from "../protocol/agent.ts";
import { commandLineOf } from "../text/command-line-of.ts";
import { EventLog } from "./event-log.ts";
import { lockSession } from "./session-lock.ts";
import { agentOf, isSameAgent, isSessionName, nameAgent, type NamedSession } from "./named-session.ts";
import { SessionStore, storeFailure } from "./session-store.ts";

/** The hub has the history itself. */
const unwritten = { write: () => undefined, close: () => {} };
/** How much of the first prompt is remembered, in characters. */
const promptLength = 200;

/** A run in a session that has a name: keeps the session for itself, and remembers it with the events of the run. */
export class NamedRun {
  readonly name: string;
  /** What was remembered of it at first; `undefined` for a new name. */
  readonly known: NamedSession | undefined;
  /** Whether this program has made the name, and not the user. */
  readonly isAutomatic: boolean;
  readonly log: Pick<EventLog, "write" | "close">;
  readonly #store: SessionStore;
  readonly #cwd: string;
  readonly #folder: string;
  /** `undefined` if another terminal remembers the session: one of the hub may be open in several. */
  readonly #lock: Lock | undefined;
  #saved: NamedSession | undefined;

  /** @throws {ProgramFailure} if another process uses the session, or the state directory cannot be used. */
  constructor(nameOrId: string, cwd: string, env: Environment, isNameMade = false) {
    this.#cwd = realpathSync(cwd);
    this.#store = new SessionStore(env);
    const name = this.#store.nameOf(this.#cwd, nameOrId);
    if (!isSessionName(name))
      throw optionError(runOptions, "session", `--session cannot be '${name}': use letters, digits, spaces and . _ -`);
    this.name = name;
    this.#folder = this.#store.prepare(this.#cwd, name);
    this.known = this.#store.find(this.#cwd, name);
    try {
      const lock = lockSession(this.#folder);
      const isHeld = "heldBy" in lock;
      if (isHeld && (this.known && behindHub(this.known.agent)) === undefined) throw this.#inUse(name, lock.heldBy);
      this.#lock = isHeld ? undefined : lock;
      this.log = isHeld ? unwritten : new EventLog(join(this.#folder, "events.jsonl"));
    } catch (error) {
      throw error instanceof ProgramFailure ? error : storeFailure(this.#folder, error);
    }
    this.#saved = this.known;
    this.isAutomatic = this.known === undefined ? isNameMade : this.known.isAutomatic === true;
  }

  /** The session as it is remembered now. */
  get saved(): NamedSession | undefined {
    return this.#saved;
  }

  /** @throws {ProgramFailure} if the session belongs to another agent. */
  requireAgent(launch: Launch): void {
    if (this.known === undefined || isSameAgent(this.known.agent, agentOf(launch))) return;
    throw new ProgramFailure(
      `The session '${this.name}' belongs to another agent: ${nameAgent(this.known.agent)}`,
      ExitCode.usage,
      "Leave the agent out, or choose another name for the session",
    );
  }

  /** Remembers the session that is open, as it is now. `said`: what the user says in it, of which the first is remembered. */
  save(session: Session, launch: Launch, settings: Pick<LaunchSettings, "framing" | "protocol">, said?: string): void {
    if (this.#lock === undefined) return;
    const now = new Date().toISOString();
    const title = session.shown.title ?? this.#saved?.title;
    const prompt = this.#saved?.prompt ?? said?.slice(0, promptLength);
    this.#saved = {
      version: 1,
      name: this.name,
      isAutomatic: this.isAutomatic || undefined,
      cwd: this.#cwd,
      agent: {
        ...agentOf(launch),
        framing: settings.framing.name === "content-length" ? settings.framing.name : undefined,
        protocol: settings.protocol === 2 ? 2 : undefined,
      },
      sessionId: session.id,
      title,
      prompt,
      createdAt: this.#saved?.createdAt ?? now,
      updatedAt: now,
    };
    this.#store.save(this.#saved);
  }

  /** Gives the session back. One that was never opened is forgotten. */
  close(): void {
    this.log.close();
    if (this.#saved === undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#lock?.release();
  }
  #inUse(name: string, pid: number): ProgramFailure {
    const other = this.#store.list().find((one) => one.cwd === this.#cwd && one.name !== name);
    const advice =
      other === undefined
        ? "Wait until it has ended, or begin a new one"
        : `Wait until it has ended, or take the one before: acp resume ${commandLineOf([other.name])}`;
    return new ProgramFailure(`The session '${name}' is in use by the process ${pid}`, ExitCode.failure, advice);
  }
}
