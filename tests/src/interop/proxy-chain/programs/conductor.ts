/**
 * A conductor over stdio: `conductor.ts <start timeout> <what each proxy does, with commas> [<command of the agent …>]`.
 */
import { createConductor } from "@acp/proxy/chain";
import { serveStdio, spawnTransport } from "@acp/node";
import { fileURLToPath } from "node:url";

import { tellPid } from "./tell-pid.ts";

const [timeout = "", behaviours = "", command, ...args] = process.argv.slice(2);
tellPid("conductor");

const program = (name: string): readonly string[] => [fileURLToPath(new URL(`${name}.ts`, import.meta.url))];

await serveStdio(
  createConductor({
    startTimeout: Number(timeout),
    proxies: behaviours
      .split(",")
      .filter((behaviour) => behaviour !== "")
      .map((behaviour) => ({
        name: behaviour,
        connect: () =>
          behaviour === "nested"
            ? spawnTransport({ command: process.execPath, args: [...program("conductor"), timeout, "pass,pass"] })
            : spawnTransport({ command: process.execPath, args: [...program("proxy"), behaviour] }),
      })),
    agent: command === undefined ? undefined : { connect: () => spawnTransport({ command, args }) },
  }),
);
