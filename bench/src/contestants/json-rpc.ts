import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

import * as rpc from "vscode-jsonrpc/node";

import type { Agent, Contestant, Update } from "./contestant.ts";

/**
 * `vscode-jsonrpc`, on which most language clients stand: the same messages, framed by Content-Length,
 * but nothing of ACP. It neither validates nor keeps the order of a session.
 */
export const jsonRpc: Contestant = {
  async serve(work) {
    const connection = connect(process.stdin, process.stdout);
    let sessions = 0;
    connection.onRequest("initialize", () => ({ protocolVersion: 1 }));
    connection.onRequest("session/new", () => ({ sessionId: `session-${++sessions}` }));
    connection.onRequest("session/prompt", async ({ sessionId, prompt: [block] }: Prompt) => {
      await work(block?.text ?? "", {
        update: (update) => connection.sendNotification("session/update", { sessionId, update }),
        readTextFile: async (path) => {
          const answer: { readonly content: string } = await connection.sendRequest("fs/read_text_file", {
            sessionId,
            path,
          });
          return answer.content;
        },
      });
      return { stopReason: "end_turn" };
    });
    connection.onRequest("session/close", () => ({}));
    connection.listen();
    await new Promise<void>((resolve) => {
      connection.onClose(resolve);
    });
  },
  async start([command = "", ...args], hooks) {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const connection = connect(child.stdout, child.stdin);
    connection.onNotification("session/update", ({ update }: { readonly update: Update }) => hooks.update(update));
    connection.onRequest("fs/read_text_file", ({ path }: { readonly path: string }) => ({
      content: hooks.readTextFile(path),
    }));
    connection.listen();
    await connection.sendRequest("initialize", { protocolVersion: 1 });
    return port(connection, async () => {
      const exited = once(child, "exit");
      connection.dispose();
      child.stdin.end();
      await exited;
    });
  },
};

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text: string }[];
}

function connect(input: Readable, output: Writable): rpc.MessageConnection {
  return rpc.createMessageConnection(new rpc.StreamMessageReader(input), new rpc.StreamMessageWriter(output));
}

function port(connection: rpc.MessageConnection, close: () => Promise<void>): Agent {
  return {
    async newSession() {
      const answer: { readonly sessionId: string } = await connection.sendRequest("session/new", {});
      return answer.sessionId;
    },
    async prompt(sessionId, text) {
      await connection.sendRequest("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    },
    async closeSession(sessionId) {
      await connection.sendRequest("session/close", { sessionId });
    },
    close,
  };
}
