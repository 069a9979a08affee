import type { AgentDefinition, FramingIssue, Transport } from "@acp/core";
import { describeError } from "@acp/core/internal";

import { otherSide, type Side } from "../inspected.ts";

/** Observes what passes. */
export interface Observer {
  /** A message has passed. Called after that. */
  passed(from: Side, text: string): void;
  /** Something did not pass: it was no message, or could not be sent. */
  lost(from: Side, reason: string): void;
  /** Nothing more will pass; `reason` is given unless the agent's side has ended in an orderly way. */
  ended(reason: Error | undefined): void;
}

/**
 * Runs between a client and an agent, and passes on what each side sends, unchanged. It is served like an agent. When one
 * side has ended, the other one is closed.
 */
export function createRelay(agent: Transport, observer: Observer): AgentDefinition {
  return {
    role: "agent",
    connect(client) {
      const clientEnded = pass("client", client, agent, observer);
      const agentEnded = pass("agent", agent, client, observer);
      void clientEnded.then(() => agent.close());
      const closed = agentEnded.then(async (reason) => {
        // Also ends the processes that it has left behind.
        await agent.close();
        observer.ended(reason);
      });
      const close = async (): Promise<void> => {
        await agent.close();
        await closed;
      };
      return { closed, close, [Symbol.asyncDispose]: close };
    },
  };
}

/** Passes on the messages of one side. Resolves when there are no more, with the reason if there is one. */
function pass(from: Side, source: Transport, target: Transport, observer: Observer): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let awaited = 0;
    const resume = (): void => {
      awaited -= 1;
      if (awaited === 0) source.resume();
    };
    source.start({
      message(text) {
        let room: void | Promise<void>;
        try {
          // It came in the same framing, so that framing can carry it.
          room = target.send(text, "soon", true);
        } catch (error) {
          const reason = describeError(error);
          return observer.lost(from, `A message could not be passed on to the ${otherSide(from)}: ${reason}`);
        }
        if (room !== undefined) {
          awaited += 1;
          source.pause();
          room.then(resume, resume);
        }
        observer.passed(from, text);
      },
      issue: (issue) => observer.lost(from, describeIssue(issue)),
      closed: resolve,
    });
  });
}

function describeIssue({ message, bytes }: FramingIssue): string {
  return `${message}${bytes === undefined ? "" : ` (${bytes} bytes)`}; not passed on`;
}
