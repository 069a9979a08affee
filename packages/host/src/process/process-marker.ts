import { randomId, requireObject } from "@acp/core/internal";

/**
 * The variable that marks a child's processes, so that Linux can find those that left the child's group. Its value
 * is a list of ids, separated by colons: one for each child of this toolkit on the way down. An empty value turns this off,
 * for everything below.
 */
const markerVariable = "ACP_PROCESS_GROUP";

/** An environment for a child. */
export interface MarkedEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** The id in it; `undefined` if marking is turned off. */
  readonly marker: string | undefined;
}

/** An environment for a child that outlives this process, and does not belong to whoever has started this one. */
export function separateEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  requireObject(env, "separateEnvironment() takes variables");
  return env[markerVariable] === "" ? env : { ...env, [markerVariable]: randomId() };
}

/** Adds an id to an environment that no other process has. */
export function markEnvironment(env: Readonly<Record<string, string>>): MarkedEnvironment {
  const outer = env[markerVariable];
  if (outer === "") return { env, marker: undefined };
  const marker = randomId();
  return { env: { ...env, [markerVariable]: outer === undefined ? marker : `${outer}:${marker}` }, marker };
}

/**
 * The ids in an environment, as `/proc` shows it. `undefined` if it has no such variable, as after `env -i`: then only the
 * parent of the process can tell whose it is.
 */
export function markersIn(environment: string): readonly string[] | undefined {
  const start = `${markerVariable}=`;
  const entry = environment.split("\0").find((each) => each.startsWith(start));
  return entry?.slice(start.length).split(":");
}
