import { realpathSync } from "node:fs";

import type { Launch, NamedAgent } from "./launch.ts";
import { scriptCommand } from "./script-command.ts";

/**
 * The same agent through the hub: what starts is `acp attach` of it, so that its sessions outlive this program. It is an agent
 * by its command like any other, and its sessions are remembered as such.
 */
export function throughHub(launch: Launch): Launch {
  const { name, command, args } = launch;
  const [runtime, ...script] = scriptCommand(realpathSync(process.argv[1] ?? ""));
  // By its name alone, the agent would be looked for again: with another directory, it may be another one.
  const words = [...(name === undefined ? [] : ["--name", name]), "--", command, ...args];
  const { framing: _, name: __, ...rest } = launch;
  return { ...rest, name: undefined, command: runtime, args: [...script, "attach", ...words] };
}

/** The agent that {@link throughHub} was given, wherever this program was then; `undefined` for other agents. */
export function behindHub({ name: ownName, args }: NamedAgent): NamedAgent | undefined {
  const end = args.indexOf("--");
  const words = args.slice(0, Math.max(0, end));
  const at = words.indexOf("attach");
  const [flag, name] = words.slice(at + 1);
  const [command, ...rest] = args.slice(end + 1);
  const isOurs = ownName === undefined && words[at - 1]?.endsWith("main.js") === true;
  if (!isOurs || command === undefined || (flag !== undefined && flag !== "--name")) return undefined;
  return { name, command, args: rest };
}
