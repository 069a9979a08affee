import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { executableOf } from "../../support/runtimes.ts";
import type { ForeignProgram } from "./foreign-program.ts";
import { installAgent } from "./install-agent.ts";

/** A program that can be started. */
export interface PreparedAgent extends Disposable {
  /** All that it has of its own: its home and its project. */
  readonly folder: string;
  /** The folder that it was installed in. */
  readonly modules: string;
  /** The directory for its session. */
  readonly project: string;
  /** Its command line. */
  readonly command: readonly string[];
  /** What the environments of its processes contain, and no other's. */
  readonly mark: string;
}

/**
 * Makes a program ready to start: installs it, and gives it a home, a project, and a model. It sees nothing else of this
 * machine's environment, so it uses no settings and no keys of yours.
 */
export async function prepareAgent(agent: ForeignProgram, modelUrl: string): Promise<PreparedAgent> {
  const modules = await installAgent(agent);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-agent-")));
  const home = join(folder, "home");
  const project = join(folder, "project");
  const place = { home, project, modules, modelUrl };
  mkdirSync(project);
  for (const [path, content] of Object.entries(agent.files?.(place) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  // The agents need a newer Node.js than some machines have.
  const node = executableOf("node24");
  const mark = `ACP_INTEROP_RUN=${randomUUID()}`;
  const env = Object.entries({
    HOME: home,
    LANG: "C.UTF-8",
    PATH: [dirname(node), join(modules, ".bin"), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    SHELL: "/bin/sh",
    ...agent.env?.(place),
  }).map(([name, value]) => `${name}=${value}`);
  const program = join(modules, agent.program);
  const words = [...(/\.m?js$/u.test(program) ? [node] : []), program, ...(agent.args?.(place) ?? [])];
  return {
    folder,
    modules,
    project,
    command: ["/usr/bin/env", "-i", mark, ...env, ...words],
    mark,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
