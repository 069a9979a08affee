import { type AgentDefinition, type ClientDefinition, createAgent, createClient } from "@acp/core";

type AgentHandlers = Parameters<typeof createAgent>[0]["handlers"];
type ClientHandlers = NonNullable<Parameters<typeof createClient>[0]["handlers"]>;

/** An agent that does one thing in its turns; by default nothing. */
export function agentThat(
  prompt: NonNullable<AgentHandlers["session/prompt"]> = () => ({ stopReason: "end_turn" }),
  handlers: AgentHandlers = {},
): AgentDefinition {
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    handlers: { ...handlers, "session/prompt": prompt },
  });
}

/** A client with these handlers; by default none. */
export function clientWith(handlers: ClientHandlers = {}): ClientDefinition {
  return createClient({ info: { name: "client", version: "1.0.0" }, handlers });
}
