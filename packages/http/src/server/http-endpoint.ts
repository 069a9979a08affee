import { createTextTransport, randomId } from "@acp/core/internal";
import type { Envelope } from "../envelope.ts";
import { parseEventId } from "../event-id.ts";
import {
  connectionHeader,
  eventStreamType,
  jsonType,
  lastEventHeader,
  mediaType,
  numberHeader,
  receivedHeader,
  sessionHeader,
} from "../wire-names.ts";
import { accepted, jsonAnswer, refusal } from "./answers.ts";
import { sessionMethods } from "../generated/session-methods.ts";
import type { Connections } from "./connections.ts";
import type { Limits } from "./options.ts";
import type { NoStream } from "./outgoing-stream.ts";
import { type ReceivedMessage, receiveMessage } from "./receive-message.ts";
import { ServerChannel } from "./server-channel.ts";

/** Asks proxies to pass on each event at once. */
const streamHeaders = {
  "Content-Type": eventStreamType,
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** Why a stream cannot be opened. */
const noStream: Readonly<Record<NoStream, [status: number, words: string]>> = {
  over: [404, "The connection has ended"],
  busy: [409, "Something reads this stream already"],
  dropped: [412, `What follows ${lastEventHeader} is not kept any longer (maxJournalUnits, maxBufferedUnits)`],
};

type Endpoint<Identity> = (request: Request, identity: Identity, signal?: AbortSignal) => Promise<Response>;

/** Answers the requests of Streamable HTTP: POST, GET and DELETE. */
export function createHttpEndpoint<Identity extends object | true>(
  connections: Connections<Identity>,
  limits: Limits,
): Endpoint<Identity> {
  async function post(request: Request, identity: Identity, signal?: AbortSignal): Promise<Response> {
    // Carries receipts without a message.
    if (request.headers.has(receivedHeader) && !request.headers.has("Content-Type"))
      return await withConnection(request, identity, accepted);
    if (mediaType(request.headers.get("Content-Type")) !== jsonType)
      return refusal(415, `The Content-Type of a message is ${jsonType}`);
    // Before the body is read: a client without access should cost as little as possible.
    if (!request.headers.has(connectionHeader)) return await postWithoutConnection(request, identity, signal);
    return await withConnection(request, identity, async (channel) => {
      if (isBehind(channel, request)) return behind();
      return await receiveMessage(request, connections, async (message) => {
        if (isInitialize(message.envelope))
          return refusal(400, `initialize opens a connection, and comes without ${connectionHeader}`);
        // It may have ended while the body came.
        if (channel.isEnded) return unknownConnection();
        // Others may have come meanwhile.
        return isBehind(channel, request) ? behind() : await deliver(request, channel, message);
      });
    });
  }

  async function postWithoutConnection(request: Request, identity: Identity, signal?: AbortSignal): Promise<Response> {
    return await receiveMessage(request, connections, async ({ text, envelope }) => {
      if (!isInitialize(envelope)) return noConnection();
      // The signal of a request is read only where it is needed: Deno prints a warning.
      return await initialize(request, identity, text, envelope.id, signal ?? request.signal);
    });
  }

  function behind(): Response {
    return connections.refuse(503, "The agent is behind: it has not taken what was sent before (maxBufferedUnits)");
  }

  async function initialize(
    request: Request,
    identity: Identity,
    text: string,
    id: string,
    signal: AbortSignal,
  ): Promise<Response> {
    if (id === "null") return refusal(400, "initialize is a request, and needs an id");
    const release = connections.reserve();
    if (release instanceof Response) return release;
    const connectionId = randomId();
    let channel: ServerChannel;
    try {
      const agent = await connections.agentFor(request, identity);
      channel = new ServerChannel(limits, connections.queued, id, () => connections.delete(connectionId));
      connections.connect(agent, createTextTransport(channel, limits), release);
    } catch (error) {
      release();
      throw error;
    }
    // Without the answer, the client never learns the id of the connection.
    const gone = (): void => channel.end(new Error("The client has given initialize up"));
    channel.touch();
    connections.add(connectionId, channel, identity);
    signal.addEventListener("abort", gone);
    if (signal.aborted) gone();
    const answer = await channel.initialize(text);
    signal.removeEventListener("abort", gone);
    channel.touch();
    if (answer === undefined) return refusal(500, "The connection has ended before initialize was answered");
    return jsonAnswer(200, answer, { [connectionHeader]: connectionId, [numberHeader]: "0" });
  }

  /** Calls `use` with the connection that a request names, if it is one of its sender. */
  async function withConnection(
    request: Request,
    identity: Identity,
    use: (channel: ServerChannel) => Response | Promise<Response>,
  ): Promise<Response> {
    const id = request.headers.get(connectionHeader);
    if (id === null) return noConnection();
    const channel = connections.find(id, identity);
    if (channel === undefined || (channel.isEnded && request.method !== "GET")) return unknownConnection();
    const receipts = request.headers.get(receivedHeader);
    if (receipts !== null) channel.acknowledge(receipts);
    channel.hold();
    try {
      return await use(channel);
    } finally {
      channel.release();
    }
  }

  function get(request: Request, identity: Identity): Promise<Response> | Response {
    if (request.headers.get("Upgrade")?.toLowerCase() === "websocket")
      return refusal(426, "WebSockets are not served here", { Upgrade: "websocket" });
    if (request.headers.get("Accept")?.toLowerCase().includes(eventStreamType) !== true)
      return refusal(406, `GET is answered with ${eventStreamType} only: send it as Accept`);
    return withConnection(request, identity, (channel) => {
      const session = request.headers.get(sessionHeader) ?? undefined;
      const refused = channel.refuseStream(session);
      if (refused !== undefined) return connections.refuse(429, refused);
      const body = channel.openStream(session, parseEventId(request.headers.get(lastEventHeader)));
      if (typeof body === "string") return refusal(...noStream[body]);
      return new Response(body, { headers: streamHeaders });
    });
  }

  return async (request, identity, signal) => {
    switch (request.method) {
      case "POST":
        return await post(request, identity, signal);
      case "GET":
        return await get(request, identity);
      case "DELETE":
        return await withConnection(request, identity, (channel) => {
          channel.end(undefined);
          return accepted();
        });
      default:
        return refusal(405, "Expected POST, GET or DELETE", { Allow: "GET, POST, DELETE, OPTIONS" });
    }
  };
}

function noConnection(): Response {
  return refusal(400, `${connectionHeader} is missing; initialize gives it`);
}

function unknownConnection(): Response {
  return refusal(404, "There is no such connection, or it has ended");
}

function isInitialize(envelope: Envelope): envelope is Envelope & { readonly id: string } {
  return envelope.method === "initialize" && envelope.id !== undefined;
}

/** True if too much waits for the agent. A repeated message does not wait. */
function isBehind(channel: ServerChannel, request: Request): boolean {
  return channel.isBehind && !channel.taken.has(request.headers.get(numberHeader));
}

async function deliver(request: Request, channel: ServerChannel, message: ReceivedMessage): Promise<Response> {
  const { text, envelope } = message;
  const { id, method } = envelope;
  const named = request.headers.get(sessionHeader) ?? undefined;
  // The session of the params, or of the request that the message answers.
  const session = method === undefined && id !== undefined ? channel.sessionOfRequest(id) : envelope.sessionId;
  if (named === undefined && (session !== undefined || (method !== undefined && sessionMethods.has(method))))
    return refusal(400, `${sessionHeader} is missing: the message is for a session`);
  if (session !== undefined && named !== session)
    return refusal(400, `${sessionHeader} names another session than the message is for`);
  await channel.taken.once(request.headers.get(numberHeader), () => channel.receive(text, envelope, named));
  return accepted();
}
