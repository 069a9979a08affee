// Notifications that wait for a handler which itself waits for the agent: reading cannot pause then.
import { expect, it } from "vitest";
import { start } from "../support/unclaimed-run.ts";

const mebi = 1024 * 1024;

interface Context {
  readonly agent: { request(method: `_${string}`): Promise<unknown> };
}

it.each([1, 2] as const)("end the connection of a client of version %i above 128 Mi characters", async (version) => {
  const failures: unknown[] = [];
  const run = await start(version, {
    "session/update": async (_params: unknown, { agent }: Context) => {
      await agent.request("_x/ask").catch((error: unknown) => failures.push(error));
    },
  });
  const opening = await run.open("session/new");
  opening.answer({ result: { sessionId: "s" } });
  const session = await opening.opened;
  run.say("s", "Go");
  await run.peer.next(({ method }) => method === "_x/ask");
  const text = "x".repeat(16 * mebi);
  for (let count = 0; count < 7; count++) run.say("s", text);
  await run.peer.settle();
  expect([run.peer.closed, session.signal.aborted]).toEqual([false, false]);
  run.say("s", text);
  await expect.poll(() => session.signal.aborted).toBe(true);
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  const message = expect.stringMatching(/The agent has sent \d+ characters that wait for a handler/u);
  expect(failures[0]).toMatchObject({ code: "connection_closed", message });
  expect(run.diagnostics.filter(({ type }) => type === "closed")).toMatchObject([{ message }]);
});
