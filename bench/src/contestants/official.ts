import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

import { bytePair, type ByteEnd } from "./byte-pair.ts";
import type { Agent, AgentWork, ClientHooks, Contestant } from "./contestant.ts";

/** The official SDK, the way its documentation puts it together. */
export const official: Contestant = {
  async serve(work) {
    await agentOf(work).connect(streamOf(process.stdin, process.stdout)).closed;
  },
  async start([command = "", ...args], hooks) {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    return drive(streamOf(child.stdout, child.stdin), hooks, async () => {
      child.stdin.end();
      await exited;
    });
  },
  async pair(work, hooks) {
    const [one, other] = bytePair();
    agentOf(work).connect(webStreamOf(one));
    return drive(webStreamOf(other), hooks, async () => {});
  },
};

/** Its default of 32 MiB is below the largest prompt; ours is 64. */
const limits = { maxMessageBytes: 64 * 1024 * 1024 };

/** An agent that does the work of the scenarios. */
export function agentOf(work: AgentWork): acp.AgentApp {
  let sessions = 0;
  return acp
    .agent({ name: "bench" })
    .onRequest("initialize", () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest("session/new", () => ({ sessionId: `session-${++sessions}` }))
    .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
      const [block] = prompt;
      await work(block?.type === "text" ? block.text : "", {
        update: (update) => client.notify("session/update", { sessionId, update }),
        readTextFile: async (path) => (await client.request("fs/read_text_file", { sessionId, path })).content,
      });
      return { stopReason: "end_turn" };
    })
    .onRequest("session/close", () => ({}));
}

/** Connects a client, and shakes hands. */
export async function drive(stream: acp.Stream, hooks: ClientHooks, close: () => Promise<void>): Promise<Agent> {
  const { agent } = acp
    .client({ name: "bench" })
    // Everything the scenarios send is among the updates they know.
    .onNotification("session/update", ({ params }) =>
      hooks.update(params.update as Parameters<ClientHooks["update"]>[0]),
    )
    .onRequest("fs/read_text_file", ({ params }) => ({ content: hooks.readTextFile(params.path) }))
    .connect(stream);
  await agent.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true } },
  });
  return {
    async newSession() {
      return (await agent.request("session/new", { cwd: "/project", mcpServers: [] })).sessionId;
    },
    async prompt(sessionId, text) {
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    },
    async closeSession(sessionId) {
      await agent.request("session/close", { sessionId });
    },
    close,
  };
}

function streamOf(input: Readable, output: Writable): acp.Stream {
  return acp.ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
    limits,
  );
}

function webStreamOf(end: ByteEnd): acp.Stream {
  const input = new ReadableStream<Uint8Array>({
    start: (controller) => end.start((bytes) => controller.enqueue(bytes)),
  });
  return acp.ndJsonStream(new WritableStream<Uint8Array>({ write: (bytes) => end.write(bytes) }), input, limits);
}
