import type { ForeignProgram } from "./foreign-program.ts";

/** An agent from npm. */
export interface AgentUnderTest extends ForeignProgram {
  /** Whether it closes sessions. */
  readonly closesSessions: boolean;
}

/** Codex asks before it runs what wants to leave its sandbox. */
const codex: Pick<ForeignProgram, "files" | "env"> = {
  files: ({ modelUrl, project }) => ({
    ".codex/config.toml": `
model = "played"
model_provider = "played"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.played]
name = "Played"
base_url = "${modelUrl}/v1"
wire_api = "responses"
[projects."${project}"]
trust_level = "trusted"
`,
  }),
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, INITIAL_AGENT_MODE: "read-only", NO_BROWSER: "1" }),
};

/** pi never asks by itself: an extension of ours does. */
const piExtension = `export default function (pi) {
  pi.on("tool_call", async ({ toolName, input }, { ui }) => {
    if (toolName !== "bash" || (await ui.confirm("Run this command?", input.command))) return undefined;
    return { block: true, reason: "The user said no" };
  });
}
`;

const piModels = (modelUrl: string): object => ({
  providers: {
    played: { baseUrl: `${modelUrl}/v1`, api: "openai-completions", apiKey: "played", models: [{ id: "played" }] },
  },
});

/** All agents of the suite. Raise a version here. */
export const agentsUnderTest: readonly AgentUnderTest[] = [
  {
    name: "codex-acp",
    packages: { "@agentclientprotocol/codex-acp": "2.6.0", "@openai/codex": "0.166.0" },
    program: "@agentclientprotocol/codex-acp/dist/index.js",
    versions: [1, 2],
    closesSessions: true,
    ...codex,
  },
  {
    name: "older-codex-acp",
    packages: { "@zed-industries/codex-acp": "0.16.0" },
    program: "@zed-industries/codex-acp/bin/codex-acp.js",
    versions: [1],
    closesSessions: true,
    ...codex,
  },
  {
    name: "claude-agent-acp",
    packages: { "@agentclientprotocol/claude-agent-acp": "0.101.0", "@anthropic-ai/claude-agent-sdk": "0.3.318" },
    program: "@agentclientprotocol/claude-agent-acp/dist/index.js",
    versions: [1, 2],
    closesSessions: true,
    files: () => ({ ".claude/settings.json": JSON.stringify({ permissions: { defaultMode: "default" } }) }),
    env: ({ home, modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "played",
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_AGENT_ACP_PROTOCOL: "auto",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    }),
  },
  {
    name: "pi-acp",
    packages: { "pi-acp": "0.0.34", "@earendil-works/pi-coding-agent": "0.87.1" },
    program: "pi-acp/dist/index.js",
    versions: [1],
    closesSessions: true,
    files: ({ modelUrl }) => ({
      ".pi/agent/models.json": JSON.stringify(piModels(modelUrl)),
      ".pi/agent/settings.json": JSON.stringify({
        defaultProvider: "played",
        defaultModel: "played",
        quietStartup: true,
      }),
      ".pi/agent/extensions/ask.js": piExtension,
    }),
    env: ({ home, modules }) => ({
      PI_ACP_PI_COMMAND: `${modules}/.bin/pi`,
      PI_CODING_AGENT_DIR: `${home}/.pi/agent`,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
    }),
  },
];
