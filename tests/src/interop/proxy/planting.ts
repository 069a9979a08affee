import { validateNotification, validateRequest, validateResult } from "@acp/validators/v1/unstable";

import type { Exchange } from "./typed-proxied.ts";

/** Where an object is inside a value. */
type Place = readonly (string | number)[];

type Members = Readonly<Record<string, unknown>>;

/** A message with something planted, and where it was and was not. */
export interface Planted {
  readonly exchange: Exchange;
  /** The objects that got it, as JSON Pointers into the message. */
  readonly open: readonly string[];
  /** Those that the schema lets have no such member. */
  readonly closed: readonly string[];
}

/** A message with further members in each of its objects that the schema leaves open. */
export function planted(exchange: Exchange, members: Members): Planted {
  const open: string[] = [];
  const closed: string[] = [];
  let result = exchange;
  for (const place of objectsIn(exchange)) {
    const next = at(result, place, members) as Exchange;
    const pointer = `/${place.join("/")}`;
    if (isValid(next)) {
      open.push(pointer);
      result = next;
    } else {
      closed.push(pointer);
    }
  }
  return { exchange: result, open, closed };
}

/** The objects inside a message, the innermost first, without the message itself. */
function objectsIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    objectsIn(member, [...place, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) || place.length === 0 ? inner : [...inner, place];
}

function at(value: unknown, [key, ...rest]: Place, members: Members): unknown {
  // By a spread, since a member may be called `__proto__`.
  if (key === undefined) return { ...(value as object), ...members };
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? at(item, rest, members) : item));
  const held = value as Members;
  return { ...held, [key]: at(held[key], rest, members) };
}

/** Whether the schema has nothing against a message. */
function isValid({ method, params, result, error }: Exchange): boolean {
  if (result === undefined && error === undefined) return validateNotification(method as never, params).ok;
  return (
    validateRequest(method as never, params).ok && (error !== undefined || validateResult(method as never, result).ok)
  );
}
