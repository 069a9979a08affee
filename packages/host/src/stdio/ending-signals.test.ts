import { describe, expect, test } from "vitest";

import { beforeEndingBySignal, type EndingSignal } from "./ending-signals.ts";

/** A process that receives signals, with listeners of an application. */
function fakeProcess() {
  const listeners = new Map<EndingSignal, Set<() => void>>();
  const heard = new Set<EndingSignal>();
  const raised: EndingSignal[] = [];
  return {
    heard,
    raised,
    count: (signal: EndingSignal) => listeners.get(signal)?.size ?? 0,
    send: (signal: EndingSignal) => {
      for (const listener of listeners.get(signal) ?? []) listener();
    },
    runtime: {
      listen: (signal: EndingSignal, listener: () => void) => {
        const known = listeners.get(signal) ?? new Set();
        listeners.set(signal, known.add(listener));
        return () => void known.delete(listener);
      },
      hasListener: (signal: EndingSignal) => heard.has(signal),
      raise: (signal: EndingSignal) => void raised.push(signal),
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("beforeEndingBySignal()", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("cleans up before %s ends the process", async (signal) => {
    const process = fakeProcess();
    let cleaned = (): void => {};
    beforeEndingBySignal(process.runtime, () => new Promise((resolve) => (cleaned = resolve)));
    process.send(signal);
    await turn();
    expect([process.raised, process.count(signal)]).toEqual([[], 0]);
    cleaned();
    await turn();
    expect(process.raised).toEqual([signal]);
  });

  test("raises the signal even when the cleanup fails", async () => {
    const process = fakeProcess();
    beforeEndingBySignal(process.runtime, () => Promise.reject(new Error("failed")).catch(() => {}));
    process.send("SIGTERM");
    await turn();
    expect(process.raised).toEqual(["SIGTERM"]);
  });

  test("leaves a signal to an application that listens, each time", async () => {
    const process = fakeProcess();
    let cleanups = 0;
    beforeEndingBySignal(process.runtime, async () => void cleanups++);
    process.heard.add("SIGTERM");
    process.send("SIGTERM");
    await turn();
    process.send("SIGTERM");
    await turn();
    expect([cleanups, process.raised, process.count("SIGTERM")]).toEqual([0, [], 1]);
    process.heard.clear();
    process.send("SIGTERM");
    await turn();
    expect([cleanups, process.raised]).toEqual([1, ["SIGTERM"]]);
  });

  test("stops listening for good on request, even while a signal is handled", async () => {
    const process = fakeProcess();
    const stop = beforeEndingBySignal(process.runtime, async () => {});
    process.heard.add("SIGTERM");
    process.send("SIGTERM");
    stop();
    await turn();
    expect((["SIGINT", "SIGTERM", "SIGHUP"] as const).map(process.count)).toEqual([0, 0, 0]);
  });
});
