import { afterEach, expect, test, vi } from "vitest";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";

afterEach(() => {
  vi.useRealTimers();
});

const timers = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
] as const;

test.each([
  { name: "timers", toFake: [...timers, "Date"] as const },
  { name: "timers and microtasks", toFake: [...timers, "queueMicrotask"] as const },
])("a test that has put $name of its own in place sees a session in memory run", async ({ toFake }) => {
  vi.useFakeTimers({ toFake: [...toFake] });
  const ended = vi.fn<() => void>();
  const agent = createAgent({
    info: { name: "a", version: "1" },
    handlers: {
      "session/close": () => ({}),
      "session/prompt": async (_params, { turn, signal }) => {
        signal.addEventListener("abort", ended);
        await turn.message("Hi");
        if (turn.session.cwd === "/waiting") await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await createClient({ info: { name: "c", version: "1" } }).connect(ours);

  const turn = (await connected.newSession({ cwd: "/" })).prompt("Hello");
  const said = [];
  for await (const update of turn.updates) said.push(update.sessionUpdate);
  expect(said).toEqual(["agent_message_chunk"]);
  expect(await turn.response).toEqual({ stopReason: "end_turn" });

  // To close a session waits for the answer of the turn that runs in it.
  const waiting = await connected.newSession({ cwd: "/waiting" });
  const last = waiting.prompt("Hello");
  await last.updates[Symbol.asyncIterator]().next();
  await waiting.close();
  expect(ended).toHaveBeenCalledTimes(1);
  await connected.close();
});
