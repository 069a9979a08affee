import type { Runtime } from "../runtime/runtime.ts";

/** The environment of this process with changes made to it; `undefined` takes a variable away. */
export function mergeEnvironment(
  runtime: Runtime,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const merged = { ...runtime.environment() };
  for (const [name, value] of Object.entries(changes)) {
    // Windows does not care for the case of a name: `PATH` has to replace `Path`.
    if (runtime.platform === "windows") deleteIgnoringCase(merged, name);
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

function deleteIgnoringCase(env: Record<string, string>, name: string): void {
  for (const key of Object.keys(env)) {
    if (key.toUpperCase() === name.toUpperCase()) delete env[key];
  }
}

/** A variable of a Windows environment, where the case of its name does not count. */
export function windowsVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
