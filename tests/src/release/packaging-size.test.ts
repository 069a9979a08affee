import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { expect, test } from "vitest";

/**
 * What a page, an editor or an agent has to load, minified, in bytes. A budget is some ten percent above what it
 * was when it was last looked at: go over it for a reason, and say so by raising it.
 */
const budgets: readonly (readonly [name: string, program: string, bytes: number])[] = [
  ["the tables of an agent, v1", 'export { agentTable } from "@acp/schema/v1";', 13_850],
  ["the tables of a client, v1", 'export { clientTable } from "@acp/schema/v1";', 20_500],
  ["the tables of an agent, v1 unstable", 'export { agentTable } from "@acp/schema/v1/unstable";', 16_800],
  ["framing by lines", 'export { ndjson } from "@acp/framing";', 4_200],
  ["both framings", 'export { ndjson, contentLength } from "@acp/framing";', 11_300],
  // The engine is one for all versions, which takes a version as a value: its parts are classes and objects whose members
  // keep their names, which costs some four kilobytes minified, and next to nothing compressed. On top of that, an agent
  // finds messages beside noise on a line and joins the parts of a message, and all write what they do not know as it came, which
  // takes 130 bytes; a client watches turns for silence, shows
  // terminals that an agent runs itself, tells late observers, and hands over sessions that the agent has opened by itself.
  // All limit the open requests of their peer, and clients what a loop over updates leaves unread. All know what the messages
  // look like that they send, since whoever sends a wrong one should hear of it; clients have one table for the states of a
  // session's id, and run interceptors around calls and handlers, for two kilobytes. What an agent says in one line, lists and MCP servers share what is checked of them.
  ["createAgent", 'export { createAgent } from "@acp/core";', 72_400],
  ["createClient", 'export { createClient } from "@acp/core";', 112_500],
  ["createAgent, unstable", 'export { createAgent } from "@acp/core/unstable";', 77_900],
  ["createClient, unstable", 'export { createClient } from "@acp/core/unstable";', 117_800],
  // A turn that outlives its request, and what there is to cancel, beside what it shares with version 1. Larger, like the
  // unstable one, by an agent's choice to take relative paths.
  ["createAgent, v2", 'export { createAgent } from "@acp/core/v2";', 80_500],
  ["agentOfVersions", 'export { agentOfVersions } from "@acp/core/v2";', 32_500],
  // Finding out which state ends which prompt, which version 1 says in an answer. Larger by agents of other versions, which are
  // told with the version that they speak; and the client of both by that error, which the clients have anyway.
  ["createClient, v2", 'export { createClient } from "@acp/core/v2";', 120_300],
  ["clientOfVersions", 'export { clientOfVersions } from "@acp/core/v2";', 4_300],
  // Larger by refusing a message that is nested or branched out of all proportion before it is parsed.
  ["an agent on Node", 'export { createAgent } from "@acp/core"; export { serveStdio } from "@acp/node";', 83_700],
  // Larger by telling a prompt that is sent back from another message, and the calls of one turn from those of the next; by
  // going on from a saved state, and the errors of that, which a client has anyway.
  // Larger by the terminals that an agent of version 1 runs itself, and by the turns of other clients that a hub reports.
  ["the state of a session", 'export { createSessionState } from "@acp/core/state";', 17_900],
  ["the state of a session, v2", 'export { createSessionState } from "@acp/core/v2/state";', 17_000],
  // Larger by the check of a form, which only those carry who ask by one; by questions that belong to a request, by
  // changes of settings that overlap or that a client could not be told, by what a `RequestError` is made of, by messages
  // that callbacks write, and by commands that appear in a call which is there already.
  ["all that an agent says in one line", 'export * from "@acp/core/agent";', 31_200],
  // This, the lists and the proxy: larger by the words of a received error, and by errors that keep their names. This one
  // by its share of that listener, too.
  ["running a command", 'export { runCommand } from "@acp/core/agent";', 6_100],
  ["a diff", 'export { diff } from "@acp/core/agent";', 1_000],
  // The same with a search for the lines that a change has left, but without files and terminals of clients.
  ["all that an agent says in one line, v2", 'export * from "@acp/core/v2/agent";', 31_500],
  ["a diff, v2", 'export { diff } from "@acp/core/v2/agent";', 4_150],
  ["a plan, v2", 'export { createPlan } from "@acp/core/v2/agent";', 1_800],
  ["peers of the Go dialect", 'export * from "@acp/go-dialect";', 21_100],
  // Most of it are the rules for secrets: names, forms of tokens, options of commands, and where a text may have them.
  ["a recorder", 'export { recordTraffic } from "@acp/record";', 43_500],
  ["a replay", 'export { createReplayTransport, parseRecording } from "@acp/record";', 8_900],
  // Larger by the streams of subagents, by noticing that a network has gone without a word, or that the server has closed
  // a connection, and by resuming streams. A server by what of a WebSocket is a sign of life, however long a message takes, by remembering the last
  // messages, which a client may send again, by whose connections are whose, by budgets for what all clients take, and
  // by WebSockets whose connections outlive them.
  ["a client over HTTP", 'export { createHttpTransport } from "@acp/http";', 31_000],
  ["a server for HTTP", 'export { createHttpServer } from "@acp/http";', 42_500],
  ["steering", 'export * from "@acp/core/steering";', 5_300],
  ["trace context", 'export * from "@acp/core/trace";', 3_300],
  ["the check of a form", 'export { validateForm } from "@acp/core/elicitation";', 8_000],
  // Larger by the limit for all patterns of a form, by the addresses and names that a URL is looked at for, by one
  // listener for all questions of a session, and by what a `RequestError` is made of.
  ["questions to the user", 'export { elicitation } from "@acp/core/elicitation";', 14_500],
  // Larger by an error that keeps its message as JSON.
  ["following a list", 'export { listSessions } from "@acp/core/sessions";', 2_300],
  // Larger by its place between the sessions of two pages, and by an error that says what it is made of.
  ["cutting a list", 'export { pageSessions } from "@acp/core/sessions";', 3_250],
  // Larger by what stands beside params, results and errors in a message; by cancellations that wait behind their prompt,
  // messages that wait for the agent, ends that are told with their reason, and programs that call both sides.
  ["a proxy", 'export { createProxy } from "@acp/proxy";', 39_000],
  ["a proxy of a chain", 'export { createChainProxy } from "@acp/proxy/chain";', 41_900],
  ["a conductor", 'export { createConductor } from "@acp/proxy/chain";', 44_300],
  // Larger by what it says of servers that fail, and by the ids of events, which it shares with streams of ACP.
  ["MCP servers for agents", 'export { provideMcpServers } from "@acp/mcp";', 9_700],
  // Larger by the names of subscriptions.
  ["MCP servers of clients", 'export { acceptMcpServers } from "@acp/mcp";', 6_400],
  // Most of it is the comparison of texts. What draws Markdown and colours comes with the main entry only.
  ["what a session shows", 'export * from "@acp/render/session";', 32_000],
  ["safe text", 'export * from "@acp/render/text";', 750],
  ["one decoder", 'export { decodeContentBlock } from "@acp/schema/v1";', 3_800],
  // Larger by who waits for stdout.
  ["the guard", 'import "@acp/node/guard";', 205],
];

