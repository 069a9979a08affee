import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";

describe("a call whose answer has a value that nobody knows", () => {
  it.each([
    ["paused", /^session\/prompt: \/result\/stopReason: expected one of "end_turn", .*"cancelled", got "paused"$/],
    ["x".repeat(41), /^session\/prompt: \/result\/stopReason: expected one of .*"cancelled"$/],
    ["a\nb", /^session\/prompt: \/result\/stopReason: expected one of .*"cancelled"$/],
    [5, /"cancelled", got a number$/],
    [undefined, /^session\/prompt: \/result\/stopReason: is missing$/],
  ])("rejects with its name, where it is short and printable: %j", async (stopReason, message) => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic) });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const { response } = (await opening).prompt("Hello");
    await answer(peer, "session/prompt", { result: stopReason === undefined ? null : { stopReason } });
    await expect(response).rejects.toThrow(message);
    expect(diagnostics).toMatchObject([{ type: "invalid-message", path: ["result", "stopReason"] }]);
    expect(diagnostics[0]?.message).not.toContain("paused");
  });
});
