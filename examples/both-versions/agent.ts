// An agent that speaks both versions of the protocol: what it does is written once.
import { createAgent } from "@acp/core";
import * as v2 from "@acp/core/v2";
import { serveStdio } from "@acp/node";

const info = { name: "both-agent", version: "1.0.0" };

/** What the turns of both versions have. */
interface Turn {
  message(text: AsyncIterable<string>): Promise<void>;
}

async function* count(version: number): AsyncIterable<string> {
  for (const word of ["This", "is", "version", `${version}.`]) yield `${word} `;
}

async function answer(turn: Turn, version: number) {
  await turn.message(count(version));
  return { stopReason: "end_turn" } as const;
}

const agent = v2.agentOfVersions({
  v1: createAgent({
    info,
    handlers: { "session/prompt": (_params, { turn }) => answer(turn, 1) },
  }),
  v2: v2.createAgent({
    info,
    handlers: { "session/prompt": (_params, { turn }) => answer(turn, 2) },
  }),
});

// The first message of a client says which version it wants.
await serveStdio(agent);
