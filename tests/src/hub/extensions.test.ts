// Methods of extensions, over the hub with all its processes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, onTestFinished, test } from "vitest";

import { serveHub } from "./support/hub-over-http.ts";
import { type AttachedClient, createTestHub, type TestHub } from "./support/hub-programs.ts";
import { connectRemotely } from "./support/remote-client.ts";

const agent = [process.execPath, fileURLToPath(new URL("../../dist/hub/support/extension-agent.js", import.meta.url))];

/** Sends a request of the agent's extension. */
function call({ agent: connected }: AttachedClient, method: string, params: object): Promise<unknown> {
  return connected.request(method as never, params as never);
}

/** What agents got, a line each. */
function calls({ cwd }: TestHub): string {
  try {
    return readFileSync(join(cwd, "calls.txt"), "utf8");
  } catch {
    return "";
  }
}

/** A client that waits until the test answers it, and what it saw. */
function namer(): { readonly handlers: object; readonly seen: string[]; answer(name: string): void } {
  const seen: string[] = [];
  let resolveLast = (_answer: object): void => {};
  const handlers = {
    "_test/told": ({ words }: { readonly words: string }) => void seen.push(words),
    "_test/name": (_params: object, { signal }: { readonly signal: AbortSignal }) => {
      seen.push("asked");
      signal.addEventListener("abort", () => seen.push("withdrawn"));
      return new Promise((resolve) => (resolveLast = resolve));
    },
  };
  return { handlers, seen, answer: (name) => resolveLast({ name }) };
}

