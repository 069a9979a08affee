import type { Runtime } from "../runtime/runtime.ts";

/** The environment of this process with changes; `undefined` removes a variable. */
export function mergeEnvironment(
  runtime: Runtime,
  changes: Readonly<Record<string, string | undefined>> | undefined,
): Record<string, string> {
  // In a record, `__proto__` would be its prototype.
  const merged = new Map(Object.entries(runtime.environment()));
  for (const [name, value] of Object.entries(changes ?? {})) {
    // Windows ignores the case of a name: `PATH` has to replace `Path`.
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

/** Reads a variable of a Windows environment, ignoring the case of its name. */
export function windowsVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
