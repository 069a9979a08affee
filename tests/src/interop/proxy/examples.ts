import { readdirSync, readFileSync } from "node:fs";

import type { Exchange } from "./typed-proxied.ts";

interface Example extends Exchange {
  readonly title?: string;
  readonly definition?: string;
  readonly value?: unknown;
}

const folder = new URL("../../../../schema/v1/examples/", import.meta.url);

/** Every example of the schema as a message: updates in a notification, errors in answers. */
export const examples: readonly (readonly [name: string, exchange: Exchange])[] = readdirSync(folder)
  .toSorted()
  .flatMap((file) => {
    const all = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly Example[];
    return all.map((example) => {
      const { title, definition, value, method, params, result } = example;
      const about = definition === "SessionUpdate" ? (value as { sessionUpdate: string }).sessionUpdate : title;
      const exchange = definition === undefined ? { method, params, result } : messageOf(definition, value);
      return [about === undefined ? exchange.method : `${exchange.method}, ${about}`, exchange] as const;
    });
  });

function messageOf(definition: string, value: unknown): Exchange {
  if (definition === "SessionUpdate") {
    return { method: "session/update", params: { sessionId: "sess_7f3a", update: value } };
  }
  if (definition === "Error") return { method: "session/list", params: {}, error: value };
  throw new Error(`There is no message yet for an example of ${definition}`);
}
