import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { ClientHandlers } from "@acp/core";
import type { HubLimits } from "@acp/hub";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";

import { type HubOverHttp, serveHub } from "./support/hub-over-http.ts";
import { connectRemotely, type RemoteClient, type Way } from "./support/remote-client.ts";

const cwd = process.cwd();
const numbersTo = (last: number): string => Array.from({ length: last }, (_, index) => `${index + 1} `).join("");
async function startHub(
  limits?: HubLimits,
): Promise<HubOverHttp & { join(way: Way, token: string, handlers?: ClientHandlers): Promise<RemoteClient> }> {
  const served = await serveHub(limits);
  const clients: RemoteClient[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map(({ agent }) => agent.close()));
    await served.close();
  });
  return {
    ...served,
    join: async (way, token, handlers) => {
      const client = await connectRemotely(way, served.port, token, handlers);
      clients.push(client);
      return client;
    },
  };
}

/** Answers permission questions when the test says so. */
function dialogs(): { readonly handlers: ClientHandlers; answer(optionId: string): void; state(): string } {
  let state = "none";
  let answer = (_optionId: string): void => {};
  return {
    answer: (optionId) => answer(optionId),
    state: () => state,
    handlers: {
      "session/request_permission": async (_params, { signal }) => {
        state = "open";
        signal.addEventListener("abort", () => (state = "withdrawn"));
        const optionId = await new Promise<string>((resolve) => (answer = resolve));
        state = "answered";
        return { outcome: { outcome: "selected", optionId } };
      },
    },
  };
}

/** A program of the test's. `ask` writes a line to its stdin, and resolves with the line that it prints next. */
function startProgram(name: string, ...args: readonly string[]): { readonly pid: number; ask(): Promise<string> } {
  const path = fileURLToPath(new URL(`../../dist/hub/support/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let isFirst = true;
  return {
    pid: child.pid!,
    ask: async () => {
      if (!isFirst) child.stdin.write("\n");
      isFirst = false;
      const { value } = await lines.next();
      return String(value);
    },
  };
}

test.each(["HTTP", "WebSocket"] as const)("a hub that has all its connections says so over %s", async (way) => {
  const { join, port } = await startHub({ connections: 1 });
  const first = await join(way, "token-of-ada");
  await expect(join(way, "token-of-ada")).rejects.toThrow(/503/u);
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    headers: { Authorization: "Bearer token-of-ada", "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }),
  });
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("(connections)")]);
  await first.agent.close();
  await expect
    .poll(() =>
      join(way, "token-of-ada").then(
        () => "in",
        () => "out",
      ),
    )
    .toBe("in");
});

describe("a hub over a network", () => {
  test.each<[Way, Way]>([
    ["HTTP", "WebSocket"],
    ["WebSocket", "HTTP"],
  ])("one session over %s and %s: all updates once in order, and one answers for both", async (one, other) => {
    const { join } = await startHub();
    const [ours, theirs] = [dialogs(), dialogs()];
    const author = await join(one, "token-of-ada", ours.handlers);
    const session = await author.agent.newSession({ cwd });
    const second = await join(other, "token-of-ada", theirs.handlers);
    await second.agent.loadSession({ sessionId: session.id, cwd });

    await session.prompt("count 100").response;
    await expect.poll(() => second.text()).toBe(numbersTo(100));
    expect(author.text()).toBe(numbersTo(100));

    const turn = session.prompt("ask");
    await expect.poll(() => [ours.state(), theirs.state()]).toEqual(["open", "open"]);
    theirs.answer("allow");
    await turn.response;
    expect(ours.state()).toBe("withdrawn");
    expect(author.text()).toBe(`${numbersTo(100)}allow`);
  });

  test.each<Way>(["HTTP", "WebSocket"])(
    "another user over %s sees nothing; without a token nobody comes in",
    async (way) => {
      const { join } = await startHub();
      const author = await join("WebSocket", "token-of-ada");
      const session = await author.agent.newSession({ cwd });
      const bob = await join(way, "token-of-bob");
      expect((await bob.agent.request("session/list", {})).sessions).toEqual([]);
      await expect(bob.agent.loadSession({ sessionId: session.id, cwd })).rejects.toThrow("No such session");
      await expect(bob.agent.request("session/delete", { sessionId: session.id })).rejects.toThrow("No such session");
      await expect(join(way, "token-of-eve")).rejects.toThrow("401");
      await expect(join(way, `acp-share.${session.id}.${"0".repeat(64)}`)).rejects.toThrow("401");
    },
  );

  test.each<Way>(["HTTP", "WebSocket"])(
    "a share over %s: who watches sees, and ends when it is revoked",
    async (way) => {
      const { join, hub } = await startHub();
      const author = await join("WebSocket", "token-of-ada");
      const session = await author.agent.newSession({ cwd });
      const { token, id } = await hub.share(session.id, { may: "watch" });
      const watcher = await join(way, token);
      const seen = await watcher.agent.loadSession({ sessionId: session.id, cwd });
      expect((await watcher.agent.request("session/list", {})).sessions.map(({ sessionId }) => sessionId)).toEqual([
        session.id,
      ]);
      await session.prompt("count 10").response;
      await expect.poll(() => watcher.text()).toBe(numbersTo(10));
      await expect(seen.prompt("count 1").response).rejects.toThrow("you may watch");

      const revokedAt = Date.now();
      await hub.revoke(session.id, id);
      await watcher.agent.closed;
      expect(Date.now() - revokedAt).toBeLessThan(5000);
      await expect(join(way, token)).rejects.toThrow("401");
      await session.prompt("count 1").response;
    },
  );

  test.each<Way>(["HTTP", "WebSocket"])(
    "a client over %s that is killed in mid turn comes back to all of it",
    async (way) => {
      const { join, port } = await startHub();
      const killed = startProgram("prompting-client", way, String(port), "token-of-ada", cwd, "count 300");
      const sessionId = await killed.ask();
      process.kill(killed.pid, "SIGKILL");

      const back = await join(way, "token-of-ada");
      const session = await back.agent.loadSession({ sessionId, cwd });
      await expect.poll(() => back.text()).toBe(numbersTo(300));
      expect(await session.prompt("again").response).toEqual({ stopReason: "end_turn" });
    },
  );

  test("a watcher that does not read slows nobody, costs little memory, and catches up", async () => {
    const server = startProgram("serve-hub");
    const port = Number(await server.ask());
    const author = await connectRemotely("WebSocket", port, "token-of-ada");
    const session = await author.agent.newSession({ cwd });
    const lazy = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { Authorization: "Bearer token-of-ada" } });
    onTestFinished(() => lazy.terminate());
    const got: string[] = [];
    lazy.on("message", (data: Buffer) => got.push(data.toString("utf8")));
    await new Promise((resolve) => lazy.once("open", resolve));
    const send = (id: number, method: string, params: object): void =>
      lazy.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    send(2, "session/load", { sessionId: session.id, cwd, mcpServers: [] });
    await expect.poll(() => got.some((text) => text.includes('"id":2'))).toBe(true);

    const before = Number(await server.ask());
    lazy.pause();
    await session.prompt("flood 8000").response;
    const after = Number(await server.ask());
    expect(author.text().length).toBe(8000 * 10_000);
    // Of 80 MB, what a feed keeps, what waits in one socket, and what a compaction reads that may just run.
    expect(after - before).toBeLessThan(40);

    lazy.resume();
    const length = (): number => got.reduce((sum, text) => sum + (/x{9,}/u.exec(text)?.[0].length ?? 0), 0);
    await expect.poll(length).toBe(8000 * 10_000);
    await author.agent.close();
  });
});
