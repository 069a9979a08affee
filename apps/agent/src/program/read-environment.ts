/** The environment. Where the runtime forbids to read a variable, as Deno may, it counts as not set. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
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
