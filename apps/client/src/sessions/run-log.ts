import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** An event of a run as a file has it: of this version of the format, or another. */
export type LoggedEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events of a session, in order. Lines that are none, as after a crash, are left out; so is a missing file. */
export async function* readEvents(path: string): AsyncGenerator<LoggedEvent> {
  const input = createReadStream(path, "utf8");
  const failed = new Promise<unknown>((resolve) => {
    input.once("error", resolve);
  });
  const opened = new Promise<undefined>((resolve) => {
    input.once("open", () => resolve(undefined));
  });
  const error = await Promise.race([failed, opened]);
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
  if (error !== undefined) throw error;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = parse(line);
    if (event !== undefined) yield event;
  }
}

function parse(line: string): LoggedEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isEvent ? (value as LoggedEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** A member of an event that is a text; empty if it is none. */
export function textOf(event: LoggedEvent, name: string): string {
  const value = event[name];
  return typeof value === "string" ? value : "";
}