describe.runIf(process.platform === "linux")("extensions over a hub (Linux: processes are found in /proc)", () => {
  test("pass both ways between the agent and two editors, over acp attach and the keeper's process", async () => {
    const hub = createTestHub();
    const [ours, theirs] = [namer(), namer()];
    const first = await hub.attach(ours.handlers, agent);
    const { id: sessionId } = await first.agent.newSession({ cwd: hub.cwd });
    const second = await hub.attach(theirs.handlers, agent);
    const other = await second.agent.resumeSession({ sessionId, cwd: hub.cwd });
    const odd = { sessionId, words: "ü\u{1F600}\u2028", empty: {}, _meta: { own: true } };
    expect(await call(second, "_test/echo", odd)).toMatchObject({ words: odd.words, empty: {}, _meta: { own: true } });
    await expect(call(first, "_test/none", { sessionId })).rejects.toMatchObject({ wire: { code: -32601 } });
    await other.prompt("tell").response;
    await expect.poll(() => [ours.seen, theirs.seen]).toEqual([["hello"], ["hello"]]);

    const turn = other.prompt("ask");
    await expect.poll(() => theirs.seen).toContain("asked");
    theirs.answer("second");
    await turn.response;
    expect(second.text()).toContain('{"name":"second"}');
    expect(ours.seen).toEqual(["hello"]);
  });

  test("a keeper that is killed fails a request that waits, which the next agent does not get again", async () => {
    const hub = createTestHub();
    const editor = await hub.attach({}, agent);
    const { id: sessionId } = await editor.agent.newSession({ cwd: hub.cwd });
    const asked = call(editor, "_test/wait", { sessionId, name: "first" });
    const refused = expect(asked).rejects.toThrow("whether the request was carried out is unknown");
    await expect.poll(() => calls(hub)).toBe("first\n");

    hub.kill(hub.keepers()[0]!);

    await refused;
    expect(await call(editor, "_test/echo", { sessionId, next: 1 })).toMatchObject({ next: 1 });
    // The agent of the keeper that is gone has noticed.
    expect(calls(hub).replace("first is cancelled\n", "")).toBe("first\n");
  });

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "a request outlives a hub that ends by %s: the agent gets it once, and its editor the answer",
    async (signal) => {
      const hub = createTestHub();
      const editor = await hub.attach({}, agent);
      const { id: sessionId } = await editor.agent.newSession({ cwd: hub.cwd });
      const asked = call(editor, "_test/wait", { sessionId, name: "slow" });
      await expect.poll(() => calls(hub)).toBe("slow\n");
      const before = hub.hubProcess();

      hub.kill(before, signal);

      expect(await call(editor, "_test/echo", { sessionId, next: 1 })).toMatchObject({ next: 1 });
      expect(hub.hubProcesses()).not.toContain(before);
      await call(editor, "_test/go", { sessionId });
      expect(await asked).toEqual({ name: "slow" });
      expect(calls(hub)).toBe("slow\n");
    },
  );

  test("a request that its editor cancels is cancelled at the agent", async () => {
    const hub = createTestHub();
    const editor = await hub.attach({}, agent);
    const { id: sessionId } = await editor.agent.newSession({ cwd: hub.cwd });
    const cancelled = new AbortController();
    const params = { sessionId, name: "slow" };
    const asked = editor.agent.request("_test/wait" as never, params as never, { signal: cancelled.signal });
    const refused = expect(asked).rejects.toThrow("enough");
    await expect.poll(() => calls(hub)).toBe("slow\n");
    cancelled.abort(new Error("enough"));
    await refused;
    await expect.poll(() => calls(hub)).toBe("slow\nslow is cancelled\n");
  });

  test("a request of the agent is withdrawn when its keeper or its hub is killed; the agent goes on without", async () => {
    const hub = createTestHub();
    const { handlers, seen } = namer();
    const editor = await hub.attach(handlers, agent);
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    const turn = session.prompt("ask");
    await expect.poll(() => seen).toEqual(["asked"]);
    hub.kill(hub.hubProcess());
    await turn.response;
    expect(editor.text()).toContain("-32601");
    await expect.poll(() => seen).toEqual(["asked", "withdrawn"]);

    const next = session.prompt("ask");
    const refused = expect(next.response).rejects.toThrow("unknown");
    await expect.poll(() => seen).toEqual(["asked", "withdrawn", "asked"]);
    hub.kill(hub.keepers()[0]!);
    await refused;
    await expect.poll(() => seen).toEqual(["asked", "withdrawn", "asked", "withdrawn"]);
  });

  test("an agent whose only client has left gets -32601 at once", async () => {
    const hub = createTestHub();
    const { handlers, seen } = namer();
    const editor = await hub.attach(handlers, agent);
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    session.prompt("ask").response.catch(() => {});
    await expect.poll(() => seen).toEqual(["asked"]);
    hub.kill(editor.agent.process.pid);
    const next = await hub.attach({}, agent);
    await next.agent.loadSession({ sessionId: session.id, cwd: hub.cwd });
    await expect.poll(() => next.text()).toContain("-32601");
  });
});

test("who may only watch a session over HTTP cannot use the extensions of its agent", async () => {
  const { hub, port, close } = await serveHub();
  onTestFinished(close);
  const owner = await connectRemotely("HTTP", port, "token-of-ada");
  const { id: sessionId } = await owner.agent.newSession({ cwd: process.cwd() });
  const { token } = await hub.share(sessionId, { may: "watch", expires: new Date(Date.now() + 60_000) });
  const ask = (client: typeof owner): Promise<unknown> =>
    client.agent.request("_test/echo" as never, { sessionId } as never);
  const watcher = await connectRemotely("WebSocket", port, token);
  await watcher.agent.loadSession({ sessionId, cwd: process.cwd() });
  await expect(ask(watcher)).rejects.toThrow("You may not do this in the session");
  const stranger = await connectRemotely("HTTP", port, "token-of-bob");
  await expect(ask(stranger)).rejects.toThrow("No such session");
  // The agent has no such method.
  await expect(ask(owner)).rejects.toMatchObject({ wire: { code: -32601 } });
  await Promise.all([owner, watcher, stranger].map((client) => client.agent.close()));
});
