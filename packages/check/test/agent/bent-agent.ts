import { type AgentDefinition, type BytePipe, createByteTransport } from "@acp/core";
import { createMemoryPipes, type Message } from "@acp/testing";

/** What a bend can do besides changing what passes. */
export interface Wire {
  /** Sends something to the client: a message, or a text as it is. */
  tell(message: object | string): void;
  /** Gives the agent a message that the client has not sent. */
  give(message: object): void;
  /** Ends the connection. */
  die(): void;
  /** All messages of the client so far, the one that is bent included. */
  readonly asked: Message[];
  /** All messages of the agent so far. */
  readonly told: Message[];
  /** The request that an answer belongs to. */
  requestOf(answer: Message): Message | undefined;
}

/** What passes in place of a message: itself, another one, or nothing. */
type Bent = object | undefined;

/** What is wrong with an agent: how its messages differ from those of one that is right. */
export interface Bend {
  /** Changes the bytes that come from the client, piece by piece. */
  readonly bytes?: (chunk: Uint8Array, wire: Wire) => Uint8Array | undefined;
  /** Changes a line of the client, which need not be JSON. */
  readonly line?: (line: string, wire: Wire) => string | undefined;
  /** Changes a message of the client. */
  readonly incoming?: (message: Message, wire: Wire) => Bent;
  /** Changes a message of the agent. */
  readonly outgoing?: (message: Message, wire: Wire) => Bent;
}

/** Connects to an agent through a bend. Resolves with the client's end of the wire. */
export function connectBent(agent: AgentDefinition, bend: Bend = {}): BytePipe {
  const [client, clientSide] = createMemoryPipes();
  const [agentSide, inner] = createMemoryPipes();
  agent.connect(createByteTransport(inner));
  const encoder = new TextEncoder();
  const write = (pipe: BytePipe, value: object | string): void =>
    void pipe.write(encoder.encode(`${typeof value === "string" ? value : JSON.stringify(value)}\n`));
  const wire: Wire = {
    tell: (message) => write(clientSide, typeof message === "string" ? message : { jsonrpc: "2.0", ...message }),
    give: (message) => write(agentSide, { jsonrpc: "2.0", ...message }),
    die: () => {
      void clientSide.close();
      void agentSide.close();
    },
    asked: [],
    told: [],
    requestOf: ({ id }) => wire.asked.find((message) => message.method !== undefined && message.id === id),
  };

  const fromClient = (text: string): void => {
    const line = bend.line === undefined ? text : bend.line(text, wire);
    if (line === undefined) return;
    const message = parse(line);
    if (message === undefined || bend.incoming === undefined) {
      if (message !== undefined) wire.asked.push(message);
      return write(agentSide, line);
    }
    wire.asked.push(message);
    const bent = bend.incoming(message, wire);
    if (bent !== undefined) write(agentSide, bent === message ? line : bent);
  };
  const fromAgent = (text: string): void => {
    const message = parse(text);
    if (message === undefined) return write(clientSide, text);
    wire.told.push(message);
    const bent = bend.outgoing === undefined ? message : bend.outgoing(message, wire);
    if (bent !== undefined) write(clientSide, bent === message ? text : bent);
  };

  const clientLines = lines(fromClient);
  clientSide.start({
    data: (chunk) => {
      const bytes = bend.bytes === undefined ? chunk : bend.bytes(chunk, wire);
      if (bytes !== undefined) clientLines(bytes);
    },
    closed: () => void agentSide.close(),
  });
  agentSide.start({ data: lines(fromAgent), closed: () => void clientSide.close() });
  return client;
}

/** Cuts bytes into lines. */
function lines(take: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  return (chunk) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) take(part);
  };
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
