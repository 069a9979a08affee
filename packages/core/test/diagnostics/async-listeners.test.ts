// TypeScript lets an async function stand where one that returns nothing is expected; the linter of this repository does
// not, hence `unknown`. Vitest fails for a rejection that nobody handles.
import { expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createAgent, createClient, createMemoryTransportPair } from "../../src/v1/index.ts";
import { createSessionState } from "../../src/state/v1/entry.ts";

const info = { name: "test", version: "1.0.0" };
const rejecting = (text: string) => (): unknown => Promise.reject(new Error(text));

it("tells the diagnostics of listeners that reject, and ignores a listener of theirs that does", async () => {
  const told = new Set<string>();
  const keep = (diagnostic: Diagnostic): unknown => {
    const error = "error" in diagnostic ? diagnostic.error : undefined;
    for (const each of error instanceof AggregateError ? error.errors : [error]) {
      told.add(`${diagnostic.type}: ${(each as Error).message}`);
    }
    return rejecting("of the diagnostics")();
  };
  const agent = createAgent({
    info,
    onDiagnostic: keep,
    onUpdate: rejecting("of onUpdate"),
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hello");
        return { stopReason: "end_turn" };
      },
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await createClient({ info, onDiagnostic: keep }).connect(ours);
  const session = await connected.newSession({ cwd: "/" });
  const stops = [
    session.observe(rejecting("of an observer")),
    createSessionState(session, { onEvent: rejecting("of onEvent") }).close,
  ];
  const store = createSessionState(session);
  store.subscribe(rejecting("of a subscriber"));
  store.subscribe(() => {
    throw new Error("thrown beside it");
  });
  expect((await session.prompt("Hello").response).stopReason).toBe("end_turn");
  for (const stop of stops) stop();
  store.close();
  await connected.close();
  expect([...told].toSorted()).toEqual([
    "handler-failed: of onUpdate",
    "observer-failed: of a subscriber",
    "observer-failed: of an observer",
    "observer-failed: of onEvent",
    "observer-failed: thrown beside it",
  ]);
});

it("reports a subscriber that rejects alone", async () => {
  const told: unknown[] = [];
  const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const client = createClient({ info, onDiagnostic: (each) => told.push([each.type, each.message]) });
  const connected = await client.connect(ours);
  const session = await connected.newSession({ cwd: "/" });
  const store = createSessionState(session);
  const stop = store.subscribe(rejecting("of a subscriber"));
  const turn = session.prompt("Hello");
  stop();
  await turn.response;
  const message = "An observer of a session failed, or a listener of its state: of a subscriber";
  expect(told).toEqual([["observer-failed", message]]);
  await connected.close();
});
