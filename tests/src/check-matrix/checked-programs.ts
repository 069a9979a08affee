import { join } from "node:path";
import process from "node:process";

import type { AgentPrompts } from "@acp/check";

import { agentsUnderTest } from "../interop/agents/agents-under-test.ts";
import type { ForeignProgram } from "../interop/agents/foreign-program.ts";
import { writeFile } from "../interop/agents/played-turns.ts";
import type { PlayedTurn } from "../support/models/conversation.ts";
import { root } from "../support/packages.ts";

/** A program of the matrix. */
export interface CheckedProgram extends ForeignProgram {
  readonly side: "agent" | "client";
  /** What it is, where its name does not say it. */
  readonly about?: string;
  /** Why it has no report as long as it has none: half a sentence. */
  readonly hindrance?: string;
  /** What an agent is prompted; a client has its prompt from the checker. */
  readonly prompts?: AgentPrompts;
  /** How a client is told to cancel. Default: `SIGINT`. */
  readonly cancel?: string;
}

/** Where programs of ours are that use the SDKs of others. */
const programs = join(root, "tests/src/check-matrix/programs");
const ours = (name: string): string => join(programs, name);

/** A turn that outlasts a check, also on a slow machine, unless it is cancelled. It writes meanwhile. */
export const writeLong: PlayedTurn = {
  prompt: "Please write a long text now",
  begins: "And so it goes on. ".repeat(120).trim(),
  pause: 100,
};

/** Prompts for agents with a model: it answers the short one with a word. */
const played: AgentPrompts = { short: "Say hello.", long: writeLong.prompt, permission: writeFile.prompt };
const hello: AgentPrompts = { short: "Say hello." };

const openAiKey = (modelUrl: string): Readonly<Record<string, string>> => ({
  OPENAI_API_KEY: "played",
  OPENAI_BASE_URL: `${modelUrl}/v1`,
  OPENAI_MODEL: "played",
});

