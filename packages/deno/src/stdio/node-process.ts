import type { ConsoleClass } from "@acp/host";

/** What is used of the `process` that Deno has for Node's sake; Deno loads it with its first use. */
interface NodeProcess {
  listenerCount(event: string): number;
  getBuiltinModule(name: "node:console"): { readonly Console: ConsoleClass };
}

/** Deno's `process`. */
export function nodeProcess(): NodeProcess {
  return (globalThis as unknown as { readonly process: NodeProcess }).process;
}
