import { type AgentDefinition, type ClientDefinition, createAgent, createClient } from "@acp/core";

import { between, type Scenario } from "../../harness/scenario.ts";
import type { Wire } from "../../harness/wire.ts";

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
  capabilities: {
    elicitation: { form: {}, url: {} },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    auth: { terminal: true },
  },
  handlers: {
    "session/request_permission": ({ options }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }),
    "fs/read_text_file": ({ path, line, limit }) => ({ content: `${path} from ${line} for ${limit}\n` }),
    "fs/write_text_file": () => ({}),
    "terminal/create": () => ({ terminalId: "terminal-1" }),
    "terminal/output": () => ({ output: "some output\n", truncated: false, exitStatus: { exitCode: 0 } }),
    "terminal/wait_for_exit": () => ({ exitCode: 0, signal: null }),
    "terminal/kill": () => ({}),
    "terminal/release": () => ({}),
    "elicitation/create": ({ mode }) =>
      mode === "form" ? { action: "accept", content: { stage: "test", count: 2 } } : { action: "accept" },
  },
};

/** The same with other handlers. */
export function handling(handlers: ClientOptions["handlers"]): Omit<ClientOptions, "info"> {
  return { ...fullClient, handlers: { ...fullClient.handlers, ...handlers } };
}

/** A scenario of one turn that does one thing. */
export function turn(
  name: string,
  run: (context: Parameters<PromptHandler>[1], wire: Wire) => Promise<unknown>,
  client: Omit<ClientOptions, "info"> = fullClient,
): Scenario {
  return between(name, async (wire) => {
    const prompted: PromptHandler = async (_params, context) => {
      await run(context, wire);
      return { stopReason: "end_turn" };
    };
    const agent = await wire.connect(agentThat(prompted), clientWith(client));
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").response);
    await wire.step("close");
    await agent.close();
  });
}
