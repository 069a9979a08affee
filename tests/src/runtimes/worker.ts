/** A worker of the runtime under test: that of the web where there is one, else that of Node. */
import { type MessagePort as NodePort, Worker as NodeWorker } from "node:worker_threads";

export interface AgentWorker {
  /** Hands an end of a channel over. */
  send(port: MessagePort): void;
  end(): Promise<void>;
}

/** Starts `programs/agent-worker.js`, which serves an agent on every port that it is sent. */
export function startAgentWorker(): AgentWorker {
  const program = new URL("programs/agent-worker.js", import.meta.url);
  if (typeof Worker === "function") {
    const worker = new Worker(program, { type: "module" });
    return {
      send: (port) => worker.postMessage(port, [port]),
      end: () => Promise.resolve(worker.terminate()),
    };
  }
  const worker = new NodeWorker(program);
  return {
    // The same class, by two names.
    send: (port) => worker.postMessage(port, [port as unknown as NodePort]),
    end: async () => void (await worker.terminate()),
  };
}
