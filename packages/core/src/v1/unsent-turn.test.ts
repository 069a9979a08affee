// A turn whose signal had aborted before it could be sent.
import { expect, it } from "vitest";
import { answer, connectRawAgent, methodsOf } from "../testing/raw-agent.ts";

it.each(["cancel", "close"] as const)("leaves a turn alone by %s of one that was never sent", async (how) => {
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s1" } });
  const session = await opening;
  const running = session.prompt("First");
  const unsent = session.prompt("Second", { signal: AbortSignal.abort(new Error("no")) });
  void unsent[how]();
  await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
  expect(await running.response).toEqual({ stopReason: "end_turn" });
  await expect(unsent.response).rejects.toThrow("no");
  expect(methodsOf(peer)).not.toContain("session/cancel");
});