const openCodeSettings = (modelUrl: string): object => ({
  model: "played/played",
  small_model: "played/played",
  autoupdate: false,
  share: "disabled",
  permission: { bash: "ask", edit: "ask" },
  provider: {
    played: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${modelUrl}/v1`, apiKey: "played" },
      models: { played: { name: "Played" } },
    },
  },
});

const agents: readonly Omit<CheckedProgram, "side">[] = [
  {
    name: "acp-agent",
    about: "our reference agent, without a model",
    registry: "workspace",
    packages: {},
    program: "apps/agent/dist/main.js",
    args: () => ["--no-model", "--pace", "0"],
    versions: [1, 2],
    // It asks before it writes, and reads by the client.
    prompts: { ...hello, long: "/run sleep 60", permission: "/write notes.txt: {number}", read: "/read notes.txt" },
  },
  {
    name: "acp-agent-with-a-model",
    about: "our agent, with a model",
    registry: "workspace",
    packages: {},
    program: "apps/agent/dist/main.js",
    args: () => ["--model", "openai/played"],
    versions: [1, 2],
    env: ({ modelUrl }) => openAiKey(modelUrl),
    prompts: played,
  },
  ...agentsUnderTest.map((agent) => ({ ...agent, prompts: played })),
  {
    name: "opencode",
    packages: { "opencode-ai": "1.18.33" },
    // The one of opencode-ai is put there by an install script.
    program: `opencode-linux-${process.arch}/bin/opencode`,
    args: () => ["acp"],
    versions: [1],
    files: ({ modelUrl }) => ({ ".config/opencode/opencode.json": JSON.stringify(openCodeSettings(modelUrl)) }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    hindrance: "it starts so slowly that a run takes an hour",
    prompts: played,
  },
  {
    name: "gemini-cli",
    packages: { "@google/gemini-cli": "0.61.0" },
    program: "@google/gemini-cli/bundle/gemini.js",
    // Without a model of its own choice it asks one which to take.
    args: () => ["--acp", "--model", "gemini-2.5-flash"],
    versions: [1],
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
    env: ({ modelUrl }) => ({ GEMINI_API_KEY: "played", GOOGLE_GEMINI_BASE_URL: modelUrl }),
    hindrance: "it starts so slowly that no run has come to its end yet",
    prompts: played,
  },
  {
    name: "qwen-code",
    packages: { "@qwen-code/qwen-code": "0.24.4" },
    program: "@qwen-code/qwen-code/cli-entry.js",
    args: () => ["--acp"],
    versions: [1],
    files: () => ({
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
    env: ({ modelUrl }) => openAiKey(modelUrl),
    prompts: played,
  },
  {
    name: "copilot",
    packages: { "@github/copilot": "1.0.102" },
    program: "@github/copilot/npm-loader.js",
    args: () => ["--acp"],
    versions: [1],
    env: ({ modelUrl }) => ({
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: "played",
      COPILOT_MODEL: "played",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
    prompts: played,
  },
  {
    name: "cline",
    hindrance: "it wants a login before it opens a session",
    packages: { cline: "3.0.65" },
    program: `@cline/cli-linux-${process.arch}/bin/cline`,
    args: () => ["--acp"],
    versions: [1],
    prompts: hello,
  },
  {
    name: "auggie",
    hindrance: "it wants a login before it opens a session",
    packages: { "@augmentcode/auggie": "0.36.0" },
    program: "@augmentcode/auggie/augment.mjs",
    args: () => ["--acp"],
    versions: [1],
    prompts: hello,
  },
  {
    name: "kimi-cli",
    hindrance: "all it does is say that nobody maintains it any more",
    registry: "pypi",
    packages: { "kimi-cli": "1.52.0" },
    program: "kimi",
    args: () => ["acp"],
    versions: [1],
    prompts: hello,
  },
  {
    name: "mistral-vibe",
    hindrance: "pip does not find all that it depends on",
    registry: "pypi",
    packages: { "mistral-vibe": "3.0.3" },
    program: "vibe-acp",
    versions: [1],
    prompts: hello,
  },
  {
    name: "fast-agent",
    registry: "pypi",
    packages: { "fast-agent-mcp": "0.10.48" },
    program: "fast-agent-acp",
    args: ({ home }) => ["--home", home, "--shell", "--model", "generic.played"],
    versions: [1],
    env: ({ modelUrl }) => ({ GENERIC_API_KEY: "played", GENERIC_BASE_URL: `${modelUrl}/v1` }),
    prompts: played,
  },
  {
    name: "sdk-agent-typescript",
    about: "an agent of a few lines with the official TypeScript SDK",
    packages: { "@agentclientprotocol/sdk": "2.4.0" },
    program: "../sdk-agent.mjs",
    scripts: [ours("sdk-agent.mjs")],
    versions: [1],
    prompts: { ...hello, long: "wait", permission: "ask" },
  },
  {
    name: "sdk-agent-python",
    about: "an agent of a few lines with the Python SDK",
    registry: "pypi",
    packages: { "agent-client-protocol": "0.12.1" },
    program: "python3",
    args: ({ modules }) => [join(modules, "../sdk_agent.py")],
    scripts: [ours("sdk_agent.py")],
    versions: [1],
    prompts: { ...hello, long: "wait", permission: "ask" },
  },
  {
    name: "sdk-agent-go",
    about: "the example of the Go SDK",
    registry: "go",
    packages: { "github.com/coder/acp-go-sdk/example/agent": "v0.13.0" },
    program: "agent",
    versions: [1],
    prompts: { ...hello, permission: "Say hello." },
  },
  {
    name: "sdk-agent-rust",
    about: "the example of the Rust SDK for version 2",
    registry: "crates",
    packages: { "agent-client-protocol": "5.2.0" },
    installOptions: ["--features", "stdio,process,unstable_protocol_v2", "--example", "simple_agent_v2"],
    program: "simple_agent_v2",
    hindrance: "it has to be compiled first",
    versions: [2],
    prompts: hello,
  },
];

const clients: readonly Omit<CheckedProgram, "side">[] = [
  {
    name: "acp-exec",
    about: "our client, one prompt without a user",
    registry: "workspace",
    packages: {},
    program: "apps/client/dist/main.js",
    args: () => ["exec", "{prompt}", "--allow", "--", "{agent}"],
    versions: [1],
  },
  {
    name: "acp-exec-version-2",
    about: "the same in version 2",
    registry: "workspace",
    packages: {},
    program: "apps/client/dist/main.js",
    args: () => ["exec", "{prompt}", "--protocol", "2", "--allow", "--", "{agent}"],
    versions: [2],
  },
  {
    name: "acp-plain",
    about: "our client, line by line",
    registry: "workspace",
    packages: {},
    program: "apps/client/dist/main.js",
    args: () => ["--plain", "--interactive", "--allow", "--", "{agent}"],
    versions: [1],
  },
  {
    name: "acpx",
    packages: { acpx: "0.19.1" },
    program: "acpx/dist/cli.js",
    args: () => ["--agent={agent}", "--approve-all", "exec", "{prompt}"],
    versions: [1],
  },
  {
    name: "acp-ai-provider",
    about: "a program of a few lines with that provider and ai",
    packages: { "@mcpc-tech/acp-ai-provider": "0.2.9", ai: "6.0.326" },
    program: "../provider-client.mjs",
    scripts: [ours("provider-client.mjs")],
    args: () => ["{prompt}", "{agent}"],
    versions: [1],
  },
  {
    name: "sdk-client-typescript",
    about: "a client of a few lines with the official TypeScript SDK",
    packages: { "@agentclientprotocol/sdk": "2.4.0" },
    program: "../sdk-client.mjs",
    scripts: [ours("sdk-client.mjs")],
    args: () => ["{prompt}", "{agent}"],
    versions: [1],
  },
  {
    name: "sdk-client-python",
    about: "a client of a few lines with the Python SDK",
    registry: "pypi",
    packages: { "agent-client-protocol": "0.12.1" },
    program: "python3",
    args: ({ modules }) => [join(modules, "../sdk_client.py"), "{prompt}", "{agent}"],
    scripts: [ours("sdk_client.py")],
    versions: [1],
  },
  {
    name: "sdk-client-go",
    about: "the example of the Go SDK; its prompt is its own",
    registry: "go",
    packages: { "github.com/coder/acp-go-sdk/example/client": "v0.13.0" },
    program: "client",
    args: () => ["{agent}"],
    versions: [1],
  },
  {
    name: "sdk-client-rust",
    about: "the example of the Rust SDK",
    registry: "crates",
    packages: { "agent-client-protocol": "5.2.0" },
    installOptions: ["--features", "stdio,process,unstable_protocol_v2", "--example", "yolo_one_shot_client"],
    program: "yolo_one_shot_client",
    hindrance: "it has to be compiled first",
    args: () => ["--command={agent}", "{prompt}"],
    versions: [1],
  },
];

/** All programs of the matrix, in its order. Raise a version here. */
export const checkedPrograms: readonly CheckedProgram[] = [
  ...agents.map((agent) => ({ ...agent, side: "agent" as const })),
  ...clients.map((client) => ({ ...client, side: "client" as const })),
];
