import { type AgentDefinition, type ClientDefinition, createAgent, createClient } from "@acp/core";

type AgentOptions = Parameters<typeof createAgent>[0];
type AgentHandlers = Partial<AgentOptions["handlers"]>;
type ClientOptions = Parameters<typeof createClient>[0];
type ClientHandlers = NonNullable<ClientOptions["handlers"]>;

/** An agent that does one thing in its turns; by default nothing. */
export function agentThat(
  prompt: NonNullable<AgentHandlers["session/prompt"]> = () => ({ stopReason: "end_turn" }),
  handlers: AgentHandlers = {},
  capabilities: AgentOptions["capabilities"] = {},
): AgentDefinition {
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    capabilities,
    handlers: { ...handlers, "session/prompt": prompt },
  });
}

/** A client with these handlers; by default none. */
export function clientWith(
  handlers: ClientHandlers = {},
  capabilities: ClientOptions["capabilities"] = {},
): ClientDefinition {
  return createClient({ info: { name: "client", version: "1.0.0" }, capabilities, handlers });
}
