import { createAgent } from "@acp/core";
import { createHttpServer } from "@acp/http";

import { Choices } from "../inputs/choices.ts";
import { edited } from "../inputs/edit.ts";
import { examples } from "../inputs/examples.ts";
import { expectSame, expectTrue, type Target } from "../target.ts";

/** The answers that a server has for requests, broken ones as well. */
const statuses: readonly number[] = [200, 202, 204, 400, 403, 404, 405, 406, 409, 413, 415, 426, 429, 503];
const mostRequests = 5;
const maxMessageBytes = 10_000;

const names = [
  "Acp-Connection-Id",
  "Acp-Session-Id",
  "Acp-Message-Number",
  "Last-Event-ID",
  "Origin",
  "Upgrade",
  "X-Other",
];
const types = ["application/json", "application/json; charset=utf-8", "text/plain", "APPLICATION/JSON;a=b;", ""];
const accepts = ["text/event-stream", "application/json, text/event-stream", "*/*", ""];

const agent = createAgent({
  info: { name: "fuzzed", version: "1" },
  onDiagnostic: () => {},
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** A body in pieces, each at a time of its own. */
function bodyOf(choices: Choices): Uint8Array | ReadableStream<Uint8Array> {
  const { method, params, result } = choices.pick(examples[1]);
  const message = choices.pick<() => unknown>([
    () => JSON.parse(initialize) as unknown,
    () => ({ jsonrpc: "2.0", id: choices.below(4), method, params }),
    () => ({ jsonrpc: "2.0", method, params }),
    () => ({ jsonrpc: "2.0", id: choices.below(4), result }),
  ])();
  const text = JSON.stringify(edited(message, choices, [params, result]));
  const bytes = new TextEncoder().encode(
    choices.pick([() => text, () => text, () => text.slice(0, choices.below(256)), () => choices.text(100)])(),
  );
  if (choices.below(8) === 0) bytes[choices.below(256) % Math.max(1, bytes.length)] = 0xff;
  const size = choices.below(64);
  if (size === 0) return bytes;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

function requestOf(choices: Choices, connection: string): Request {
  const method = choices.pick(["POST", "POST", "POST", "GET", "DELETE", "PUT", "OPTIONS"]);
  const headers = new Headers();
  const set = (name: string, value: string): void => {
    try {
      headers.set(name, value);
    } catch {
      // No client can send that.
    }
  };
  if (choices.below(8) > 0) set("Content-Type", choices.pick(types));
  if (choices.below(8) > 0) set("Accept", choices.pick(accepts));
  if (choices.below(4) > 0) set("Acp-Connection-Id", connection);
  if (choices.below(4) === 0) set("Content-Length", choices.pick(["0", "5", "99999999", "-1", "x", choices.text(4)]));
  for (let count = choices.below(4); count > 0; count--) set(choices.pick(names), choices.text(20));
  const hasBody = method === "POST" || method === "PUT";
  // Node takes no stream without it.
  return new Request("http://localhost/acp", {
    method,
    headers,
    ...(hasBody ? { body: bodyOf(choices), duplex: "half" } : {}),
  } as RequestInit);
}

async function check(input: Uint8Array): Promise<void> {
  const choices = new Choices(input);
  const server = createHttpServer({ agent, maxMessageBytes, maxConnections: 3 });
  try {
    const headers = { "Content-Type": "application/json" };
    const opened = await server.handle(
      new Request("http://localhost/acp", { method: "POST", headers, body: initialize }),
    );
    const connection = opened.headers.get("Acp-Connection-Id") ?? "";
    for (let count = 0; count < mostRequests && choices.left; count++) {
      const answer = await server.handle(requestOf(choices, connection));
      expectTrue(statuses.includes(answer.status), `It answers ${answer.status}`);
      if (answer.headers.get("Content-Type")?.startsWith("text/event-stream") === true) await answer.body?.cancel();
      else {
        const text = await answer.text();
        expectTrue(!text.includes("    at "), `The answer has a stack: ${text}`);
        if (answer.headers.get("Content-Type") === "application/json") JSON.parse(text);
      }
    }
    expectTrue(server.connections <= 3, "There are too many connections");
  } finally {
    await server.close();
  }
  expectSame(server.connections, 0, "Connections after the end");
}

export const httpServerTarget: Target = {
  name: "http-server",
  covers: ["packages/http/"],
  seeds: Array.from({ length: 20 }, (_, index) =>
    String.fromCharCode(index % 7, 1, index % 5, 1, index % 4, 1, 1, 0, index, index % 4, 0, 0, 1, index, 3, 0),
  ),
  check,
};
