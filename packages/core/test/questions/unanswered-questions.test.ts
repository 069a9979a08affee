// A question that is open when its turn ends without a cancel: the protocol cancels questions only with their turn.
import { expect, it } from "vitest";
import { createDeferred } from "../../src/base/promises.ts";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { PermissionOutcome } from "../../src/v1/agent-turn.ts";
import { connect, openSession } from "../support/connected-client.ts";
import { createRawPeer } from "../support/raw-peer.ts";

const options = [{ optionId: "a", name: "A", kind: "allow_once" } as const];
const selected = { outcome: { outcome: "selected", optionId: "a" } } as const;

it("stays pending for the agent, which gets the answer after the end of its turn", async () => {
  const diagnostics: Diagnostic[] = [];
  let answered: Promise<PermissionOutcome> | undefined;
  const agent = createAgent({
    info: { name: "test", version: "1" },
    sessionId: () => "s",
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        const call = await turn.toolCall({ title: "Write a file" });
        answered = call.requestPermission(options);
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  const prompting = peer.call("session/prompt", { sessionId: "s", prompt: [] });
  const { id } = await peer.next(({ method }) => method === "session/request_permission");
  expect(await prompting).toMatchObject({ result: { stopReason: "end_turn" } });
  peer.send({ jsonrpc: "2.0", id, result: selected });
  expect(await answered).toMatchObject({ outcome: "selected" });
  expect(peer.received.filter(({ method }) => method === "$/cancel_request")).toEqual([]);
  expect(diagnostics).toEqual([]);
});

it("stays open for the user of a client, and is cancelled with the next turn", async () => {
  const asked: { readonly signal: AbortSignal; agree(): void }[] = [];
  const connected = await connect({
    "session/request_permission": (_params: unknown, { signal }: { readonly signal: AbortSignal }) => {
      const { promise, resolve } = createDeferred();
      asked.push({ signal, agree: resolve });
      return promise.then(() => selected);
    },
  });
  const { peer, diagnostics } = connected;
  const session = await openSession(connected);
  const ask = (): Promise<Record<string, unknown>> =>
    peer.call("session/request_permission", { sessionId: "s1", toolCall: { toolCallId: "t" }, options });
  const play = async (): Promise<readonly Promise<Record<string, unknown>>[]> => {
    const { response } = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const answers = [ask(), ask()];
    await peer.settle();
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    expect(await response).toEqual({ stopReason: "end_turn" });
    return answers;
  };
  const [first, second] = await play();
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  asked[0]?.agree();
  expect(await first).toMatchObject({ result: selected });
  const next = session.prompt("Hello again");
  next.cancel();
  expect(await second).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  expect(asked[1]?.signal.aborted).toBe(true);
  expect(diagnostics).toEqual([]);
});
