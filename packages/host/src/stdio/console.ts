/** The methods of a `console`, by name. */
type Methods = Record<string, unknown>;

/** The class `Console` of Node, which every runtime has. */
export type ConsoleClass = new (stream: never) => object;

/**
 * The methods that print to stdout on some runtime: `clear` on Deno, `trace` on Bun, the others everywhere. `error`,
 * `warn` and `assert` do not.
 */
const printing = [
  ..."log info debug dir dirxml table group groupCollapsed groupEnd".split(" "),
  ..."count countReset time timeLog timeEnd trace clear".split(" "),
];

/**
 * Makes the methods of `console` that print to stdout print through `write` instead, for runtimes whose `console`
 * bypasses their stdout streams. The first call loads the class by `loadConsole`.
 */
export function redirectConsole(loadConsole: () => ConsoleClass, write: (text: string) => void): void {
  let replacement: Methods | undefined;
  const load = (): Methods => {
    const Console = loadConsole();
    replacement = { ...methodsOf(new Console(plainStream(write) as never)) };
    return replacement;
  };
  const target = methodsOf(console);
  for (const name of printing) {
    if (typeof target[name] !== "function") continue;
    target[name] = (...args: readonly unknown[]): unknown => {
      const method = (replacement ?? load())[name];
      return typeof method === "function" ? method(...args) : undefined;
    };
  }
}

function methodsOf(object: object): Methods {
  return object as Methods;
}

/** The part of a Node stream that a `Console` uses. */
function plainStream(write: (text: string) => void): object {
  const ignore = (): object => stream;
  const stream = {
    write(text: string): boolean {
      write(text);
      return true;
    },
    on: ignore,
    once: ignore,
    off: ignore,
    removeListener: ignore,
    listenerCount: () => 0,
    emit: () => true,
  };
  return stream;
}
