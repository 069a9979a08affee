import { settled } from "@acp/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { createDeferred, type Deferred } from "../deferred.ts";
import type { WireError } from "../journal/entry.ts";
import type { AgentEvents, AgentLink } from "./agent-link.ts";
import { HeldAgent } from "./held-agent.ts";

interface Start {
  readonly link: Deferred<AgentLink>;
  readonly ended: AgentEvents["ended"];
  readonly signal: AbortSignal;
  isClosed: boolean;
}

let starts: Start[];
let story: string[];
let store: () => Promise<void>;
let held: HeldAgent;

beforeEach(() => {
  [starts, story, store] = [[], [], () => Promise.resolve()];
  held = new HeldAgent({
    start: (ended, signal) => {
      const start: Start = { link: createDeferred(), ended, signal, isClosed: false };
      starts.push(start);
      signal.addEventListener("abort", () => start.link.reject(signal.reason));
      return start.link.promise;
    },
    onOpened: ({ sessionId }) => {
      story.push(`opened ${sessionId}`);
      return store();
    },
    onEnded: (error: WireError | undefined) => story.push(`ended${error === undefined ? "" : `: ${error.message}`}`),
  });
});

/** Lets the agent that is being started open the session. */
function opens(index: number): AgentLink {
  const start = starts[index]!;
  const link: AgentLink = {
    opened: { version: 1, sessionId: `${index}`, capabilities: {}, setup: {} },
    prompt: () => Promise.resolve({}),
    call: () => Promise.resolve({}),
    cancel: () => story.push(`cancelled ${index}`),
    close: () => {
      start.isClosed = true;
      start.ended(undefined);
      return Promise.resolve();
    },
  };
  start.link.resolve(link);
  return link;
}

describe("the agent of a session", () => {
  test("is started once for all who need it at the same time", async () => {
    const opening = [held.open(), held.open()];
    const link = opens(0);
    expect(await Promise.all(opening)).toEqual([link, link]);
    expect(await held.open()).toBe(link);
    expect([starts.length, story]).toEqual([1, ["opened 0"]]);
  });

  test("that cannot be started is tried again the next time", async () => {
    const opening = held.open();
    starts[0]?.link.reject(new Error("no such program"));
    await expect(opening).rejects.toThrow("no such program");
    void held.open();
    opens(1);
    await settled();
    expect(story).toEqual([expect.stringMatching(/^ended: /u), "opened 1"]);
  });

  test("that ends is started again when it is needed, and its late word does not end the next one", async () => {
    void held.open();
    opens(0);
    await settled();
    starts[0]?.ended({ code: 1, message: "killed" });
    void held.open();
    const next = opens(1);
    await settled();
    starts[0]?.ended(undefined);
    expect(await held.open()).toBe(next);
    expect(story).toEqual(["opened 0", "ended: killed", "opened 1"]);
  });

  test("that ends while it opens was never live", async () => {
    const opening = held.open();
    starts[0]?.ended({ code: 1, message: "killed" });
    opens(0);
    await expect(opening).rejects.toThrow("as soon as it had opened");
    expect(story).toEqual([expect.stringContaining("as soon as it had opened")]);
    expect(starts[0]?.isClosed).toBe(true);
  });

  test("whose opening cannot be stored is ended", async () => {
    store = () => Promise.reject(new Error("Another keeper has taken the session over"));
    const opening = held.open();
    opens(0);
    await expect(opening).rejects.toThrow("Another keeper");
    expect(starts[0]?.isClosed).toBe(true);
  });

  test("is not started any more once it is closed, also if it was about to", async () => {
    const opening = held.open();
    opening.catch(() => {});
    await held.close();
    await expect(opening).rejects.toThrow("The session was stopped");
    await expect(held.open()).rejects.toThrow("The session was stopped");
    expect([starts.length, starts[0]?.signal.aborted]).toEqual([1, true]);
  });

  test("is closed once it has opened, and reports its end once", async () => {
    void held.open();
    opens(0);
    await settled();
    await Promise.all([held.close(), held.close()]);
    expect(starts[0]?.isClosed).toBe(true);
    expect(story).toEqual(["opened 0", "ended"]);
  });
});
