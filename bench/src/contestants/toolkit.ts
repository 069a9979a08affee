import process from "node:process";

import {
  type AgentDefinition,
  type BytePipe,
  type ClientDefinition,
  contentLength,
  createAgent,
  createByteTransport,
  createClient,
  type ConnectedAgent,
  ndjson,
} from "@acp/core";
import { serveStdio, spawnAgent } from "#runtime";

import { bytePair, type ByteEnd } from "./byte-pair.ts";
import type { Agent, AgentWork, ClientHooks, Contestant } from "./contestant.ts";

const info = { name: "bench", version: "1.0.0" };

/** This toolkit, with all its defaults. */
export function toolkit(framingName: "ndjson" | "content-length"): Contestant {
  const framing = framingName === "ndjson" ? ndjson : contentLength;
  return {
    serve: (work) => serveStdio(agentOf(work), { framing }),
    async start([command = "", ...args], hooks) {
      const { client, sessions } = clientOf(hooks);
      return port(
        await spawnAgent(client, { command, args, framing, onStderr: (line) => process.stderr.write(`${line}\n`) }),
        sessions,
      );
    },
    async pair(work, hooks) {
      const [one, other] = bytePair();
      agentOf(work).connect(createByteTransport(pipeOf(one), { framing }));
      const { client, sessions } = clientOf(hooks);
      return port(await client.connect(createByteTransport(pipeOf(other), { framing })), sessions);
    },
  };
}

/** An agent that does the work of the scenarios. */
export function agentOf(work: AgentWork): AgentDefinition {
  return createAgent({
    info,
    handlers: {
      async "session/prompt"({ prompt: [block] }, { turn, client }) {
        await work(block?.type === "text" ? block.text : "", {
          update: (update) => turn.update(update),
          readTextFile: async (path) => (await client.request("fs/read_text_file", { path })).content,
        });
        return { stopReason: "end_turn" };
      },
      "session/close": () => {},
    },
  });
}

/** By id. */
export type Sessions = Map<string, Awaited<ReturnType<ConnectedAgent["newSession"]>>>;

/** A client that counts what it receives, and the sessions that it has opened. */
export function clientOf(hooks: ClientHooks): { readonly client: ClientDefinition; readonly sessions: Sessions } {
  const client = createClient({
    info,
    handlers: {
      // Everything the scenarios send is among the updates they know.
      "session/update": ({ update }) => hooks.update(update as Parameters<ClientHooks["update"]>[0]),
      "fs/read_text_file": ({ path }) => ({ content: hooks.readTextFile(path) }),
    },
  });
  return { client, sessions: new Map() };
}

/** An agent, as a scenario drives it. */
export function port(agent: ConnectedAgent, sessions: Sessions): Agent {
  return {
    async newSession() {
      const session = await agent.newSession({ cwd: "/project" });
      sessions.set(session.id, session);
      return session.id;
    },
    async prompt(sessionId, text) {
      await sessions.get(sessionId)!.prompt(text).response;
    },
    async closeSession(sessionId) {
      await sessions.get(sessionId)!.close();
    },
    close: () => agent.close(),
  };
}

function pipeOf(end: ByteEnd): BytePipe {
  return {
    start: (sink) => end.start((bytes) => sink.data(bytes)),
    // The other end is as fast as this process: nothing to pause.
    pause() {},
    resume() {},
    write: (bytes) => end.write(bytes),
    close: async () => {},
  };
}
