import { describe, expect, it, vi } from "vitest";
import { type IncomingRequest, IncomingRequests } from "./incoming-requests.ts";
import { enqueueAfterNotifications } from "./answer-order.ts";
import { holdAll, measureHeld, releaseLane } from "./held-lanes.ts";
import { Lanes } from "./lanes.ts";

/** Lanes whose handlers run until the test stops them. */
function setUp() {
  const log: string[] = [];
  const running = new Map<string, () => void>();
  const waiting = new Map<number, string | undefined>();
  const lanes = new Lanes({
    handlers: {
      handle: ({ method }) => {
        log.push(`${method} starts`);
        if (method.startsWith("sync")) return undefined;
        return new Promise<void>((resolve) => {
          running.set(method, () => {
            log.push(`${method} ends`);
            resolve();
          });
        });
      },
      start: (request: IncomingRequest) => {
        log.push(`${request.method} starts`);
      },
    },
    calls: {
      isWaitingSince: (moment, key) =>
        [...waiting].some(([sentAt, of]) => sentAt > moment && (key === undefined || of === undefined || of === key)),
    },
    dispatcher: {},
    updateThrottle: () => {},
  });
  const params = { sessionId: "s" };
  const requests = new IncomingRequests({ result: () => {}, failure: () => {} }, () => {});
  return {
    log,
    lanes,
    notify: (method: string) => lanes.notify({ method, params, size: 10, isChecked: false }),
    request: (method: string) => lanes.request(requests.add("1", method, params, undefined, 10)),
    respond: (name: string, sentAt: number) => {
      enqueueAfterNotifications(lanes, "s", sentAt, () => log.push(`${name} settles`));
    },
    send: (key: string | undefined = "s") => {
      const sentAt = lanes.nextMoment();
      waiting.set(sentAt, key);
      lanes.requestSent(key);
      return sentAt;
    },
    end: async (method: string) => {
      running.get(method)?.();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

describe("Lanes", () => {
  it("handles notifications one after another, in order (UPD-08)", async () => {
    const { notify, end, log, lanes } = setUp();
    notify("a");
    notify("sync b");
    notify("c");
    expect(log).toEqual(["a starts"]);
    expect(lanes.queuedSize).toBe(20);
    await end("a");
    expect(log).toEqual(["a starts", "a ends", "sync b starts", "c starts"]);
    expect(lanes.queuedSize).toBe(0);
  });

  it("delivers an answer at once when nothing is queued", () => {
    const { notify, respond, log } = setUp();
    notify("sync a");
    respond("prompt", 0);
    expect(log).toEqual(["sync a starts", "prompt settles"]);
  });

  it("delivers an answer after the notifications before it", async () => {
    const { notify, respond, send, end, log } = setUp();
    const prompt = send();
    notify("a");
    notify("sync b");
    respond("prompt", prompt);
    notify("sync c");
    await end("a");
    expect(log).toEqual(["a starts", "a ends", "sync b starts", "prompt settles", "sync c starts"]);
  });

  it("delivers it at once to a handler that was running when the request was sent and still is", () => {
    const { notify, respond, send, log } = setUp();
    notify("a");
    const prompt = send();
    notify("sync b");
    respond("prompt", prompt);
    expect(log).toEqual(["a starts", "prompt settles"]);
  });

  it("keeps the order when a handler ran at sending but has ended since", async () => {
    const { notify, respond, send, end, log } = setUp();
    notify("a");
    const prompt = send();
    await end("a");
    notify("b");
    respond("prompt", prompt);
    expect(log.at(-1)).toBe("b starts");
    await end("b");
    expect(log.slice(-2)).toEqual(["b ends", "prompt settles"]);
  });

  it("starts a request after the notifications before it, which it does not hold up", async () => {
    const { notify, request, end, log } = setUp();
    notify("a");
    request("permission");
    notify("sync b");
    expect(log).toEqual(["a starts"]);
    await end("a");
    expect(log).toEqual(["a starts", "a ends", "permission starts", "sync b starts"]);
  });

  it("starts a request at once if the running handler waits for an answer", () => {
    const { notify, request, send, log } = setUp();
    notify("a");
    send();
    request("permission");
    expect(log).toEqual(["a starts", "permission starts"]);
  });

  it("starts a queued request when the running handler starts to wait for an answer", async () => {
    const { notify, request, send, end, log } = setUp();
    notify("a");
    request("permission");
    notify("sync b");
    send();
    expect(log).toEqual(["a starts", "permission starts"]);
    await end("a");
    expect(log).toEqual(["a starts", "permission starts", "a ends", "sync b starts"]);
  });

  it("keeps a request's place when the call that waits is for another session, but not for ever", () => {
    vi.useFakeTimers();
    try {
      const { notify, request, send, log } = setUp();
      notify("a");
      request("permission");
      send("other");
      expect(log).toEqual(["a starts"]);
      vi.advanceTimersByTime(1000);
      expect(log).toEqual(["a starts", "permission starts"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps an unclaimed lane's notifications until it is released, but starts its requests", () => {
    const { lanes, notify, request, respond, log } = setUp();
    lanes.hold("s");
    notify("sync a");
    request("permission");
    respond("load", 0);
    expect(log).toEqual(["permission starts", "load settles"]);
    expect(measureHeld(lanes, "s")).toEqual({ count: 1, size: 10 });
    releaseLane(lanes, "s");
    expect(log.at(-1)).toBe("sync a starts");
    expect(measureHeld(lanes, "s")).toBeUndefined();
  });

  it("keeps the order in a claimed lane until it is released", () => {
    const { lanes, notify, request, respond, log } = setUp();
    lanes.hold("s");
    notify("sync a");
    holdAll(lanes, "s");
    request("permission");
    respond("prompt", 0);
    expect(log).toEqual([]);
    releaseLane(lanes, "s");
    expect(log).toEqual(["sync a starts", "permission starts", "prompt settles"]);
  });

  it("counts messages that a lane kept from its release on, for as long as they wait", async () => {
    const { lanes, notify, end } = setUp();
    lanes.hold("s");
    for (const name of ["slow", "sync a", "sync b"]) notify(name);
    expect(lanes.queuedSize).toBe(0);
    releaseLane(lanes, "s");
    expect(lanes.queuedSize).toBe(20);
    await end("slow");
    expect(lanes.queuedSize).toBe(0);
  });

  it("stays linear over a long queue after a slow handler", async () => {
    const { notify, end, log } = setUp();
    notify("slow");
    for (let i = 0; i < 5000; i++) notify(`sync ${i}`);
    await end("slow");
    expect(log).toHaveLength(5002);
    expect(log.at(-1)).toBe("sync 4999 starts");
  });

  it("does not look through a long queue for requests at each call of a slow handler", async () => {
    const { lanes, notify, request, send, end, log } = setUp();
    notify("slow");
    for (let i = 0; i < 1000; i++) notify(`sync ${i}`);
    request("permission");
    const lane = lanes.at("s")!;
    send();
    expect(log.at(-1)).toBe("permission starts");
    let looks = 0;
    lane.items = new Proxy(lane.items, { get: (items, name) => (looks++, Reflect.get(items, name)) });
    for (let i = 0; i < 100; i++) send();
    expect(looks).toBe(0);
    await end("slow");
    expect(log.at(-1)).toBe("sync 999 starts");
  });
});
