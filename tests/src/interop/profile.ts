import type { AgentCapabilities, AuthMethod, ClientCapabilities } from "@acp/schema/v1";

/** What an agent advertises. Its handlers follow from it. */
export interface AgentProfile {
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** The version that the official agent answers with, whatever it was asked for. Default: its own. */
  readonly protocolVersion?: number;
}

/** What a client advertises. Its handlers follow from it. */
export type ClientProfile = ClientCapabilities;

export const wholeAgent: AgentProfile = {
  capabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
    auth: { logout: {} },
    _meta: { "example.com/agent": { flag: true } },
  },
  authMethods: [
    { id: "key", name: "API key", description: "By environment", _meta: { "example.com/login": 1 } },
    { type: "terminal", id: "device", name: "Device code", args: ["login"], env: { LOGIN: "1" } },
  ],
};

export const wholeClient: ClientProfile = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  _meta: { "example.com/client": { flag: true } },
};

/** Names and versions, as both sides of the rows tell them. */
export const agentInfo = { name: "interop-agent", title: "Interop agent", version: "1.2.3" };
export const clientInfo = { name: "interop-client", title: "Interop client", version: "3.2.1" };

/** The profile that a program was started with. */
export function profileArgument(): AgentProfile {
  const index = process.argv.indexOf("--profile");
  const text = index < 0 ? undefined : process.argv[index + 1];
  return text === undefined ? wholeAgent : (JSON.parse(text) as AgentProfile);
}
