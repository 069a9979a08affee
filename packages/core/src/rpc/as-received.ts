import { type Path, valueAt } from "@acp/schema";
import { isObject } from "../base/values.ts";

/** The received original of each value made from it. */
const originals: WeakMap<object, unknown> = /* @__PURE__ */ new WeakMap();

/**
 * Returns a value as it was received, with nothing replaced or left out. Pass a value from the toolkit:
 * the params of a handler, a result, an update, or a direct member of those.
 *
 * Use it in programs between a client and an agent that pass on unknown data: it restores members that a receiver may
 * replace, leave out or read as unknown (COMPAT-01 to COMPAT-03, UPD-07).
 *
 * ```ts
 * "session/list": (params) => agent.request("session/list", asReceived(params))
 * ```
 *
 * Returns any other value unchanged, including your own copies. The result has the type `T`, unchecked, so that you can
 * pass it on.
 */
// The target of the value determines `T`.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function asReceived<T>(value: unknown): T {
  const original = originals.get(value as object);
  // Its members, too: the message that is made of it may be another object.
  for (const part of [original, ...Object.values(original ?? {})]) if (isObject(part)) passedOn.add(part);
  return (original ?? value) as T;
}

/** Values that `asReceived` returned: the program passes them on and did not write them. */
const passedOn: WeakSet<object> = /* @__PURE__ */ new WeakSet();

/** True if the value at a path of a message, or an object around it, is passed on as it was received. */
export function isPassedOn(message: unknown, path: Path): boolean {
  const holders = path.map((_, depth) => valueAt(message, path.slice(0, depth + 1)));
  return [message, ...holders].some((value) => passedOn.has(value as object));
}

type Members = Readonly<Record<string, unknown>>;

/** Keeps a received value for {@link asReceived}, by the copy that was read and the copies in it. */
export function keepReceived(read: Members, received: Members): void {
  originals.set(read, received);
  for (const name in read) {
    const member = read[name];
    if (member !== received[name] && typeof member === "object") originals.set(member as object, received[name]);
  }
}
