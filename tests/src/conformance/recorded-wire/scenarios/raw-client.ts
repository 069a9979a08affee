// An agent of ours with a client that is played by hand: what no client of ours would send.
import type { AgentDefinition } from "@acp/core";

import type { Edition } from "../harness/edition.ts";
import { initializeParams, loginOf, newSessionParams } from "../harness/examples.ts";
import type { RawPeer } from "../harness/raw-peer.ts";
import { byHand, type Scenario } from "../harness/scenario.ts";
import type { Wire } from "../harness/wire.ts";

interface Turn {
  readonly signal: AbortSignal;
  message(text: string): Promise<void>;
  toolCall(call: { readonly title: string }): Promise<{ requestPermission(question?: object): Promise<unknown> }>;
}

/** An agent whose prompts say what it does. */
function agentOf(edition: Edition): AgentDefinition {
  let count = 0;
  const options = {
    info: { name: "agent", version: "1.0.0" },
    sessionId: () => `session-${++count}`,
    authMethods: [loginOf(edition)],
    handlers: {
      "session/prompt": async ({ prompt }: { prompt: [{ text: string }] }, context: object) => {
        const { turn } = context as { readonly turn: Turn };
        const word = prompt[0].text;
        await turn.message(`begin ${word}`);
        if (word === "throw") throw new Error("secret");
        if (word === "wait" && !turn.signal.aborted)
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        if (word === "ask") {
          const call = await turn.toolCall({ title: "Edit" });
          const outcome = await call.requestPermission(edition.version === 1 ? undefined : { title: "May I?" });
          await turn.message(JSON.stringify(outcome));
        }
        await turn.message("end");
        return { stopReason: "end_turn" };
      },
      [edition.version === 1 ? "authenticate" : "auth/login"]: () => ({}),
      [edition.version === 1 ? "logout" : "auth/logout"]: () => ({}),
      _echo: (params: unknown) => ({ params }),
      _wait: (_params: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      _throw: () => {
        throw new Error("secret");
      },
    },
  };
  return edition.createAgent(options as unknown as Parameters<Edition["createAgent"]>[0]);
}

async function opened(wire: Wire, edition: Edition): Promise<RawPeer> {
  const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
  await client.call("initialize", initializeParams(edition));
  await client.call("session/new", newSessionParams(edition));
  return client;
}

const sessionId = "session-1";
const prompt = (text: string): object => ({ sessionId, prompt: [{ type: "text", text }] });

/** Texts that are no messages, or not quite. */
const texts: readonly string[] = [
  "",
  "{",
  "nonsense",
  "null",
  "7",
  '"text"',
  "[]",
  "{}",
  '[{"jsonrpc":"2.0","id":1,"method":"_echo"}]',
  '{"id":1,"method":"_echo"}',
  '{"jsonrpc":"1.0","id":2,"method":"_echo"}',
  '{"jsonrpc":"2.0","id":3}',
  '{"jsonrpc":"2.0","id":4,"method":7}',
  '{"jsonrpc":"2.0","id":5,"method":""}',
  '{"jsonrpc":"2.0","id":6,"method":"_echo","params":7}',
  '{"jsonrpc":"2.0","id":7,"method":"_echo","params":"text"}',
  '{"jsonrpc":"2.0","id":8,"method":"_echo","params":null}',
  '{"jsonrpc":"2.0","id":9,"method":"_echo","params":[1,{"a":2}]}',
  '{"jsonrpc":"2.0","id":10,"method":"_echo","result":{}}',
  '{"jsonrpc":"2.0","id":11,"result":{},"error":{"code":1,"message":"both"}}',
  '{"jsonrpc":"2.0","id":12,"result":{"never":"asked"}}',
  '{"jsonrpc":"2.0","id":13,"error":{"code":-1,"message":"never asked"}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
  ' {"jsonrpc": "2.0", "method": "_echo", "id": 14, "extra": [1], "params": {"a": 1, "a": 2}} ',
  '{"jsonrpc":"2.0","id":15,"method":"_echo","params":{"n":1e400,"m":-0,"big":12345678901234567890}}',
  '{"jsonrpc":"2.0","id":16,"method":"_echo","params":{"__proto__":{"a":1},"constructor":1}}',
  '{"jsonrpc":"2.0","id":17,"method":"toString"}',
  '{"jsonrpc":"2.0","method":7,"id":"18"}',
];

const ids: readonly string[] = [
  "null",
  '""',
  '"text"',
  "0",
  "-1",
  "1.5",
  "1e3",
  "9007199254740993",
  "true",
  "{}",
  "[1]",
];

export function rawClient(edition: Edition): readonly Scenario[] {
  return [
    byHand("texts that are no messages", async (wire) => {
      const client = await opened(wire, edition);
      for (const text of texts) {
        await wire.step(text.slice(0, 60));
        await client.send(text);
      }
      await client.close();
    }),
    byHand("ids of requests", async (wire) => {
      const client = await opened(wire, edition);
      for (const id of ids) {
        await wire.step(id);
        await client.send(`{"jsonrpc":"2.0","id":${id},"method":"_echo","params":{}}`);
        await client.send(`{"jsonrpc":"2.0","id":${id},"method":"nope"}`);
      }
      await wire.step("one id twice");
      await client.send(client.request("_wait", {}, "same"), client.request("_echo", {}, "same"));
      await client.notify("$/cancel_request", { requestId: "same" });
      await client.close();
    }),
    byHand("before initialize", async (wire) => {
      const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
      await client.call("session/new", newSessionParams(edition));
      await client.call("_echo", { early: true });
      await client.call("nope");
      await client.notify("session/cancel", { sessionId });
      await client.notify("_note");
      await client.send("{");
      await client.call("initialize", initializeParams(edition));
      await wire.step("twice");
      await client.call("initialize", initializeParams(edition));
      await client.call("session/new", newSessionParams(edition));
      await client.call("initialize", initializeParams(edition));
      await client.close();
    }),
    byHand("versions", async (wire) => {
      for (const protocolVersion of [0, 1, 2, 3, 99, -1, "1", "2024-11-05", null]) {
        await wire.step(String(protocolVersion));
        const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
        await client.call("initialize", { ...initializeParams(edition), protocolVersion });
        await client.call("session/new", newSessionParams(edition));
        await client.close();
      }
    }),
    byHand("everything at once", async (wire) => {
      const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
      await client.send(
        client.request("initialize", initializeParams(edition)),
        client.request("session/new", newSessionParams(edition)),
        client.request("session/prompt", prompt("go")),
        client.request("_echo", { a: 1 }),
        client.notification("session/cancel", { sessionId }),
      );
      await client.close();
    }),
    byHand("methods that nobody knows", async (wire) => {
      const client = await opened(wire, edition);
      for (const method of [
        "nope",
        "session/nope",
        "_nope",
        "fs/read_text_file",
        "session/update",
        "proxy/initialize",
        "$/nope",
        "a\u0000b",
      ]) {
        await wire.step(method);
        await client.call(method, { a: 1 });
        await client.notify(method, { a: 1 });
      }
      await client.call("_throw");
      await client.close();
    }),
    byHand("sessions that are not open", async (wire) => {
      const client = await opened(wire, edition);
      const unknown = { sessionId: "unknown" };
      for (const method of Object.keys(edition.agentTable.handles.requests)) {
        if (!method.startsWith("session/") && !method.endsWith("/cancel")) continue;
        await wire.step(method);
        await client.call(method, {
          ...unknown,
          ...newSessionParams(edition),
          prompt: [{ type: "text", text: "go" }],
          modeId: "m",
          configId: "c",
          value: "v",
          title: "t",
          toolCallId: "x",
          terminalId: "x",
        });
      }
      await client.notify("session/cancel", unknown);
      await client.close();
    }),
    byHand("prompts that are wrong", async (wire) => {
      const client = await opened(wire, edition);
      const blocks: readonly unknown[] = [
        [],
        "text",
        [7],
        [{ type: "unknown", a: 1 }],
        [{ type: "text" }],
        [{ text: "no type" }],
        [{ type: "image", data: "", mimeType: "image/png" }],
        [{ type: "text", text: "go", annotations: 7, _meta: 8 }],
      ];
      for (const block of blocks) {
        await wire.step(JSON.stringify(block));
        await client.call("session/prompt", { sessionId, prompt: block });
      }
      await wire.step("no session");
      await client.call("session/prompt", { prompt: [] });
      await client.call("session/prompt", { sessionId: 7, prompt: [] });
      await client.close();
    }),
    byHand("a turn that is cancelled, and questions that cross", async (wire) => {
      const client = await opened(wire, edition);
      await wire.step("cancel a turn");
      await client.send(client.request("session/prompt", prompt("wait")));
      await client.notify("session/cancel", { sessionId });
      await wire.step("prompt and cancel together");
      await client.send(
        client.request("session/prompt", prompt("wait")),
        client.notification("session/cancel", { sessionId }),
      );
      await wire.step("a question is answered");
      await client.send(client.request("session/prompt", prompt("ask")));
      await client.answer("session/request_permission", { outcome: { outcome: "selected", optionId: "allow" } });
      await wire.step("a question is answered twice");
      await client.answer("session/request_permission", { outcome: { outcome: "cancelled" } });
      await wire.step("the answer comes behind the cancel");
      await client.send(client.request("session/prompt", prompt("ask")));
      await client.notify("session/cancel", { sessionId });
      await client.answer("session/request_permission", { outcome: { outcome: "selected", optionId: "allow" } });
      await wire.step("an error is the answer");
      await client.send(client.request("session/prompt", prompt("ask")));
      await client.fail("session/request_permission", { code: -32800, message: "Cancelled" });
      await wire.step("nonsense is the answer");
      for (const answer of [null, 7, {}, { outcome: { outcome: "unknown" } }, { outcome: { outcome: "selected" } }]) {
        await client.send(client.request("session/prompt", prompt("ask")));
        await client.answer("session/request_permission", answer);
      }
      await wire.step("a broken error is the answer");
      for (const error of [null, 7, {}, { code: "x", message: 7 }, { code: 1.5, message: "m", data: { deep: [1] } }]) {
        await client.send(client.request("session/prompt", prompt("ask")));
        await client.fail("session/request_permission", error);
      }
      await wire.step("a turn that throws");
      await client.call("session/prompt", prompt("throw"));
      await client.close();
    }),
    byHand("requests that are cancelled", async (wire) => {
      const client = await opened(wire, edition);
      await client.send(client.request("_wait", {}, "wait"));
      await client.notify("$/cancel_request", { requestId: "unknown" });
      await client.notify("$/cancel_request", {});
      await client.notify("$/cancel_request");
      await client.notify("$/cancel_request", { requestId: { a: 1 } });
      await client.notify("$/cancel_request", { requestId: "wait" });
      await wire.step("as a request");
      await client.call("$/cancel_request", { requestId: "x" });
      await wire.step("a prompt");
      await client.send(client.request("session/prompt", prompt("wait"), "prompt"));
      await client.notify("$/cancel_request", { requestId: "prompt" });
      await wire.step("an opening");
      await client.send(
        client.request("session/new", newSessionParams(edition), "new"),
        client.notification("$/cancel_request", { requestId: "new" }),
      );
      await client.close();
    }),
    byHand("the client goes", async (wire) => {
      const client = await opened(wire, edition);
      await client.send(client.request("session/prompt", prompt("ask")), client.request("_wait"));
      await wire.step("close");
      await client.close();
    }),
  ];
}
