import {
  type AgentConnection,
  type AgentDefinition,
  type ClientHandlers,
  type ConnectedAgent,
  createClient,
  createMemoryTransportPair,
  type SessionUpdate,
} from "@acp/core";
import { onTestFinished } from "vitest";

import {
  createHub,
  createMemoryJournal,
  type Hub,
  type HubOptions,
  type HubUser,
  type Journal,
} from "../../src/index.ts";

/** A hub with one agent, and its clients, in this process. */
export interface TestHub {
  readonly hub: Hub;
  readonly journal: Journal;
  /** The agents that run, the oldest first. */
  readonly agents: readonly AgentConnection[];
  join(handlers?: ClientHandlers, user?: HubUser): Promise<TestClient>;
}

/** A client of a hub. */
export interface TestClient {
  readonly agent: ConnectedAgent;
  /** What it was shown, in order. */
  readonly shown: SessionUpdate[];
  /** The texts of the agent in it, as one. */
  text(): string;
  /** Resolves when it was shown something that fits. */
  until(fits: (shown: readonly SessionUpdate[]) => boolean): Promise<void>;
  /** Breaks the connection. */
  leave(): Promise<void>;
}

export const cwd = "/project";

/** Starts a hub over an agent. It is closed at the end of the test. */
export function startHub(agent: AgentDefinition, options: Partial<HubOptions> = {}): TestHub {
  const agents: AgentConnection[] = [];
  const journal = options.journal ?? createMemoryJournal();
  const hub = createHub({
    journal,
    runtime: {
      spawnAgent: async (client) => {
        const [ours, theirs] = createMemoryTransportPair();
        const served = agent.connect(theirs);
        agents.push(served);
        void served.closed.then(() => agents.splice(agents.indexOf(served), 1));
        return await client.connect(ours);
      },
      fileSystem: () => ({}),
      terminals: () => ({}),
    },
    agents: { test: { command: "test" } },
    ...options,
  });
  onTestFinished(() => hub.close());
  return { hub, journal, agents, join: (handlers, user) => joinHub(hub, handlers, user) };
}

async function joinHub(hub: Hub, handlers?: ClientHandlers, user?: HubUser): Promise<TestClient> {
  const shown: SessionUpdate[] = [];
  const waiting = new Set<() => void>();
  const client = createClient({
    info: { name: "test-client", version: "1.0.0" },
    handlers: {
      ...handlers,
      "session/update": ({ update }) => {
        shown.push(update as SessionUpdate);
        for (const check of waiting) check();
      },
    },
  });
  const [near, far] = createMemoryTransportPair();
  const served = (await hub.agent({ agent: "test", user })).connect(far);
  const agent = await client.connect(near);
  return {
    agent,
    shown,
    text: () => shown.map(textOf).join(""),
    until: (fits) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!fits(shown)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    leave: async () => {
      await agent.close();
      await served.closed;
    },
  };
}

/** The text of an update of the agent's message, with the user's in brackets. */
function textOf(update: SessionUpdate): string {
  if (update.sessionUpdate !== "agent_message_chunk" && update.sessionUpdate !== "user_message_chunk") return "";
  const text = update.content.type === "text" ? update.content.text : "";
  return update.sessionUpdate === "user_message_chunk" ? `[${text}]` : text;
}
