import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { executableOf } from "../../support/runtimes.ts";
import type { AgentUnderTest } from "./agents-under-test.ts";
import { installAgent } from "./install-agent.ts";

/** An agent that can be started. */
export interface PreparedAgent extends Disposable {
  /** The directory for its session. */
  readonly project: string;
  /** Its command line. */
  readonly command: readonly string[];
  /** What the environments of its processes contain, and no other's. */
  readonly mark: string;
}

/**
 * Makes an agent ready to start: installs it, and gives it a home, a project, and a model. It sees nothing else of this
 * machine's environment, so it uses no settings and no keys of yours.
 */
export async function prepareAgent(agent: AgentUnderTest, modelUrl: string): Promise<PreparedAgent> {
  const modules = await installAgent(agent);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-agent-")));
  const home = join(folder, "home");
  const project = join(folder, "project");
  const place = { home, project, modules, modelUrl };
  mkdirSync(project);
  for (const [path, content] of Object.entries(agent.files(place))) {
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
    ...agent.env(place),
  }).map(([name, value]) => `${name}=${value}`);
  return {
    project,
    command: ["/usr/bin/env", "-i", mark, ...env, node, join(modules, agent.program)],
    mark,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
