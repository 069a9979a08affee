import type { Runtime } from "../runtime/runtime.ts";

/** The environment of this process with changes made to it; `undefined` takes a variable away. */
export function mergeEnvironment(
  runtime: Runtime,
  changes: Readonly<Record<string, string | undefined>> | undefined,
): Record<string, string> {
  // A record would take `__proto__` for its prototype.
  const merged = new Map(Object.entries(runtime.environment()));
  for (const [name, value] of Object.entries(changes ?? {})) {
    // Windows does not care for the case of a name: `PATH` has to replace `Path`.
    if (runtime.platform === "windows") deleteIgnoringCase(merged, name);
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function deleteIgnoringCase(env: Map<string, string>, name: string): void {
  for (const key of env.keys()) {
    if (key.toUpperCase() === name.toUpperCase()) env.delete(key);
  }
}

/** A variable of a Windows environment, where the case of its name does not count. */
export function windowsVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
