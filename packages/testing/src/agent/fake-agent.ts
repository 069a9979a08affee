import { type BytePipe, createByteTransport, type Transport } from "@acp/core";
import { ndjson } from "@acp/framing";

import { systemClock } from "../clock/clock.ts";
import { type Channel, pipeChannel, transportChannel } from "../peer/channel.ts";
import { createMemoryPipes } from "../peer/memory-pipes.ts";
import type { Message } from "../peer/message.ts";
import { defaultTimeout, MissingMessageError, type Peer } from "../peer/peer.ts";
import type { Script } from "../script/script.ts";
import type { AgentHost } from "../script/step-runner.ts";
import type { AgentScript, FakeAgentOptions, FakePrompt, PromptScript } from "./agent-options.ts";
import { FakeConnection } from "./fake-connection.ts";
import { readScript } from "./read-script.ts";

/** An agent that does what a script says, right or wrong. */
export interface FakeAgent {
  /** The texts of all prompts, in order. */
  readonly prompts: readonly string[];
  /** All messages of clients, in order. */
  readonly received: readonly Message[];
  /** The connections so far, each with all that went over it. */
  readonly connections: readonly Peer[];
  /** A transport for a client in this program: pass it to `client.connect()`. Each call is a connection of its own. */
  transport(): Transport;
  /** Serves a connection, like an agent that `createAgent` makes. */
  connect(transport: Transport): { readonly closed: Promise<unknown>; close(): Promise<void> };
  /** Serves a connection over bytes. `host` is what dies with `crash` and `hangUp`. */
  attach(pipe: BytePipe, host?: AgentHost): Peer;
  /**
   * The next request or notification of this method, which comes or has come and was not taken before.
   *
   * @throws {MissingMessageError} if none comes within {@link FakeAgentOptions.timeout}; what a script has thrown meanwhile.
   */
  next(method: string): Promise<Message>;
  /**
   * Ends all connections.
   *
   * @throws what a script has thrown, so that a test fails by it whatever the client made of the error.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates an agent that follows a script. It does what the script says even if the protocol forbids that, so that a test can
 * see how a client copes.
 *
 * ```ts
 * const agent = fakeAgent(({ text }) => [say(`You said ${text}`), call("edit", { ask: true }), say("Done")]);
 * const connected = await client.connect(agent.transport());
 * ```
 *
 * A script that does not end its turn is ended with `end_turn`. What a script throws is the answer to the prompt, and is thrown
 * by `close()` as well, so a script may have assertions. Use `agentCommand` of `@acp/testing/process` for a client that
 * starts its agent as a process.
 *
 * @param script Steps for each prompt, what makes them of a prompt, or a whole agent as JSON.
 * @throws {UsageError} for what is no script, and for steps that are none.
 */
export function fakeAgent(script: PromptScript | AgentScript, options: FakeAgentOptions = {}): FakeAgent {
  return createFakeAgent(...readScript(script, options));
}

function createFakeAgent(script: PromptScript, options: FakeAgentOptions): FakeAgent {
  const connections: FakeConnection[] = [];
  const waiting = new Set<() => void>();
  const prompts: string[] = [];
  const taken = new WeakSet<Message>();
  const { timeout = defaultTimeout, clock = systemClock } = options;
  const failures: unknown[] = [];
  const look = (): void => {
    for (const each of new Set(waiting)) each();
  };
  const scriptOf = (prompt: FakePrompt): Script | PromiseLike<Script> => {
    prompts.push(prompt.text);
    return typeof script === "function" ? script(prompt) : script;
  };
  const open = (channel: Channel, host?: AgentHost): FakeConnection => {
    const connection = new FakeConnection(channel, {
      options,
      clock,
      scriptOf,
      promptNumber: () => prompts.length + 1,
      host,
      onMessage: look,
      onFailure: (error) => {
        failures.push(error);
        look();
      },
    });
    connections.push(connection);
    return connection;
  };
  const received = (): readonly Message[] => connections.flatMap(({ peer }) => peer.received);
  const agent: FakeAgent = {
    prompts,
    get received() {
      return received();
    },
    get connections() {
      return connections.map(({ peer }) => peer);
    },
    transport() {
      const [ours, theirs] = createMemoryPipes();
      open(pipeChannel(ours, options.framing));
      return createByteTransport(theirs, { framing: options.framing ?? ndjson });
    },
    connect(transport) {
      const { peer } = open(transportChannel(transport));
      return { closed: peer.closed, close: () => peer.close() };
    },
    attach: (pipe, host) => open(pipeChannel(pipe, options.framing), host).peer,
    next: (method) =>
      new Promise((resolve, reject) => {
        const search = (): void => {
          const found = received().find((message) => message.method === method && !taken.has(message));
          if (found === undefined && failures.length === 0) return;
          waiting.delete(search);
          stop();
          if (found === undefined) return reject(failures[0]);
          taken.add(found);
          resolve(found);
        };
        const stop = clock.after(timeout, () => {
          waiting.delete(search);
          const methods = received().map((message) => message.method ?? "an answer");
          reject(
            new MissingMessageError(
              `The client has not sent ${method} within ${timeout / 1000} s, only: ${methods.join(", ") || "nothing"}`,
            ),
          );
        });
        waiting.add(search);
        search();
      }),
    close: async () => {
      await Promise.all(connections.map(({ peer }) => peer.close()));
      if (failures.length > 0) throw failures.splice(0)[0];
    },
    [Symbol.asyncDispose]: () => agent.close(),
  };
  return agent;
}
