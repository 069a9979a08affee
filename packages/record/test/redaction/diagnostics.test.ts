// The sentences of diagnostics go to logs as they are, so they repeat no secret of a message.
import { createClient, type Diagnostic } from "@acp/core";
import { expect, test } from "vitest";
import { createRawPeer } from "../../../core/test/support/raw-peer.ts";
import { plantedSecrets, secretsIn } from "./corpus.ts";

test("no planted secret of a message is in the sentence of a diagnostic", async () => {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { "session/request_permission": () => ({ outcome: { outcome: "cancelled" } }) },
  });
  let connecting: ReturnType<typeof client.connect> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const { id } = await peer.next((message) => message["method"] === "initialize");
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
  const agent = await connecting;
  for (const { text, value } of plantedSecrets) {
    const secret = text ?? JSON.stringify(value);
    // Noise, an answer to nothing, an unknown notification, invalid params, a session that is not open.
    peer.send(`not JSON: ${secret.replaceAll("\n", " ")}`);
    peer.send({ jsonrpc: "2.0", id: `unused ${secret}`, result: { secret } });
    peer.send({ jsonrpc: "2.0", method: "_acme/unknown", params: { secret } });
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: secret } });
    peer.send({
      jsonrpc: "2.0",
      id: 1,
      method: "session/request_permission",
      params: { sessionId: "s", options: secret },
    });
  }
  await expect.poll(() => diagnostics.length).toBeGreaterThanOrEqual(4 * plantedSecrets.length);
  await agent?.close();
  const kinds = new Set(diagnostics.map(({ type }) => type));
  for (const kind of ["noise", "unexpected-response", "unknown-notification", "invalid-message"])
    expect(kinds).toContain(kind);
  const sentences = diagnostics.map(({ message }) => message).join("\n");
  const distinct = plantedSecrets.filter(({ secrets }) => secrets.every((secret) => secret.length > 4));
  expect(secretsIn(sentences, distinct)).toEqual([]);
});
