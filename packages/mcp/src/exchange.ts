import { isObject, randomId } from "@acp/core/internal";
import { eventStreamType, jsonType, mediaType } from "@acp/http/internal";
import { eventsOf } from "./events.ts";
import type { MessageMcpRequest, MessageMcpResponse } from "./mcp-message.ts";
import { headerValue, HeaderMirror } from "./mirrored-headers.ts";

/** An MCP server, as in MCP over HTTP: a function from a request to its answer. */
export type McpFetch = (request: Request) => Response | PromiseLike<Response>;

/** Receives the notifications that a server sends before its answer. */
type OnNotification = (method: string, params: { [key: string]: unknown } | undefined) => PromiseLike<void>;

/** The error code for headers that do not match the body. */
const headerMismatch = -32020;

/** The limit for pages of tools, in case they never end. */
const maxPages = 100;

/** The member of the params that the header `Mcp-Name` repeats, by method. */
const nameMembers = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Calls a server. An error of MCP is a result; what it throws is for the caller to report. */
export type CallServer = (
  call: MessageMcpRequest,
  signal: AbortSignal,
  onNotification: OnNotification,
) => Promise<MessageMcpResponse>;

/** Calls a server by requests of MCP over HTTP. They stay in this process: the address does not exist. */
export function callerOf(server: McpFetch): CallServer {
  const mirror = new HeaderMirror();
  return ask;

  async function ask(
    call: MessageMcpRequest,
    signal: AbortSignal,
    onNotification: OnNotification,
  ): Promise<MessageMcpResponse> {
    const answer = await askOnce(call, signal, onNotification);
    const isMismatch = "error" in answer && answer.error.code === headerMismatch && call.method === "tools/call";
    if (!isMismatch || !(await listTools(call, signal))) return answer;
    return askOnce(call, signal, onNotification);
  }

  async function askOnce(
    call: MessageMcpRequest,
    signal: AbortSignal,
    onNotification: OnNotification,
  ): Promise<MessageMcpResponse> {
    const response = await server(requestOf(call, mirror, signal));
    const answer = await readAnswer(response, call.requestId, signal, onNotification);
    if (call.method === "tools/list" && "result" in answer) mirror.readTools(answer.result);
    return answer;
  }

  /** Lists the tools to find the arguments that headers repeat, in case the agent has not listed them. */
  async function listTools({ serverId, params }: MessageMcpRequest, signal: AbortSignal): Promise<boolean> {
    const _meta = params?.["_meta"];
    let cursor: unknown;
    for (let pages = 0; pages < maxPages; pages++) {
      signal.throwIfAborted();
      const page = { ...(isObject(_meta) && { _meta }), ...(cursor !== undefined && { cursor }) };
      const call = { serverId, requestId: randomId(), method: "tools/list", params: page };
      const answer = await askOnce(call, signal, () => Promise.resolve());
      if (!("result" in answer) || !isObject(answer.result)) return false;
      cursor = answer.result["nextCursor"];
      if (typeof cursor !== "string") break;
    }
    return true;
  }
}

function requestOf(
  { requestId, method, params }: MessageMcpRequest,
  mirror: HeaderMirror,
  signal: AbortSignal,
): Request {
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
  onNotification: OnNotification,
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
    if (!("id" in message)) await onNotification(method, isObject(params) ? params : undefined);
    // Servers of this version of MCP send no requests. An older one would wait for an answer, which ACP cannot carry.
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

/** The answer to this request in a message of the server. */
function answerIn(message: unknown, requestId: string, status: number): MessageMcpResponse {
  if (isObject(message)) {
    const { id, result, error } = message;
    if ("result" in message && id === requestId) return { result };
    // An error about an unreadable request has no id.
    if (isMcpError(error) && (id === requestId || id == null)) return { error };
  }
  throw new Error(`its answer has status ${status} and is none of MCP`);
}

function isMcpError(error: unknown): error is { readonly code: number; readonly message: string } {
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}
