import { isObject } from "@acp/core/internal";
import { eventStreamType, jsonType, mediaType } from "@acp/http/internal";
import { eventsOf } from "./events.ts";
import type { MessageMcpRequest, MessageMcpResponse } from "./mcp-message.ts";
import { createMirror, headerValue, type Mirror } from "./mirrored-headers.ts";

/** An MCP server, as MCP over HTTP has one: a function from a request to its answer. */
export type McpFetch = (request: Request) => Response | PromiseLike<Response>;

/** Takes what a server tells while it answers. */
type Tell = (method: string, params: { [key: string]: unknown } | undefined) => PromiseLike<void>;

/** The answer to a request whose headers do not say what its body says. */
const headerMismatch = -32020;

/** So many pages of tools are looked through, should they have no end. */
const mostPages = 100;

/** What of a request's params stands in the header `Mcp-Name`. */
const nameMembers = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** A server that can be asked by messages of ACP. */
export interface McpServerLink {
  ask(asked: MessageMcpRequest, signal: AbortSignal, tell: Tell): Promise<MessageMcpResponse>;
}

/**
 * Puts requests to a server as MCP over HTTP has them. Nothing of this has to leave the process: the address is none.
 * Errors that are thrown are for the caller to tell; those of MCP are results.
 */
export function linkTo(server: McpFetch): McpServerLink {
  const mirror = createMirror();
  return { ask };

  async function ask(asked: MessageMcpRequest, signal: AbortSignal, tell: Tell): Promise<MessageMcpResponse> {
    const answer = await askOnce(asked, signal, tell);
    const isMismatch = "error" in answer && answer.error.code === headerMismatch && asked.method === "tools/call";
    if (!isMismatch || !(await learn(asked, signal))) return answer;
    return askOnce(asked, signal, tell);
  }

  async function askOnce(asked: MessageMcpRequest, signal: AbortSignal, tell: Tell): Promise<MessageMcpResponse> {
    const response = await server(requestOf(asked, mirror, signal));
    const answer = await readAnswer(response, asked.requestId, signal, tell);
    if (asked.method === "tools/list" && "result" in answer) mirror.learn(answer.result);
    return answer;
  }

  /** Lists the tools, if the agent has not: it need not know which of their arguments stand in headers. */
  async function learn({ serverId, params }: MessageMcpRequest, signal: AbortSignal): Promise<boolean> {
    const _meta = params?.["_meta"];
    let cursor: unknown;
    for (let pages = 0; pages < mostPages; pages++) {
      signal.throwIfAborted();
      const page = { ...(isObject(_meta) && { _meta }), ...(cursor !== undefined && { cursor }) };
      const asked = { serverId, requestId: crypto.randomUUID(), method: "tools/list", params: page };
      const listed = await askOnce(asked, signal, () => Promise.resolve());
      if (!("result" in listed) || !isObject(listed.result)) return false;
      cursor = listed.result["nextCursor"];
      if (typeof cursor !== "string") break;
    }
    return true;
  }
}

function requestOf({ requestId, method, params }: MessageMcpRequest, mirror: Mirror, signal: AbortSignal): Request {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-method": headerValue(method),
  });
  const meta = params?.["_meta"];
  const version = isObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined;
  if (typeof version === "string") headers.set("mcp-protocol-version", headerValue(version));
  const name = params?.[nameMembers.get(method) ?? ""];
  if (typeof name === "string") {
    headers.set("mcp-name", headerValue(name));
    if (method === "tools/call") mirror.write(headers, name, params?.["arguments"]);
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: requestId, method, ...(params != null && { params }) });
  return new Request("http://acp.invalid/mcp", { method: "POST", headers, body, signal });
}

async function readAnswer(
  response: Response,
  requestId: string,
  signal: AbortSignal,
  tell: Tell,
): Promise<MessageMcpResponse> {
  const { status } = response;
  const type = mediaType(response.headers.get("content-type"));
  if (type === jsonType) return answerIn(parse(await response.text()), requestId, status);
  if (type !== eventStreamType || response.body === null) {
    await response.body?.cancel();
    throw new Error(`its answer has status ${status} and no JSON`);
  }
  for await (const data of eventsOf(response.body, signal)) {
    const message = parse(data);
    if (!isObject(message)) continue;
    if ("result" in message || "error" in message) return answerIn(message, requestId, status);
    const { method, params } = message;
    if (typeof method !== "string") continue;
    if (!("id" in message)) await tell(method, isObject(params) ? params : undefined);
    // In this version of MCP a server asks nothing. One of before waits for an answer, for which there is no way.
    else if (method !== "ping") throw new Error(`it asks for ${method}, and over ACP it cannot be answered`);
  }
  throw new Error("its answer ended too early");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a message of the server says of this request. */
function answerIn(message: unknown, requestId: string, status: number): MessageMcpResponse {
  if (isObject(message)) {
    const { id, result, error } = message;
    if ("result" in message && id === requestId) return { result };
    // What could not be read has no id.
    if (isMcpError(error) && (id === requestId || id == null)) return { error };
  }
  throw new Error(`its answer has status ${status} and is none of MCP`);
}

function isMcpError(error: unknown): error is { readonly code: number; readonly message: string } {
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}
