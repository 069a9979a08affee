import type { ConsoleClass, NodeReadable, NodeWritable } from "@acp/host";

/** A socket of Node's. */
export type Socket = NodeReadable & NodeWritable;

/** Node's `net.Socket`, over a file descriptor of this process. Throws where that is no pipe and no socket. */
export type SocketClass = new (options: {
  readonly fd: number;
  readonly readable: boolean;
  readonly writable: boolean;
}) => Socket;

/** What is used of the `process` that Deno has for Node's sake; Deno loads it with its first use. */
interface NodeProcess {
  listenerCount(event: string): number;
  getBuiltinModule(name: "node:console"): { readonly Console: ConsoleClass };
  getBuiltinModule(name: "node:net"): { readonly Socket: SocketClass };
}

/** Deno's `process`. */
export function nodeProcess(): NodeProcess {
  return (globalThis as unknown as { readonly process: NodeProcess }).process;
}
