import type { AgentCapabilities, AuthMethod, ClientCapabilities } from "@acp/schema/v1/unstable";

/** Which entry of its SDK a program is written with. */
export type Entry = "stable" | "unstable";

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

/** What is advertised where a row does not say. */
export const wholeProfiles: Readonly<Record<Entry, { readonly agent: AgentProfile; readonly client: ClientProfile }>> =
  {
    stable: { agent: wholeAgent, client: wholeClient },
    unstable: {
      agent: {
        ...wholeAgent,
        capabilities: {
          ...wholeAgent.capabilities,
          mcpCapabilities: { http: true, sse: true, acp: true },
          sessionCapabilities: {
            ...wholeAgent.capabilities.sessionCapabilities,
            systemPrompt: { mode: { override: {} } },
            fork: {},
            archive: {},
            status: {},
            title: {},
          },
          auth: { logout: {}, status: {} },
          providers: {},
        },
      },
      client: { ...wholeClient, plan: {}, subagents: {} },
    },
  };

/** Names and versions, as both sides of the rows tell them. */
export const agentInfo = { name: "interop-agent", title: "Interop agent", version: "1.2.3" };
export const clientInfo = { name: "interop-client", title: "Interop client", version: "3.2.1" };

/** The entry that a program was started with. */
export function entryArgument(): Entry {
  return process.argv.includes("--unstable") ? "unstable" : "stable";
}

/** The profile that a program was started with. */
export function profileArgument(): AgentProfile {
  const index = process.argv.indexOf("--profile");
  const text = index < 0 ? undefined : process.argv[index + 1];
  return text === undefined ? wholeProfiles[entryArgument()].agent : (JSON.parse(text) as AgentProfile);
}
