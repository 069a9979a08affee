// Requests that wait for something count as requests without an answer, and their answers make room.
import { describe, expect, it } from "vitest";
import { ErrorCode } from "../../src/base/errors.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createAgent as createAgentV2 } from "../../src/v2/agent.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { start } from "../support/unclaimed-run.ts";

const info = { name: "test", version: "1.0.0" };
const tooMany = { error: { code: ErrorCode.tooManyRequests } };

describe.each([1, 2] as const)("an agent of version %i that queues prompts", (version) => {
  it("refuses a prompt over the limit, and takes the next one after a cancel of its session", async () => {
    const common = { info, maxIncomingRequests: 3, overlappingPrompts: "queue" as const };
    let begun = 0;
    const untilAborted = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        begun++;
        signal.addEventListener("abort", () => resolve());
      });
    const peer = createRawPeer((transport) => {
      const agent =
        version === 1
          ? createAgent({
              ...common,
              handlers: {
                "session/prompt": async (_params, { signal }) => {
                  await untilAborted(signal);
                  return { stopReason: "end_turn" };
                },
              },
            })
          : createAgentV2({
              ...common,
              handlers: {
                "session/prompt": async (_params, { turn, signal }) => {
                  await turn.accept();
                  await untilAborted(signal);
                  return { stopReason: "end_turn" };
                },
              },
            });
      agent.connect(transport);
    });
    await peer.call("initialize", { protocolVersion: version, info, capabilities: {} });
    const opened = (await peer.call("session/new", { cwd: "/", mcpServers: [] })) as { result: { sessionId: string } };
    const { sessionId } = opened.result;
    const prompt = [{ type: "text", text: "Hello" }];
    const send = (id: number): void =>
      peer.send({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt } });
    const answer = (id: number) => peer.next((message) => message["id"] === id && message["method"] === undefined);
    send(1);
    // The first prompt of version 2 is answered when its turn begins.
    if (version === 2) expect(await answer(1)).toMatchObject({ result: {} });
    const waiting = version === 1 ? [1, 2, 3] : [2, 3, 4];
    for (const id of [2, 3, 4, 5]) send(id);
    expect(await answer(5)).toMatchObject(tooMany);
    expect(begun).toBe(1);
    const answers = Promise.all(waiting.map(answer));
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    for (const one of await answers) expect(one).not.toMatchObject(tooMany);
    send(6);
    await expect.poll(() => begun).toBe(2);
    await peer.close();
  });
});

describe.each([1, 2] as const)("a client of version %i whose handler of updates is busy", (version) => {
  it("counts the questions that wait after it", async () => {
    let isDone: (() => void) | undefined;
    const run = await start(
      version,
      { "session/update": () => new Promise<void>((resolve) => (isDone = resolve)) },
      { maxIncomingRequests: 2 },
    );
    const opening = await run.open("session/new");
    opening.answer({ result: { sessionId: "s" } });
    await opening.opened;
    run.say("s", "One");
    await expect.poll(() => isDone).toBeDefined();
    const [first, second, third] = [run.ask("s"), run.ask("s"), run.ask("s")];
    expect(await third).toMatchObject(tooMany);
    expect(run.asked).toEqual([]);
    isDone?.();
    await expect.poll(() => run.asked).toHaveLength(2);
    for (const { agree } of run.asked) agree();
    expect([await first, await second]).toMatchObject([{ result: {} }, { result: {} }]);
    const fourth = run.ask("s");
    await expect.poll(() => run.asked).toHaveLength(3);
    run.asked[2]?.agree();
    expect(await fourth).toMatchObject({ result: {} });
    await run.agent.close();
  });
});
