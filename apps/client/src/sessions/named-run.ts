import { closeSync, openSync, realpathSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Lock } from "@acp/sessions/internal";

import type { Launch, NamedAgent } from "../agents/launch.ts";
import type { LaunchSettings } from "../agents/launch-settings.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { optionError } from "../cli/options.ts";
import { runOptions } from "../cli/shared-options.ts";
import type { Session } from "../protocol/agent.ts";
import { isSameAgent, isSessionName, nameAgent, type NamedSession } from "./named-session.ts";
import { lockSession } from "./session-lock.ts";
import { SessionStore, storeFailure } from "./session-store.ts";

/** A run in a session that has a name: keeps the session for itself, and remembers it with the events of the run. */
export class NamedRun {
  readonly name: string;
  /** What is remembered of it; `undefined` for a new name. */
  readonly known: NamedSession | undefined;
  readonly #store: SessionStore;
  readonly #cwd: string;
  readonly #folder: string;
  readonly #lock: Lock;
  readonly #events: number;
  #saved: NamedSession | undefined;
  #isFull = false;

  /** @throws {ProgramFailure} if another process uses the session, or the state directory cannot be used. */
  constructor(nameOrId: string, cwd: string, env: Readonly<Record<string, string | undefined>>) {
    this.#cwd = realpathSync(cwd);
    this.#store = new SessionStore(env);
    const name = this.#store.nameOf(this.#cwd, nameOrId);
    if (!isSessionName(name))
      throw optionError(
        "session",
        runOptions.session,
        `--session cannot be '${name}': use letters, digits, spaces and . _ -`,
      );
    this.name = name;
    this.#folder = this.#store.prepare(this.#cwd, name);
    try {
      const lock = lockSession(this.#folder);
      if ("heldBy" in lock) throw inUse(name, lock.heldBy);
      this.#lock = lock;
      this.#events = openSync(join(this.#folder, "events.jsonl"), "a", 0o600);
    } catch (error) {
      throw error instanceof ProgramFailure ? error : storeFailure(this.#folder, error);
    }
    this.known = this.#store.find(this.#cwd, name);
    this.#saved = this.known;
  }

  /** Writes an event of this run. A full disk ends that, and not the run. */
  write(event: object): void {
    if (this.#isFull) return;
    try {
      writeSync(this.#events, `${JSON.stringify(event)}\n`);
    } catch {
      this.#isFull = true;
    }
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

  /** Remembers the session that is open, as it is now. */
  save(session: Session, launch: Launch, settings: Pick<LaunchSettings, "framing" | "protocol">): void {
    const now = new Date().toISOString();
    const title = session.shown.title ?? this.#saved?.title;
    this.#saved = {
      version: 1,
      name: this.name,
      cwd: this.#cwd,
      agent: {
        ...agentOf(launch),
        ...(settings.framing.name === "content-length" ? { framing: settings.framing.name } : {}),
        ...(settings.protocol === 2 ? { protocol: 2 } : {}),
      },
      sessionId: session.id,
      ...(title === undefined ? {} : { title }),
      createdAt: this.#saved?.createdAt ?? now,
      updatedAt: now,
    };
    this.#store.save(this.#saved);
  }

  /** Gives the session back. One that was never opened is forgotten. */
  close(): void {
    closeSync(this.#events);
    if (this.#saved === undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#lock.release();
  }
}

function agentOf({ name, command, args }: Launch): NamedAgent {
  return { ...(name === undefined ? {} : { name }), command, args };
}

function inUse(name: string, pid: number): ProgramFailure {
  const advice = "Wait until it has ended, or choose another name for the session";
  return new ProgramFailure(`The session '${name}' is in use by the process ${pid}`, ExitCode.failure, advice);
}
