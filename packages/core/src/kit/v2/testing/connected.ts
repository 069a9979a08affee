import type { Received } from "@acp/schema/v2";
import { onTestFinished } from "vitest";
import type { Diagnostic } from "../../../base/diagnostics.ts";
import { createStreamTransport } from "../../../transport/web-stream-pipe.ts";
import type { AgentTurnContext } from "../../../v2/agent-handlers.ts";
import type { AgentTurn } from "../../../v2/agent-turn.ts";
import { createAgent } from "../../../v2/agent.ts";
import { createClient } from "../../../v2/client.ts";
import type { ClientSession } from "../../../v2/client-session.ts";
import type { ConnectedAgent } from "../../../v2/connected-agent.ts";

type ClientOptions = Parameters<typeof createClient>[0];

export interface ConnectOptions {
  /** The client's handlers and capabilities. Untyped, as a client of another kind might be. */
  readonly client?: object;
  readonly capabilities?: ClientOptions["capabilities"];
  /** The agent's other options. */
  readonly agent?: object;
  /** Its other handlers. */
  readonly handlers?: object;
}

export interface Connected {
  readonly agent: ConnectedAgent;
  readonly session: ClientSession;
  /** The updates that the client of the session got, in order, without those that turns send themselves. */
  readonly updates: readonly Received.SessionUpdate[];
  /** What the session was doing, in order. */
  readonly states: readonly unknown[];
  /** The diagnostics of the agent. */
  readonly diagnostics: readonly Diagnostic[];
  /** Runs a turn; what it returns or throws is the result of this. */
  turn<R>(run: (turn: AgentTurn, context: AgentTurnContext) => Promise<R>): Promise<R>;
}

/** A client and an agent of ours, of version 2, with a pipe of bytes between them, until the test ends. */
export async function connect(options: ConnectOptions = {}): Promise<Connected> {
  const updates: Received.SessionUpdate[] = [];
  const states: unknown[] = [];
  const diagnostics: Diagnostic[] = [];
  let promptId: string | undefined;
  let next: ((context: AgentTurnContext) => Promise<void>) | undefined;
  const agentOptions = {
    info: { name: "test-agent", version: "1.0.0" },
    onDiagnostic: (diagnostic: Diagnostic) => diagnostics.push(diagnostic),
    ...options.agent,
    handlers: {
      ...options.handlers,
      "session/prompt": async (_: unknown, context: AgentTurnContext) => {
        promptId = context.turn.messageId;
        await context.turn.accept();
        await next?.(context);
        return { stopReason: "end_turn" as const };
      },
    },
  };
  const client = createClient({
    info: { name: "test-client", version: "1.0.0" },
    ...(options.capabilities === undefined ? {} : { capabilities: options.capabilities }),
    handlers: {
      ...options.client,
      "session/update": ({ update }: { update: Received.SessionUpdate }) => {
        if (update.sessionUpdate === "state_update") states.push(update.state);
        else if (update.sessionUpdate !== "user_message" || update.messageId !== promptId) updates.push(update);
      },
    },
  });
  const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const serving = createAgent(agentOptions).connect(
    createStreamTransport({ readable: up.readable, writable: down.writable }),
  );
  const agent = await client.connect(createStreamTransport({ readable: down.readable, writable: up.writable }));
  onTestFinished(async () => {
    await agent.close();
    await serving.closed;
  });
  const session = await agent.newSession({ cwd: "/project" });
  return {
    agent,
    session,
    updates,
    states,
    diagnostics,
    turn: async <R>(run: (turn: AgentTurn, context: AgentTurnContext) => Promise<R>) => {
      let outcome: { readonly result: R } | { readonly error: unknown } | undefined;
      next = async (context) => {
        outcome = await run(context.turn, context).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        );
      };
      await session.prompt("Go").finished;
      if (outcome === undefined) throw new Error("The turn did not run");
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    },
  };
}
