import type { Line, Side } from "./line.ts";

/** Begins every UUID that is made during a recording, so that its parts can be found again. */
const mark = "5eed";
const uuidTail = "-0000-4000-8000-000000000000";

/** Makes random ids count while `run` runs. */
export async function withCountedIds(run: () => Promise<void>): Promise<void> {
  const original = Object.getOwnPropertyDescriptor(crypto, "getRandomValues");
  let count = 0;
  Object.defineProperty(crypto, "getRandomValues", {
    configurable: true,
    value: (bytes: Uint8Array) => {
      count++;
      bytes.fill(0);
      bytes.set([Number.parseInt(mark.slice(0, 2), 16), Number.parseInt(mark.slice(2), 16), count >> 8, count]);
      return bytes;
    },
  });
  try {
    await run();
  } finally {
    if (original === undefined) Reflect.deleteProperty(crypto, "getRandomValues");
    else Object.defineProperty(crypto, "getRandomValues", original);
  }
}

const random = new RegExp(`${mark}[0-9a-f]{4}(${uuidTail})?|(?<="correlationId":")[^"]+`, "g");

/**
 * Names random ids after the side that wrote them first, and numbers them in the order in which that side did. So ids that
 * are made and never sent do not count.
 */
export class IdNames {
  readonly #names = new Map<string, string>();
  readonly #counts: Record<Side, number> = { agent: 0, client: 0 };

  rename(line: Line): Line {
    if (!("from" in line)) return line;
    return { ...line, text: line.text.replaceAll(random, (id, tail?: string) => this.#nameOf(id, tail, line.from)) };
  }

  #nameOf(id: string, tail: string | undefined, side: Side): string {
    const key = id.slice(0, id.length - (tail?.length ?? 0));
    const name = this.#names.get(key) ?? `${side}-${++this.#counts[side]}`;
    this.#names.set(key, name);
    return tail === undefined ? name : `uuid-${name}`;
  }
}
