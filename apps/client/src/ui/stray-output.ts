import { formatWithOptions } from "node:util";

const methods = ["log", "info", "debug", "warn", "error"] as const;

/**
 * Catches what libraries and the runtime print, which would break the screen: `show` gets it line by line. Returns a function
 * that ends it.
 */
export function catchStrayOutput(show: (line: string) => void): () => void {
  const { stderr } = process;
  const before = methods.map((method) => [method, console[method]] as const);
  const write = stderr.write.bind(stderr);
  const tell = (text: string): void => {
    for (const line of text.split("\n")) if (line.trim() !== "") show(line);
  };
  for (const method of methods) console[method] = (...values: unknown[]) => tell(formatWithOptions({}, ...values));
  // If it goes to a file, it disturbs nobody.
  if (stderr.isTTY) {
    stderr.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      tell(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      const callback = rest.find((one): one is () => void => typeof one === "function");
      callback?.();
      return true;
    };
  }
  return () => {
    for (const [method, original] of before) console[method] = original;
    stderr.write = write;
  };
}
