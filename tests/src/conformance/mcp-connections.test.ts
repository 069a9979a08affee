import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const program = fileURLToPath(new URL("programs/mcp-server.ts", import.meta.url));

/** A server over stdio, as a client describes it. */
function overStdio(name: string): object {
  return { name, command: process.execPath, args: [program], env: [{ name: "SAMPLE", value: name }] };
}

/** A server over HTTP that runs until the end of the test. */
async function overHttp(name: string): Promise<object> {
  const child = spawn(process.execPath, [program, "http"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (data) => resolve(String(data).trim())),
  );
  const headers = [{ name: "Authorization", value: "Bearer sample" }];
  return { type: "http", name, url: `http://127.0.0.1:${port}/`, headers };
}

/** The reference agent in a session with servers. */
async function withServers(mcpServers: readonly object[]) {
  const { peer } = referenceAgent();
  const { result } = await peer.initialize();
  const sessionId = await peer.newSession({ cwd: temporaryDirectory(), mcpServers });
  return { peer, sessionId, capabilities: result.agentCapabilities };
}

/** What the agent has said. */
const saidTo = ({ updates }: Awaited<ReturnType<typeof withServers>>["peer"]): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text)
    .join("");

const echoed = (from: string): readonly object[] => [
  { type: "text", text: `hello from ${from}`, annotations: { priority: 1 } },
  { type: "image", data: "AAEC", mimeType: "image/png", _meta: { "example.com/size": 3 } },
  { type: "resource", resource: { uri: "mem://1", text: "one", mimeType: "text/plain" } },
];

test("MCP-02, CONT-02/agent: an agent connects over stdio, and passes on a tool's answer", async () => {
  const { peer, sessionId } = await withServers([overStdio("here")]);
  await peer.prompt(sessionId, 'call echo {"text":"hello"}');
  const [call, update] = peer.updates.filter(({ toolCallId }) => toolCallId !== undefined);
  expect(call).toMatchObject({ sessionUpdate: "tool_call", name: "echo", rawInput: { text: "hello" } });
  const content = echoed("here").map((block) => ({ type: "content", content: block }));
  expect(update).toMatchObject({ status: "completed", content });
});

test("MCP-03: an agent reports that it takes servers over HTTP, and connects to them", async () => {
  const { peer, sessionId, capabilities } = await withServers([await overHttp("web")]);
  expect(capabilities.mcpCapabilities).toEqual({ http: true, sse: true });
  await peer.prompt(sessionId, 'call echo {"text":"hello"}');
  const content = echoed("nowhere").map((block) => ({ type: "content", content: block }));
  expect(peer.updates.find(({ status }) => status === "completed")).toMatchObject({ content });
});

test("MCP-05: an agent connects to every server it is given, even when one of them is not there", async () => {
  const missing = { name: "missing", command: "/nothing/there", args: [], env: [] };
  const { peer, sessionId } = await withServers([overStdio("one"), missing, await overHttp("two"), overStdio("three")]);
  await peer.prompt(sessionId, "tools");
  const said = saidTo(peer);
  for (const name of ["one", "two", "three"]) {
    for (const tool of ["echo", "fail"]) expect(said).toContain(`- ${tool} (${name})`);
  }
  expect(said).toContain("- missing could not be reached");
});

test("a tool of a server that fails is a failed tool call, and no failed prompt (TOOL-08)", async () => {
  const { peer, sessionId } = await withServers([overStdio("here")]);
  expect((await peer.prompt(sessionId, "call fail")).result).toEqual({ stopReason: "end_turn" });
  expect(peer.updates.filter(({ toolCallId }) => toolCallId !== undefined).at(-1)).toMatchObject({
    status: "failed",
    content: [{ type: "content", content: { type: "text", text: "it broke" } }],
  });
});

test("reports a server that has no tools, and why one over HTTP could not be reached", async () => {
  const empty = { name: "empty", command: process.execPath, args: [program, "empty"], env: [] };
  const port = await closedPort();
  const away = { type: "http", name: "away", url: `http://127.0.0.1:${port}/`, headers: [] };
  const { peer, sessionId } = await withServers([empty, away]);
  await peer.prompt(sessionId, "tools");
  expect(saidTo(peer)).toContain("- empty has no tools\n");
  expect(saidTo(peer)).toMatch(new RegExp(String.raw`- away could not be reached: .*127\.0\.0\.1:${port}`, "u"));
});

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
