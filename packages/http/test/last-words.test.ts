// What an agent says last arrives, though the server has let the connection go by then.
import { createAgent, createClient } from "@acp/core";
import { expect, test } from "vitest";

import { createHttpServer } from "../src/server/http-server.ts";
import { endpoint, fetchFrom } from "./support/in-process.ts";
import { createHttpTransport } from "../src/client/http-transport.ts";
import type { HttpTransportOptions } from "../src/index.ts";

type Fetch = NonNullable<HttpTransportOptions["fetch"]>;

/** What comes by the streams of sessions takes its time. */
function fromAfar(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null || !new Headers(init.headers).has("Acp-Session-Id")) return response;
    const slow = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(slow), { status: response.status, headers: response.headers });
  };
}

test("a client that is slow gets the last updates and the answer of its turn when the server closes", async () => {
  const said = 400;
  const question = { toolCall: { toolCallId: "call" }, options: [] };
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      "session/prompt": async (_params, { turn, signal, client: asked }) => {
        // More than clients take in before their handlers are done.
        const say = (): void => void Array.from({ length: said / 2 }, () => void turn.message("x".repeat(10_000)));
        say();
        // Nobody takes the answer any more.
        asked.request("session/request_permission", question).catch(() => {});
        say();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      },
    },
  });
  await using server = createHttpServer({ agent });
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let heard = 0;
  const client = createClient({
    info: { name: "client", version: "1" },
    handlers: {
      "session/update": () => {
        heard++;
        return held;
      },
    },
  });
  const { fetch, exchanges } = fetchFrom(server);
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: fromAfar(fetch) }));
  const session = await connected.newSession({ cwd: "/" });
  const { response } = session.prompt("go");
  await expect.poll(() => heard).toBe(1);
  const closed = server.close();
  // The stream of the connection has nothing on it, and ends first: what is sent next is refused, whichever that is.
  await expect.poll(() => exchanges).toContainEqual({ method: expect.any(String), session: null, status: 404 });
  goOn();
  expect((await response).stopReason).toBe("cancelled");
  expect(heard).toBe(said);
  await closed;
  await connected.closed;
});
