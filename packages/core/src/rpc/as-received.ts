/** What came over the wire, by what was made of it. */
const originals: WeakMap<object, unknown> = /* @__PURE__ */ new WeakMap();

/**
 * The value as it came over the wire, before anything in it was replaced or left out. Takes what the library has handed
 * out: params of a handler, a result, an update, or another direct member of those.
 *
 * For programs between a client and an agent, which pass on what they do not know themselves: what a receiver may replace,
 * leave out or take as unknown (COMPAT-01 to COMPAT-03, UPD-07) is in it again.
 *
 * ```ts
 * "session/list": (params) => agent.request("session/list", asReceived(params))
 * ```
 *
 * For any other value, also for a copy that you have made, it returns that value itself. Its type is `T` so that it can be
 * passed on; nothing checks that it is one.
 */
// It is inferred from where the value is passed on to.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function asReceived<T>(value: unknown): T {
  return (originals.get(value as object) ?? value) as T;
}

type Members = Readonly<Record<string, unknown>>;

/** Keeps what came for {@link asReceived}, where something else was read: a copy, and copies in it. */
export function keepReceived(read: Members, received: Members): void {
  originals.set(read, received);
  for (const name in read) {
    const member = read[name];
    if (member !== received[name] && typeof member === "object") originals.set(member as object, received[name]);
  }
}
