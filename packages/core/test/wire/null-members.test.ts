import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";

describe("an answer in which the member that is not there is null", () => {
  it.each([
    ["error", { result: { sessionId: "s1" }, error: null }, "s1"],
    ["result", { result: null, error: { code: -32000, message: "Log in" } }, "session/new: Log in (-32000)"],
  ])("is read without its %s, and reported", async (member, outcome, expected) => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic) });
    const opening = agent.newSession({ cwd: "/project" }).then(
      ({ id }) => id,
      (error: unknown) => (error as Error).message,
    );
    await answer(peer, "session/new", outcome);
    expect(await opening).toBe(expected);
    expect(diagnostics).toMatchObject([{ type: "rule", method: "session/new", rule: "RPC-02", path: [member] }]);
  });

  it("asks for a login that its agent wants", async () => {
    const { peer, agent } = await connectRawAgent({ authenticate: () => "a" });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: null, error: { code: -32000, message: "Log in" } });
    await answer(peer, "authenticate", { result: {}, error: null });
    await answer(peer, "session/new", { result: { sessionId: "s1" }, error: null });
    expect((await opening).id).toBe("s1");
  });
});
