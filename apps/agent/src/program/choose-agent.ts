import { join, resolve } from "node:path";
import type { AgentDefinition } from "@acp/core";

import type { LoginFile } from "../login/login-file.ts";
import { keyVariables, type ModelConfig } from "../model/model-config.ts";
import { createReferenceAgent } from "../without-model/agent.ts";
import { chooseModels } from "./choose-models.ts";
import { foldersOf } from "./folders.ts";
import type { Options } from "./options.ts";
import { type Config, ConfigError, readConfig } from "./read-config.ts";
import { readVersion } from "./version.ts";
import { describeError } from "../describe-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the agent to serve: the one with a model if one is configured, else the one without.
 *
 * @throws {ConfigError} the configuration is wrong, or a key is missing.
 */
export async function chooseAgent(options: Options, login: LoginFile | undefined): Promise<AgentDefinition> {
  const env = readEnvironment();
  const { config: folder } = foldersOf(env);
  const config = options.isWithoutModel
    ? {}
    : readConfig(options.config ?? join(folder, "config.json"), options.config !== undefined);
  const chosen = options.model ?? env["ACP_AGENT_MODEL"];
  const models = options.isWithoutModel ? [] : chooseModels({ configured: config.models ?? [], chosen });
  const [first, ...others] = models;
  if (first === undefined)
    return createReferenceAgent({ pace: options.pace, ...(login === undefined ? {} : { login }) });
  return createAgentWithModel([first, ...others], { options, config, env, login });
}

interface Surroundings {
  readonly options: Options;
  readonly config: Config;
  readonly env: Environment;
  readonly login: LoginFile | undefined;
}

async function createAgentWithModel(
  [first, ...others]: readonly [ModelConfig, ...ModelConfig[]],
  { options, config, env, login }: Surroundings,
): Promise<AgentDefinition> {
  // Loaded only now: the agent without a model starts faster, and needs nothing of it.
  const [{ createCoder }, { createModel }] = await Promise.all([
    import("../coder/create-coder.ts"),
    import("../model/create-models.ts"),
  ]);
  const folders = foldersOf(env);
  const connect = (model: ModelConfig): ReturnType<typeof createModel> => {
    try {
      return createModel(model, env);
    } catch (error) {
      throw new ConfigError(describeError(error));
    }
  };
  return createCoder({
    info: { name: "acp-agent", title: "ACP agent", version: readVersion() },
    models: [connect(first), ...others.map(connect)],
    sessionsFolder: options.keepsSessions ? resolve(options.sessions ?? join(folders.state, "sessions")) : undefined,
    login,
    maxSteps: config.maxSteps,
    configFolder: folders.config,
    onProblem: (message) => void process.stderr.write(`acp-agent: ${message}\n`),
    secretVariables: secretVariables([first, ...others], env),
  });
}

/** The variables with keys. The commands of a model do not get them: what it reads goes to the provider and to the client. */
function secretVariables(models: readonly ModelConfig[], env: Environment): readonly string[] {
  const own = models.flatMap(({ keyVariable }) => (keyVariable === undefined ? [] : [keyVariable]));
  return [...keyVariables, ...own].filter((name) => env[name] !== undefined);
}

/** The environment. Where the runtime forbids to read a variable, as Deno may, it counts as not set. */
function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return new Proxy(process.env, {
    get(env, name) {
      try {
        return Reflect.get(env, name) as unknown;
      } catch {
        return undefined;
      }
    },
  });
}
