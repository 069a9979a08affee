// Strict mode between two processes, over real pipes.
import { fileURLToPath } from "node:url";
import { type ConnectedAgent, createClient, type Diagnostic } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { strictValidator } from "@acp/validators/v1/strict";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = fileURLToPath(new URL("programs/strict-agent.ts", import.meta.url));
const command = { command: process.execPath, args: [program] };
const info = { name: "strict-client", version: "1.0.0" };
const diagnostics: Diagnostic[] = [];
const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);

let strict: ConnectedAgent;
let plain: ConnectedAgent;

beforeAll(async () => {
  const client = createClient({ info, validate: strictValidator, onDiagnostic });
  [strict, plain] = await Promise.all([spawnAgent(client, command), spawnAgent(createClient({ info }), command)]);
});

afterAll(() => Promise.all([strict.close(), plain.close()]));

/** What the agent says to a prompt. */
async function said(agent: ConnectedAgent, text: string): Promise<string[]> {
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt(text);
  const texts: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  }
  return texts;
}

test("two strict sides have nothing to report about each other", async () => {
  expect(await said(strict, "Hello")).toEqual(["Hello"]);
  expect(diagnostics).toEqual([]);
});

test.each([
  ["member", "/update/content/color: is no member of the protocol", "EXT-02/agent, CHK-07/agent"],
  ["base64", "/update/content/data: expected base64", "CONT-03/agent"],
  ["usage", "/update/used: expected at least 0", "UPD-06"],
])("an agent learns that a %s is wrong, %s, before it is sent (%s)", async (what, reason) => {
  expect(await said(plain, what)).toEqual([expect.stringContaining(reason)]);
});

test("an agent answers -32602 with the place for an untyped client's mistakes (RPC-08/agent, EXT-02/both)", async () => {
  const params = { cwd: "/project", mcpServers: [], model: "m" };
  await expect(plain.request("session/new", params)).rejects.toMatchObject({
    wire: { code: -32602, data: { path: "/model", reason: "is no member of the protocol" } },
  });
  await expect(strict.request("session/new", params)).rejects.toMatchObject({ code: "usage" });
});
