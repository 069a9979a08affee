import { describe, expect, it } from "vitest";
import { AbortReason, LazyAbort } from "./abort.ts";

/** One with three who listen, by name. */
function setUp() {
  const told: string[] = [];
  const abort = new LazyAbort();
  const listeners = ["a", "b", "c"].map((name) => () => void told.push(name));
  for (const listener of listeners) abort.addEventListener("abort", listener);
  return { told, abort, listeners };
}

describe("LazyAbort", () => {
  it("tells all listeners once, with the first reason", () => {
    const { told, abort } = setUp();
    const { signal } = abort;
    abort.abort("first");
    abort.abort("second");
    expect(told).toEqual(["a", "b", "c"]);
    expect([abort.aborted, abort.reason, signal.aborted, signal.reason]).toEqual([true, "first", true, "first"]);
  });

  it.each(["before", "after"])("shows one error for an AbortReason, even where its signal was made %s", (when) => {
    const abort = new LazyAbort();
    const reason = new AbortReason("It was closed");
    const early = when === "before" ? abort.signal : undefined;
    abort.abort(reason);
    const { signal } = abort;
    expect(early ?? signal).toBe(signal);
    expect(abort.reason).toMatchObject({ name: "AbortError", message: "It was closed" });
    expect(abort.reason).toBeInstanceOf(DOMException);
    expect([signal.reason, reason.error]).toEqual([abort.reason, abort.reason]);
    expect(signal.reason).toBe(reason.error);
  });

  it.each([0, 1, 2])("tells the others when number %i listens no more", (index) => {
    const { told, abort, listeners } = setUp();
    abort.removeEventListener("abort", listeners[index]!);
    abort.abort(undefined);
    expect(told).toEqual(["a", "b", "c"].toSpliced(index, 1));
  });

  it("tells the only listener, even if another one unsubscribes", () => {
    const told: string[] = [];
    const abort = new LazyAbort();
    const other = (): void => void told.push("b");
    abort.addEventListener("abort", () => void told.push("a"));
    abort.removeEventListener("abort", other);
    abort.abort(undefined);
    expect(told).toEqual(["a"]);
  });

  it("tells all, even when one of them is removed meanwhile", () => {
    const { told, abort, listeners } = setUp();
    abort.addEventListener("abort", () => abort.removeEventListener("abort", listeners[0]!));
    abort.abort(undefined);
    expect(told).toEqual(["a", "b", "c"]);
  });

  it("has any number of listeners, each of which leaves without a look at the others", () => {
    const abort = new LazyAbort();
    // Copied for each of them, or searched by each, these lists would take minutes.
    const listeners = Array.from({ length: 300_000 }, () => () => {});
    for (const listener of listeners) abort.addEventListener("abort", listener);
    for (const listener of listeners) abort.removeEventListener("abort", listener);
    let count = 0;
    abort.addEventListener("abort", () => count++);
    abort.abort(undefined);
    expect(count).toBe(1);
  });

  it("has a signal that has aborted, if that is asked for later", () => {
    const abort = new LazyAbort();
    abort.abort("why");
    expect([abort.signal.aborted, abort.signal.reason]).toEqual([true, "why"]);
    expect(abort.signal).toBe(abort.signal);
  });
});
