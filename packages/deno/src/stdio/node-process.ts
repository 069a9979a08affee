import type { ConsoleClass, NodeFileModule, NodeReadable, NodeWritable } from "@acp/host";

/** A socket of Node. */
export type Socket = NodeReadable & NodeWritable;

/** Node's `net.Socket`, over a file descriptor of this process. Throws if that is no pipe and no socket. */
export type SocketClass = new (options: {
  readonly fd: number;
  readonly readable: boolean;
  readonly writable: boolean;
}) => Socket;

/** The part of Node's `process` in Deno that is used; Deno loads it with its first use. */
interface NodeProcess {
  listenerCount(event: string): number;
  getBuiltinModule(name: "node:fs/promises"): NodeFileModule;
  getBuiltinModule(name: "node:console"): { readonly Console: ConsoleClass };
  getBuiltinModule(name: "node:net"): { readonly Socket: SocketClass };
}

/** Deno's `process`. */
export function nodeProcess(): NodeProcess {
  return (globalThis as unknown as { readonly process: NodeProcess }).process;
}
