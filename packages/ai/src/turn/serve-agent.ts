import { type AgentDefinition, createAgent } from "@acp/core";
import { receiveSteering, steeringMeta } from "@acp/core/steering";
import { agentOfVersions, createAgent as createAgent2 } from "@acp/core/v2";
import type { ModelMessage, ToolSet } from "ai";
import { toModelMessages } from "../messages/to-model-messages.ts";
import type { SendOptions } from "../stream/send-options.ts";
import type { AnyTurn } from "./any-turn.ts";
import { runAgent, type StreamingAgent } from "./run-agent.ts";
import { requireObject } from "@acp/core/internal";

/** How an agent of `ai` is served. */
export interface ServeAgentOptions<Tools extends ToolSet = ToolSet> extends SendOptions<Tools> {
  /** Its name and version. Default: the agent's `id`, or `agent`, and 1.0.0. */
  readonly info?: { readonly name: string; readonly version: string } | undefined;
}

/**
 * An agent of `ai`, such as a `ToolLoopAgent`, as an agent of version 1 and 2 of the protocol. Each session has a history of
 * its own, in memory. Serve it like any agent:
 *
 * ```ts
 * const coder = new ToolLoopAgent({ model, instructions: "You mend code.", tools });
 * await serveStdio(serveAgent(coder));
 * ```
 */
export function serveAgent<Tools extends ToolSet = ToolSet>(
  agent: StreamingAgent<Tools> & { readonly id?: string | undefined },
  serveOptions?: ServeAgentOptions<Tools>,
): AgentDefinition {
  requireObject(agent, "serveAgent() takes an agent of ai", "stream");
  const { info = { name: agent.id ?? "agent", version: "1.0.0" }, ...options } = serveOptions ?? {};
  const session = (): { messages: ModelMessage[] } => ({ messages: [] });
  const answer = async (
    turn: AnyTurn,
    prompt: Parameters<typeof toModelMessages>[0],
    messages: ModelMessage[],
  ): Promise<{ stopReason: Awaited<ReturnType<typeof runAgent>>["stopReason"] }> => {
    messages.push(...toModelMessages(prompt));
    const { stopReason } = await runAgent(turn, { ...options, agent, messages });
    return { stopReason };
  };
  return agentOfVersions({
    v1: createAgent({
      info,
      session,
      _meta: steeringMeta,
      capabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
      handlers: {
        "_session/steering": receiveSteering,
        "session/prompt": ({ prompt }, context) => answer(context.turn, prompt, context.session.state.messages),
      },
    }),
    v2: createAgent2({
      info,
      session,
      _meta: steeringMeta,
      capabilities: { session: { prompt: { image: {}, audio: {}, embeddedContext: {} } } },
      handlers: {
        "_session/steering": receiveSteering,
        "session/prompt": ({ prompt }, context) => answer(context.turn, prompt, context.session.state.messages),
      },
    }),
  });
}
