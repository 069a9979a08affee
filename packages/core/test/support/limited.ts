// An agent or a client of version 1 or 2, whose peer, played by hand, asks it for things that take as long as the test wants.
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { IncomingLimits } from "../../src/rpc/incoming-limits.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createAgent as createAgentV2 } from "../../src/v2/agent.ts";
import { connectRawAgent } from "./raw-agent.ts";
import { connectRawAgent as connectRawAgentV2 } from "./raw-agent-v2.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";

export interface Limited {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** Sends a request under this id, which waits until it is finished. */
  ask(id: number | null, params?: object): void;
  /** The ids of the requests whose handlers run. */
  running(): readonly number[];
  /** Lets the handler of this request return. */
  finish(key: number): void;
  /** Waits for the answer to a request. */
  answer(id: number | null): Promise<Record<string, unknown>>;
  /** Calls the peer. */
  call(method: `_${string}`): Promise<unknown>;
  close(): Promise<void>;
}

export const cells = [
  ["an agent of version 1", "agent", 1],
  ["a client of version 1", "client", 1],
  ["an agent of version 2", "agent", 2],
  ["a client of version 2", "client", 2],
] as const;

interface Caller {
  request(method: `_${string}`): Promise<unknown>;
}

export async function startLimited(role: "agent" | "client", version: 1 | 2, limits: IncomingLimits): Promise<Limited> {
  const diagnostics: Diagnostic[] = [];
  const waiting = new Map<number, () => void>();
  let caller: Caller | undefined;
  let keys = 0;
  const handlers = {
    "_x/wait": ({ key }: { key: number }, { signal }: { signal: AbortSignal }): Promise<unknown> =>
      new Promise((resolve, reject) => {
        waiting.set(key, () => {
          waiting.delete(key);
          resolve({ key });
        });
        signal.addEventListener("abort", () => {
          waiting.delete(key);
          reject(signal.reason as Error);
        });
      }),
  };
  const shared = { ...limits, onDiagnostic: (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic) };
  let close = (): Promise<void> => Promise.resolve();
  const serve = (): RawPeer =>
    createRawPeer((transport) => {
      const info = { name: "test", version: "1.0.0" };
      const meet = {
        "_x/meet": (_params: unknown, { client }: { client: Caller }) => {
          caller = client;
          return {};
        },
      };
      const agent =
        version === 1
          ? createAgent({
              ...shared,
              info,
              handlers: { ...handlers, ...meet, "session/prompt": () => ({ stopReason: "end_turn" as const }) },
            })
          : createAgentV2({
              ...shared,
              info,
              handlers: { ...handlers, ...meet, "session/prompt": () => ({ stopReason: "end_turn" as const }) },
            });
      const connection = agent.connect(transport);
      close = () => connection.close();
    });
  let peer: RawPeer;
  if (role === "agent") {
    peer = serve();
    const info = { name: "raw", version: "1" };
    await peer.call("initialize", { protocolVersion: version, info, capabilities: {} });
    await peer.call("_x/meet", {});
  } else {
    const connected =
      version === 1 ? await connectRawAgent({ ...shared, handlers }) : await connectRawAgentV2({ ...shared, handlers });
    ({ peer } = connected);
    const { agent } = connected;
    caller = agent;
    close = () => agent.close();
  }
  return {
    peer,
    diagnostics,
    ask: (id, params) => {
      const key = id ?? --keys;
      peer.send({ jsonrpc: "2.0", id, method: "_x/wait", params: { key, ...params } });
    },
    running: () => [...waiting.keys()],
    finish: (key) => waiting.get(key)?.(),
    answer: (id) => peer.next((message) => message["id"] === id && message["method"] === undefined),
    call: (method) => caller!.request(method),
    close: () => close(),
  };
}
