import type { AgentCapabilities, ClientCapabilities } from "@acp/schema/v1";

import type { Json } from "./json.ts";
import { blobResource, contentBlocks, mcpServers } from "../support/samples.ts";

/** What each side offers in a row of its own. Every capability is once the only one and often missing. */
export const combinations: readonly {
  readonly name: string;
  readonly agent: AgentCapabilities;
  readonly client: ClientCapabilities;
}[] = [
  { name: "nothing and nothing", agent: {}, client: {} },
  { name: "loadSession and fs.readTextFile", agent: { loadSession: true }, client: { fs: { readTextFile: true } } },
  {
    name: "session.list and fs.writeTextFile",
    agent: { sessionCapabilities: { list: {} } },
    client: { fs: { writeTextFile: true } },
  },
  { name: "session.delete and terminal", agent: { sessionCapabilities: { delete: {} } }, client: { terminal: true } },
  {
    name: "session.resume and elicitation.form",
    agent: { sessionCapabilities: { resume: {} } },
    client: { elicitation: { form: {} } },
  },
  {
    name: "session.close and elicitation.url",
    agent: { sessionCapabilities: { close: {} } },
    client: { elicitation: { url: {} } },
  },
  {
    name: "session.additionalDirectories and notices",
    agent: { sessionCapabilities: { additionalDirectories: {} } },
    client: { session: { notices: {} } },
  },
  { name: "auth.logout and compaction", agent: { auth: { logout: {} } }, client: { session: { compaction: {} } } },
  {
    name: "prompt.image and auth.terminal",
    agent: { promptCapabilities: { image: true } },
    client: { auth: { terminal: true } },
  },
  {
    name: "prompt.audio and boolean options",
    agent: { promptCapabilities: { audio: true } },
    client: { session: { configOptions: { boolean: {} } } },
  },
  {
    name: "prompt.embeddedContext and false and null",
    agent: { promptCapabilities: { embeddedContext: true, image: false } },
    client: { fs: { readTextFile: false }, terminal: false, elicitation: { form: null } },
  },
  {
    name: "mcp.http and elicitation without a mode",
    agent: { mcpCapabilities: { http: true } },
    client: { elicitation: {} },
  },
  { name: "mcp.sse and fs without a method", agent: { mcpCapabilities: { sse: true } }, client: { fs: {} } },
];

const setup = { cwd: "/project", mcpServers: [] };
const block = (type: string): Json => ({
  method: "session/prompt",
  params: { prompt: [type === "blob" ? blobResource : contentBlocks[type]] },
});

/** What a client may ask of an agent, and the capability it needs. */
export const asked: readonly {
  readonly needs: readonly string[];
  readonly call: Json;
  readonly refusal: number | "taken";
}[] = [
  { needs: ["loadSession"], call: { method: "session/load", params: { ...setup, sessionId: "l" } }, refusal: -32601 },
  {
    needs: ["sessionCapabilities", "resume"],
    call: { method: "session/resume", params: { ...setup, sessionId: "r" } },
    refusal: -32601,
  },
  { needs: ["sessionCapabilities", "list"], call: { method: "session/list", params: {} }, refusal: -32601 },
  {
    needs: ["sessionCapabilities", "delete"],
    call: { method: "session/delete", params: { sessionId: "d" } },
    refusal: -32601,
  },
  { needs: ["sessionCapabilities", "close"], call: { method: "session/close", params: {} }, refusal: -32601 },
  { needs: ["auth", "logout"], call: { method: "logout", params: {} }, refusal: -32601 },
  { needs: ["promptCapabilities", "image"], call: block("image"), refusal: -32602 },
  { needs: ["promptCapabilities", "audio"], call: block("audio"), refusal: -32602 },
  { needs: ["promptCapabilities", "embeddedContext"], call: block("resource"), refusal: -32602 },
  { needs: ["promptCapabilities", "embeddedContext"], call: block("blob"), refusal: -32602 },
  { needs: [], call: block("text"), refusal: -32602 },
  { needs: [], call: block("resource_link"), refusal: -32602 },
  {
    needs: ["sessionCapabilities", "additionalDirectories"],
    call: { method: "session/new", params: { ...setup, additionalDirectories: ["/more"] } },
    refusal: "taken",
  },
  {
    needs: ["mcpCapabilities", "http"],
    call: { method: "session/new", params: { cwd: "/project", mcpServers: [mcpServers[1]] } },
    refusal: "taken",
  },
  {
    needs: ["mcpCapabilities", "sse"],
    call: { method: "session/new", params: { cwd: "/project", mcpServers: [mcpServers[2]] } },
    refusal: "taken",
  },
  {
    needs: [],
    call: { method: "session/new", params: { cwd: "/project", mcpServers: [mcpServers[0]] } },
    refusal: "taken",
  },
];

const terminalMethods = [
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
];
const url: Json = { mode: "url", message: "m", elicitationId: "e", url: "https://example.com" };
const form: Json = { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } };

/** What an agent may ask of a client, with an answer, and the capability it needs. */
export const wanted: readonly {
  readonly needs: readonly string[];
  readonly call: string;
  readonly params: Json;
  readonly result: Json;
}[] = [
  { needs: ["fs", "readTextFile"], call: "fs/read_text_file", params: { path: "/a" }, result: { content: "" } },
  { needs: ["fs", "writeTextFile"], call: "fs/write_text_file", params: { path: "/a", content: "" }, result: {} },
  ...terminalMethods.map((call) => ({
    needs: ["terminal"],
    call,
    params: { command: "true", terminalId: "t" },
    result: { terminalId: "t", output: "", truncated: false },
  })),
  { needs: ["elicitation", "form"], call: "elicitation/create", params: form, result: { action: "decline" } },
  { needs: ["elicitation", "url"], call: "elicitation/create", params: url, result: { action: "decline" } },
];

export const gatedUpdates: readonly { readonly needs: readonly string[]; readonly variant: string }[] = [
  { needs: ["session", "notices"], variant: "notice" },
  { needs: ["session", "compaction"], variant: "compaction_update" },
  { needs: ["session", "compaction"], variant: "compaction_summary_chunk" },
];
