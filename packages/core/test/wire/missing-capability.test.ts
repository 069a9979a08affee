import { type AgentTurnContext, createAgent, createClient, createMemoryTransportPair, RequestError } from "@acp/core";
import { readTextFile, runCommand } from "@acp/core/agent";
import { expect, test } from "vitest";

import * as v2 from "../../src/v2/entry.ts";

const info = { name: "test", version: "1.0.0" };
const form = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties: {} } } as const;

/** The error that a client without capabilities gets for a prompt whose handler calls it like this. */
async function promptError(call: (context: AgentTurnContext) => Promise<unknown>): Promise<unknown> {
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async (_params, context) => {
        await call(context);
        return { stopReason: "end_turn" };
      },
    },
  });
  const [agentEnd, clientEnd] = createMemoryTransportPair();
  agent.connect(agentEnd, { onDiagnostic: () => {} });
  const connected = await createClient({ info, handlers: {} }).connect(clientEnd);
  const session = await connected.newSession({ cwd: "/project" });
  const error: unknown = await session.prompt("Go").response.catch((reason: unknown) => reason);
  await connected.close();
  return error instanceof RequestError ? error.wire : error;
}

test.each([
  [
    "fs.readTextFile",
    "fs/read_text_file",
    ({ client }: AgentTurnContext) => client.request("fs/read_text_file", { path: "/project/a" }),
  ],
  ["fs.readTextFile", "fs/read_text_file", ({ turn }: AgentTurnContext) => readTextFile(turn, "/project/a")],
  ["terminal", "terminal/create", ({ turn }: AgentTurnContext) => runCommand(turn, { command: "ls" })],
  [
    "elicitation.form",
    "elicitation/create",
    ({ client, session }: AgentTurnContext) => client.request("elicitation/create", { ...form, sessionId: session.id }),
  ],
] as const)(
  "the answer to a prompt names the capability %s that its handler lacks",
  async (capability, method, call) => {
    expect(await promptError(call)).toMatchObject({
      code: -32603,
      message: `Internal error: ${method} needs ${capability}, which was not advertised`,
      data: { capability, method, correlationId: expect.any(String) },
    });
  },
);

test("the answer to a prompt does not mention any other failure", async () => {
  const secret = promptError(() => Promise.reject(new Error("hunter2")));
  expect(await secret).toEqual({
    code: -32603,
    message: "Internal error",
    data: { correlationId: expect.any(String) },
  });
});

test("an agent of version 2 names it as well", async () => {
  const agent = v2.createAgent({
    info,
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        await turn.client.request("elicitation/create", { ...form, sessionId: turn.session.id });
        return { stopReason: "end_turn" };
      },
    },
  });
  const [agentEnd, clientEnd] = createMemoryTransportPair();
  agent.connect(agentEnd, { onDiagnostic: () => {} });
  const connected = await v2.createClient({ info, handlers: {} }).connect(clientEnd);
  const session = await connected.newSession({ cwd: "/project" });
  const turn = session.prompt("Go");
  const finished: unknown = await turn.finished.catch((error: unknown) => error);
  await connected.close();
  expect(JSON.stringify(finished)).toContain("elicitation/create needs elicitation.form, which was not advertised");
});
