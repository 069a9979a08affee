import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";

const wait = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));

afterEach(() => {
  vi.unstubAllGlobals();
});

const primitives = {
  setImmediate: [],
  MessageChannel: ["setImmediate"],
  setTimeout: ["setImmediate", "MessageChannel"],
};

describe.each(Object.entries(primitives).map(([primitive, missing]) => ({ primitive, missing })))(
  "createFlushScheduler() over $primitive",
  ({ missing }) => {
    // What there is, is looked for once, when the module is loaded.
    async function counting() {
      for (const name of missing) vi.stubGlobal(name, undefined);
      vi.resetModules();
      const { createFlushScheduler } = await import("./flush-scheduler.ts");
      const flush = vi.fn<() => void>();
      return { flush, scheduler: createFlushScheduler(flush) };
    }

    test("soon() flushes once at the end of the microtask", async () => {
      const { flush, scheduler } = await counting();
      scheduler.soon();
      scheduler.soon();
      expect(flush).toHaveBeenCalledTimes(0);
      await Promise.resolve();
      expect(flush).toHaveBeenCalledTimes(1);
      scheduler.soon();
      await Promise.resolve();
      expect(flush).toHaveBeenCalledTimes(2);
      scheduler.dispose();
    });

    test("later() flushes once after all microtasks", async () => {
      const { flush, scheduler } = await counting();
      for (let round = 1; round <= 2; round++) {
        for (let n = 0; n < 100; n++) {
          scheduler.later();
          await Promise.resolve();
        }
        expect(flush).toHaveBeenCalledTimes(round - 1);
        await wait();
        expect(flush).toHaveBeenCalledTimes(round);
      }
      scheduler.dispose();
    });

    test("dispose() cancels a scheduled flush", async () => {
      const { flush, scheduler } = await counting();
      scheduler.soon();
      scheduler.later();
      scheduler.dispose();
      scheduler.later();
      await wait();
      expect(flush).toHaveBeenCalledTimes(0);
    });
  },
);

describe("a process that has nothing else to do", () => {
  test("runs a scheduled flush, and then ends", async () => {
    const scheduler = JSON.stringify(new URL("./flush-scheduler.ts", import.meta.url).href);
    const script = `
      import { createFlushScheduler } from ${scheduler};
      const { later } = createFlushScheduler(() => process.stdout.write("flushed"));
      later();
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(output).toBe("flushed");
    expect(child.exitCode).toBe(0);
  });
});
