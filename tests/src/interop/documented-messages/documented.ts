import { readFileSync } from "node:fs";

import type { Message } from "../proxy/line-end.ts";
import { examples } from "../proxy/examples.ts";
import type { Exchange } from "../proxy/typed-proxied.ts";

/** What a file of this folder holds: messages, and values that are part of messages. */
export interface Shown {
  /** What a reader sees in it. */
  readonly shows: string;
  readonly message?: Message;
  /** The method of the request that the message answers. */
  readonly answers?: string;
  /** How it is not what the newest schema says. */
  readonly differs?: string;
  /** What arrives of it in its dialect when it was translated to the official one and back, if it is not the same. */
  readonly arrives?: Message;
  readonly definition?: string;
  readonly value?: unknown;
}

/** A message of the official dialect, with what it needs around it. */
export interface Documented extends Shown {
  readonly message: Message;
  /** The request that it is, or that it answers, and the answer; or the notification. */
  readonly exchange: Exchange;
}

const official = ["plans", "session-setup", "guide", "guide-tools", "guide-settings", "flows"];

export function read(file: string): readonly Shown[] {
  return JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), "utf8")) as readonly Shown[];
}

/** Values that are shown by themselves. */
export const values: readonly (readonly [name: string, definition: string, value: unknown])[] = [
  "schema-reference",
  ...official,
].flatMap((file) =>
  read(file).flatMap(({ shows, definition, value }) =>
    definition === undefined ? [] : [[`${file}: ${shows}`, definition, value] as const],
  ),
);

/** All messages of the official dialect, by file and in order. */
export const documented: readonly (readonly [name: string, Documented])[] = official.flatMap((file) => {
  const shown = read(file);
  return shown.flatMap((entry, index) => {
    const { message } = entry;
    if (message === undefined) return [];
    return [[`${file}: ${entry.shows}`, { ...entry, message, exchange: exchangeOf(shown, index) }] as const];
  });
});

/** Puts a message together with the nearest of the other kind in its file, or with one of an example. */
function exchangeOf(shown: readonly Shown[], index: number): Exchange {
  const { message = {}, answers } = shown[index] ?? { shows: "" };
  const { id, method, params, result, error } = message;
  if (answers !== undefined) {
    const before = shown.slice(0, index).findLast((entry) => entry.message?.["method"] === answers);
    const asked = before === undefined ? exampleOf(answers).params : before.message?.["params"];
    return { ...named(answers), params: asked, ...(error === undefined ? { result } : { error }) };
  }
  if (id === undefined) return { ...named(String(method)), params };
  const after = shown.slice(index).find((entry) => entry.answers === method && entry.message?.["error"] === undefined);
  const answer = after === undefined ? exampleOf(String(method)).result : after.message?.["result"];
  return { ...named(String(method)), params, result: answer };
}

/** Extensions are called by the client here. */
function named(method: string): Exchange {
  return method.startsWith("_") ? { from: "client", method } : { method };
}

function exampleOf(method: string): Exchange {
  const found = examples.find(([, exchange]) => exchange.method === method && exchange.error === undefined);
  return found?.[1] ?? { method, params: {}, result: {} };
}
