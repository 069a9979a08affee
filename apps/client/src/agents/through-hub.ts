import { realpathSync } from "node:fs";

import type { Launch } from "./launch.ts";

/**
 * The same agent through the hub: what starts is `acp attach` of it, so that its sessions outlive this program. It is an agent
 * by its command like any other, and its sessions are remembered as such.
 */
export function throughHub(launch: Launch): Launch {
  const { name, command, args } = launch;
  const [runtime = "", script = ""] = process.argv;
  // By its name alone, the agent would be looked for again: with another directory, it may be another one.
  const words = [...(name === undefined ? [] : ["--name", name]), "--", command, ...args];
  const { framing: _, name: __, ...rest } = launch;
  return { ...rest, name: undefined, command: runtime, args: [realpathSync(script), "attach", ...words] };
}
