import { type AgentDefinition, type ClientDefinition, createAgent, createClient } from "@acp/core/v2";

export type AgentOptions = Parameters<typeof createAgent>[0];
export type AgentHandlers = AgentOptions["handlers"];
/** An agent's options, but for its prompt handler. */
export type AgentParts = Partial<Omit<AgentOptions, "info" | "handlers">> & {
  readonly handlers?: Partial<AgentHandlers> | undefined;
};
export type ClientOptions = Parameters<typeof createClient>[0];
export type PromptHandler = NonNullable<AgentHandlers["session/prompt"]>;

/** An agent whose turns do this, with session ids that count. */
export function agentThat(prompt: PromptHandler, options: AgentParts = {}): AgentDefinition {
  let count = 0;
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    sessionId: () => `session-${++count}`,
    ...options,
    handlers: { ...options.handlers, "session/prompt": prompt },
  });
}

export function clientWith(options: Omit<ClientOptions, "info"> = {}): ClientDefinition {
  return createClient({ info: { name: "client", version: "1.0.0" }, ...options });
}

/** What a client handles that lets an agent do everything. */
export const fullClient: Omit<ClientOptions, "info"> = {
  capabilities: { elicitation: { form: {}, url: {} }, auth: { terminal: {} } },
  handlers: {
    "session/request_permission": ({ options }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }),
    "elicitation/create": ({ mode }) =>
      mode === "form" ? { action: "accept", content: { stage: "test", count: 2 } } : { action: "accept" },
  },
};
