// A turn whose prompt was not sent: its signal had aborted before, or something kept it from the wire.
import { expect, it } from "vitest";
import { answer, connectRawAgent, methodsOf } from "../support/raw-agent.ts";
import type { Prompt } from "../../src/v1/client-session.ts";
import type { PromptOptions } from "../../src/v1/turn.ts";

const image: Prompt = [{ type: "image", data: "", mimeType: "image/png" }];

it.each<[string, Prompt, PromptOptions, object]>([
  ["its signal has aborted", "Second", { signal: AbortSignal.abort(new Error("no")) }, { message: "no" }],
  ["the agent takes no images", image, {}, { code: "missing_capability" }],
  ["it cannot be written", "Second", { _meta: { count: 1n } }, { code: "usage" }],
])("is not cancelled, and neither is a turn that runs: %s", async (_why, prompt, options, error) => {
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s1" } });
  const session = await opening;
  const running = session.prompt("First");
  session.prompt(prompt, options).cancel();
  const unsent = session.prompt(prompt, options);
  const closed = unsent.close();
  await expect(unsent.response).rejects.toMatchObject(error);
  await closed;
  await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
  expect(await running.response).toEqual({ stopReason: "end_turn" });
  expect(methodsOf(peer)).not.toContain("session/cancel");
});
