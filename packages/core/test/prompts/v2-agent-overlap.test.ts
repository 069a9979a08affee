// Prompts that come while the agent is at work that it has begun itself.
import { expect, test } from "vitest";
import { connectWire } from "../support/v2-wire.ts";

const end = { stopReason: "end_turn" } as const;

test("a prompt waits for all turns, including those that session.run has started since", async () => {
  const finish = new Map<string, () => void>();
  const finished = (name: string): Promise<typeof end> =>
    new Promise((resolve) => finish.set(name, () => resolve(end)));
  const wire = await connectWire({
    "session/prompt": async ({ prompt }, { turn, session }) => {
      const [block] = prompt;
      const name = block?.type === "text" ? block.text : "";
      await turn.accept();
      if (name === "One") {
        void session.run(async () => {
          await finished("work");
          void session.run(() => finished("more"));
          return end;
        });
      }
      return finished(name);
    },
  });
  void wire.prompt("One");
  void wire.prompt("Two");
  await wire.news();
  for (const name of ["One", "work"]) {
    finish.get(name)?.();
    expect(await wire.news()).toEqual([]);
  }
  finish.get("more")?.();
  expect(await wire.news()).toEqual(["idle end_turn", "answer", "user_message: Two", "running"]);
  finish.get("Two")?.();
  expect(await wire.news()).toEqual(["idle end_turn"]);
});
