import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { freshEnvironment } from "./commands.ts";
import { freePort } from "../../support/free-port.ts";

/** A registry on this machine, for as long as the rehearsal runs. */
export class LocalRegistry implements AsyncDisposable {
  readonly url: string;
  readonly #end: () => Promise<void>;

  private constructor(url: string, end: () => Promise<void>) {
    this.url = url;
    this.#end = end;
  }

  /** Serves what is published to it, and for all packages but ours what `upstream` has. */
  static async start(folder: string, upstream: string): Promise<LocalRegistry> {
    const url = `http://127.0.0.1:${await freePort()}/`;
    mkdirSync(folder, { recursive: true });
    const config = join(folder, "config.yaml");
    writeFileSync(config, JSON.stringify(configOf(folder, upstream)));
    const verdaccio = dirname(fileURLToPath(import.meta.resolve("verdaccio/package.json")));
    const args = [join(verdaccio, "bin/verdaccio"), "--config", config, "--listen", url];
    const env = freshEnvironment(join(folder, "home"));
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const ended = once(child, "close");
    const registry = new LocalRegistry(url, async () => {
      child.kill();
      await ended;
    });
    for (;;) {
      if (child.exitCode !== null) throw new Error(`verdaccio ended with ${child.exitCode}\n${output}`);
      const isThere = await fetch(`${url}-/ping`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isThere) return registry;
      await setTimeout(100);
    }
  }

  /** What npm, Deno and Bun read in a project that installs from here. npm publishes nothing without a token. */
  writeSettings(project: string): void {
    const token = `${this.url.slice("http:".length)}:_authToken=rehearsal`;
    writeFileSync(join(project, ".npmrc"), `registry=${this.url}\n${token}\n`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}

function configOf(folder: string, upstream: string): object {
  return {
    storage: join(folder, "storage"),
    uplinks: { upstream: { url: upstream, timeout: "60s", maxage: "60m" } },
    packages: {
      // What others may have published under these names is not what is rehearsed.
      "@acp/*": { access: "$all", publish: "$all" },
      "create-acp-agent": { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "upstream" },
    },
    publish: { allow_offline: true },
    web: { enable: false },
    max_body_size: "50mb",
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
}
