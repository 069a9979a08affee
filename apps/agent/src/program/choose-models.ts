import { idOf, type ModelConfig, type Provider } from "../model/model-config.ts";
import { ConfigError } from "./read-config.ts";

/** Where models can be named. */
export interface ModelSources {
  /** The models of the configuration. */
  readonly configured: readonly ModelConfig[];
  /** The id of a configured model, or `provider/model`: of `--model`, or of the variable `ACP_AGENT_MODEL`. */
  readonly chosen: string | undefined;
}

/**
 * The models to choose from, with the one for new sessions first; none if no model is named anywhere. A key alone names no
 * model: whoever has one for other programs has not asked this one to use it.
 *
 * @throws {ConfigError} there is no such model, or two have the same id.
 */
export function chooseModels({ configured, chosen }: ModelSources): readonly ModelConfig[] {
  const ids = configured.map(idOf);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new ConfigError(`Two models of the configuration have the id ${twice}.`);
  if (chosen === undefined || chosen === "") return configured;
  const first = configured.find((config) => idOf(config) === chosen) ?? parseModel(chosen);
  if (first === undefined) {
    const known = ids.length === 0 ? "" : ` The configuration has ${ids.join(", ")}.`;
    throw new ConfigError(
      `There is no model ${chosen}.${known} Write openai/ or anthropic/ before the name of any other model.`,
    );
  }
  return [first, ...configured.filter((config) => config !== first)];
}

/** A model that is named by its provider, which the environment says how to reach. */
function parseModel(name: string): ModelConfig | undefined {
  const [, provider, model] = /^(openai|anthropic)\/(.+)$/u.exec(name) ?? [];
  return provider === undefined || model === undefined ? undefined : { provider: provider as Provider, model };
}
