/**
 * An agent as the Go dialect's document describes its server: a blocking loop that takes one message at a
 * time from stdin, four methods, and every message written in one piece.
 */
import { createInterface } from "node:readline";

import { marshal, type Struct, unmarshal } from "./go-json.ts";
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  newSessionResponse,
  promptRequest,
  promptResponse,
  sessionNotification,
} from "./go-types.ts";

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
}

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly { readonly type: string; readonly text: string; readonly data: string }[];
  readonly command?: { readonly name: string; readonly input: string };
}

let sessions = 0;
const history = new Map<string, number>();

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

const sendResult = (id: unknown, result: unknown): void => write({ id: id ?? null, result });
const sendError = (id: unknown, code: number, message: string): void =>
  write({ id: id ?? null, error: { code, message } });

function sendUpdate(sessionId: string, update: object): void {
  const params = marshal(sessionNotification, { sessionId, update });
  // A nil pointer is left out.
  write({ method: "session/update", params });
}

const chunk = (sessionId: string, text: string, role = "assistant"): void =>
  sendUpdate(sessionId, { type: "messageChunk", role, chunk: text });

async function readFileTool(sessionId: string): Promise<void> {
  chunk(sessionId, "Processing your request...\n");
  sendUpdate(sessionId, {
    type: "toolCall",
    toolCall: { id: "call-1", name: "read_file", status: "running", input: "/path/to/file.go" },
  });
  await new Promise((resolve) => setImmediate(resolve));
  sendUpdate(sessionId, {
    type: "toolCall",
    toolCall: { id: "call-1", name: "read_file", status: "completed", output: "file contents..." },
  });
  chunk(sessionId, "I've read the file");
}

/** Returns the result, `nil` as undefined, and the error, as Go functions do. */
async function handlePrompt({ sessionId, prompt, command }: Prompt): Promise<[object | undefined, string?]> {
  history.set(sessionId, (history.get(sessionId) ?? 0) + 1);
  const end = (stopReason: string): object => marshal(promptResponse, { stopReason });
  if (command !== undefined) {
    if (command.name !== "search" && command.name !== "fix") {
      return [end("error"), `unknown command: ${command.name}`];
    }
    chunk(sessionId, `${command.name}(${command.input})`);
    return [end("endTurn")];
  }
  const text = prompt.find(({ type }) => type === "text")?.text ?? "";
  if (text === "parts") {
    chunk(sessionId, prompt.map(({ type, data, text: own }) => `${type}:${own || data}`).join(" "));
  } else if (text === "history") chunk(sessionId, `${sessionId} ${history.get(sessionId)}`);
  else if (text === "plan") sendUpdate(sessionId, { type: "planUpdate", chunk: "- [x] read\n- [~] write\n- [ ] test" });
  else if (text === "nil") return [undefined];
  else if (text === "fail") return [end("error")];
  else if (text === "wait") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return [end("cancelled")];
  } else await readFileTool(sessionId);
  return [end("endTurn")];
}

async function handle({ id, method, params }: Request): Promise<void> {
  const decode = (struct: Struct): Record<string, unknown> => unmarshal(struct, params, method);
  switch (method) {
    case "initialize": {
      const given = decode(initializeRequest);
      process.stderr.write(`initialize ${JSON.stringify(given)}\n`);
      const result = marshal(initializeResponse, {
        protocolVersion: "1.0",
        agentInfo: { name: "my-coding-agent", version: "1.0.0" },
        capabilities: { loadSession: true, promptCapabilities: { image: true, audio: true } },
      });
      return sendResult(id, result);
    }
    case "session/new": {
      const { metadata } = decode(newSessionRequest);
      return sendResult(id, marshal(newSessionResponse, { session: { id: `session-${++sessions}`, metadata } }));
    }
    case "session/prompt": {
      const [result, error] = await handlePrompt(decode(promptRequest) as unknown as Prompt);
      if (error !== undefined) return sendError(id, -32603, error);
      // Result is `omitempty`: nil leaves neither a result nor an error.
      return sendResult(id, result);
    }
    case "session/cancel":
      return sendResult(id, {});
    default:
      return sendError(id, -32601, "Method not found");
  }
}

process.stderr.write("a log line of the server\n");
for await (const line of createInterface({ input: process.stdin })) {
  let request: Request;
  try {
    request = JSON.parse(line);
  } catch {
    sendError(undefined, -32700, "Parse error");
    continue;
  }
  try {
    await handle(request);
  } catch (error) {
    sendError(request.id, -32602, error instanceof Error ? error.message : "Bad parameters");
  }
}
