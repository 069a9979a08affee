/** A member of something of which nothing is known: the type libraries of the runtimes disagree about events. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