async function minified(contents: string, external: string[] = []): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    external,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    logLevel: "silent",
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

test.each(budgets)("%s is within its budget", async (name, program, budget) => {
  const bundle = await minified(program);
  const told = `${name}: ${bundle.length} bytes, ${gzipSync(bundle).length} compressed; the budget is ${budget}`;
  expect(bundle.length, told).toBeLessThanOrEqual(budget);
  // A budget far above the size watches over nothing.
  expect(bundle.length, told).toBeGreaterThan(budget * 0.75);
});

test.each([
  [
    "hooks",
    "AgentProvider, useAgent, useCommands, useConfig, useElicitations, usePermissions, usePrompt, useSession, useSessionList",
    2000,
  ],
  [
    "whole package",
    "AgentProvider, createAgentStore, useAgent, useAgentStore, useCommands, useConfig, useElicitations, usePermissions, usePrompt, useSession, useSessionList, webSocket",
    3600,
  ],
])("the %s of React, without core, is within its budget compressed", async (_, names, budget) => {
  const bundle = await minified(`export { ${names} } from "@acp/react";`, ["react", "@acp/core", "@acp/core/*"]);
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(budget);
  expect(gzipSync(bundle).length).toBeGreaterThan(budget * 0.65);
});

test("a bundle contains only imported parts", async () => {
  const agent = new TextDecoder().decode(await minified('export { createAgent } from "@acp/core";'));
  const client = new TextDecoder().decode(await minified('export { createClient } from "@acp/core";'));
  // Only a client has loops over updates; only an agent reads the servers of MCP by name.
  expect([agent, client].map((code) => code.includes("unreadUpdates"))).toEqual([false, true]);
  // An agent of version 2 knows nothing of what only version 1 has, and the other way round.
  const agent2 = new TextDecoder().decode(await minified('export { createAgent } from "@acp/core/v2";'));
  expect([agent, agent2].map((code) => code.includes("clientCapabilities"))).toEqual([true, false]);
  expect([agent, agent2].map((code) => code.includes("tool_call/cancel"))).toEqual([false, true]);
  expect(agent2).not.toContain("current_mode_update");
  const client2 = new TextDecoder().decode(await minified('export { createClient } from "@acp/core/v2";'));
  expect([client, client2].map((code) => code.includes("fs/read_text_file"))).toEqual([true, false]);
  expect([client, client2].map((code) => code.includes("tool_call_content_chunk"))).toEqual([false, true]);
  // An agent without modes and options does not answer for them.
  const settings = new TextDecoder().decode(await minified('export { createSettings } from "@acp/core/agent";'));
  expect([agent, settings].map((code) => code.includes('"current_mode_update"'))).toEqual([false, true]);
  // What agents of both versions say in one line is one code, without what only one version has.
  const [say, say2] = [
    new TextDecoder().decode(await minified('export * from "@acp/core/agent";')),
    new TextDecoder().decode(await minified('export * from "@acp/core/v2/agent";')),
  ];
  expect([say, say2].map((code) => code.includes("current_mode_update"))).toEqual([true, false]);
  expect([say, say2].map((code) => code.includes("fs/read_text_file"))).toEqual([true, false]);
  expect([say, say2].map((code) => code.includes("git_patch"))).toEqual([false, true]);
  expect([say, say2].map((code) => code.includes("session/request_permission"))).toEqual([false, false]);
  expect(
    await minified(
      'import "@acp/core"; import "@acp/core/agent"; import "@acp/core/v2/agent"; import "@acp/schema/v1"; import "@acp/host";',
    ),
  ).toHaveLength(0);
});
