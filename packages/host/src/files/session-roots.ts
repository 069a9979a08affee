import { UsageError } from "@acp/core";

import type { HostSession } from "../host-context.ts";
import { isAbsolutePath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { confinePath, type ConfinedPath, isInside, resolveRoots } from "./confine-path.ts";
import { haveNameIn } from "./other-names.ts";
import { fileError, outsideRoots } from "./file-error.ts";
import { quoteValues } from "@acp/core/internal";

/** Directories: a list, or a function of the session. */
export type Roots = readonly string[] | ((session: HostSession) => readonly string[]);

/** The directories that agents may touch, and those that they may only read. */
export interface RootOptions {
  readonly roots?: Roots | undefined;
  readonly readOnlyRoots?: Roots | undefined;
}

/** Decides which paths a session may touch. */
export class SessionRoots {
  readonly #runtime: Runtime;
  readonly #options: RootOptions;

  /** @throws {UsageError} for a list with a path that is not absolute. */
  constructor(runtime: Runtime, options: RootOptions) {
    this.#runtime = runtime;
    this.#options = options;
    for (const name of ["roots", "readOnlyRoots"] as const) {
      if (typeof options[name] !== "function") this.#requireAbsolute(name, options[name]);
    }
  }

  /**
   * Finds out where a path leads.
   *
   * @throws {RequestError} `-32602` unless the session may touch it, and each session above it: the agent itself chooses
   * where a subagent works, so that must not extend its access.
   * @throws {UsageError} if a function names a path that is not absolute.
   */
  async confine(path: string, session: HostSession): Promise<ConfinedPath> {
    const file = await confinePath(this.#runtime, this.#of(session), path, isUnknown(session));
    for (let above = session.parent; above !== undefined; above = above.parent) {
      // A path that is refused once need not be checked further.
      if (!(await this.#leadsInside(this.#of(above), file))) throw outsideRoots(path);
    }
    return file;
  }

  /** @throws {RequestError} `read_only` if the session may read it, but not write it. */
  async checkPermitted(file: ConfinedPath, session: HostSession): Promise<void> {
    const locked: string[] = [];
    for (let each: HostSession | undefined = session; each !== undefined; each = each.parent) {
      locked.push(...this.#resolveList("readOnlyRoots", each));
    }
    if (await this.#leadsInside(locked, file)) {
      throw fileError("read_only", file.path, `May be read, but not written to: ${file.path}`);
    }
    if ((await haveNameIn(this.#runtime, [file.realPath], await resolveRoots(this.#runtime, locked))) !== "no") {
      const why = "It has several names (hard links), and one of them may be in a directory that is read-only";
      throw fileError("read_only", file.path, `May be read, but not written to: ${file.path}. ${why}`);
    }
  }

  #of(session: HostSession): readonly string[] {
    const { roots, readOnlyRoots } = this.#options;
    // The result of a function could be anything.
    const isAsked = typeof roots === "function" || typeof readOnlyRoots === "function";
    if (isUnknown(session) && isAsked) return [];
    const own = roots == null ? this.#own(session) : this.#resolveList("roots", session);
    return [...own, ...this.#resolveList("readOnlyRoots", session)];
  }

  /**
   * The directories of the session itself. A path that is not absolute here allows nothing: `""`, or a drive of another
   * system.
   */
  #own({ cwd, additionalDirectories }: HostSession): readonly string[] {
    const all = cwd === undefined ? additionalDirectories : [cwd, ...additionalDirectories];
    return all.filter((root) => isAbsolutePath(this.#runtime, root));
  }

  #resolveList(name: keyof RootOptions, session: HostSession): readonly string[] {
    const roots = this.#options[name];
    return typeof roots === "function" ? this.#requireAbsolute(name, roots(session)) : (roots ?? []);
  }

  #requireAbsolute(name: keyof RootOptions, roots: readonly unknown[] | undefined): readonly string[] {
    return Array.from(roots ?? [], (root) => {
      if (typeof root === "string" && isAbsolutePath(this.#runtime, root)) return root;
      const what = `${name} must be absolute paths, and ${quoteValues([root])} is none`;
      throw new UsageError(`fileSystem: ${what}; resolve it against the directory that you mean`);
    });
  }

  async #leadsInside(roots: readonly string[], { realPath }: ConfinedPath): Promise<boolean> {
    return isInside(this.#runtime, await resolveRoots(this.#runtime, roots), realPath);
  }
}

/** Whether its directories are unknown: the agent asks before the answer that opens the session. */
function isUnknown({ cwd }: HostSession): boolean {
  return cwd === "";
}
