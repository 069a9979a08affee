/** A directed agent, written with this toolkit: with its stable entry, or with `--unstable` with the other one. */
import * as stable from "@acp/core";
import { AcpError, type Peer, RequestError } from "@acp/core";
import * as unstable from "@acp/core/unstable";
import { serveStdio } from "@acp/node";
import type { ClientMethods, PromptResponse, SessionUpdate } from "@acp/schema/v1/unstable";

import { AgentDesk, desk } from "../agent-desk.ts";
import { ChosenFailure } from "../failure.ts";
import { handledRequests } from "../handled-requests.ts";
import { asObject, type Json } from "../json.ts";
import { agentInfo, entryArgument, profileArgument } from "../profile.ts";
import { scoped, type TurnPort } from "../steps.ts";
import { tellStory, tellUnstableStory } from "./toolkit-stories.ts";

const profile = profileArgument();
const entry = entryArgument();
// A row's profile fits its entry.
const createAgent = (entry === "unstable" ? unstable : stable).createAgent as typeof unstable.createAgent;
const mind = new AgentDesk();

// Rows name methods at run time.
type AnyRequest = (method: string, params: unknown, options: object) => Promise<unknown>;
type AnyNotify = (method: string, params: unknown) => Promise<void>;
type AnyHandler = (params: unknown, context: AnyContext) => Promise<unknown>;
interface AnyContext {
  readonly client: Peer<ClientMethods>;
  readonly session?: unstable.AgentSession;
  readonly signal: AbortSignal;
}

const answering: Record<string, AnyHandler> = {};
for (const method of handledRequests(profile, entry)) {
  answering[method] = (params, { client, session, signal }) =>
    mind
      .answer(method, params, {
        signal,
        update: (sessionId, body) => {
          const update = body as unknown as SessionUpdate;
          return session === undefined
            ? client.notify("session/update", { sessionId, update })
            : session.update(update);
        },
      })
      .catch(rethrow);
}

const agent = createAgent({
  info: agentInfo,
  capabilities: profile.capabilities,
  authMethods: profile.authMethods,
  handlers: {
    ...answering,
    ...(entry === "unstable" && { "mcp/message": (params: unknown) => mind.record("mcp/message", params) }),
    "session/prompt": async (params, { turn, session, client }) => {
      const port: TurnPort = {
        signal: turn.signal,
        update: (update) => turn.update(update as unknown as SessionUpdate),
        call: (method, callParams, signal) => {
          const request: AnyRequest = client.request;
          return request(method, scoped(method, session.id, callParams), { signal });
        },
        notify: (method, noteParams) => {
          const notify: AnyNotify = client.notify;
          return notify(method, noteParams);
        },
        outcome,
        story: (kind) =>
          kind === "unstable" ? tellUnstableStory(turn, session, client) : tellStory(turn, client, session.cwd),
        print: (text) => process.stdout.write(text),
      };
      const result = await mind.turn(params, port).catch(rethrow);
      return result as PromptResponse;
    },
    "session/cancel": (params) => mind.record("session/cancel", params),
    [desk.arrange]: (params, context) => mind.direct(desk.arrange, params, peerOf(context)),
    [desk.log]: (params, context) => mind.direct(desk.log, params, peerOf(context)),
    [desk.peer]: (params, context) => mind.direct(desk.peer, params, peerOf(context)),
    [desk.echo]: (params, context) => mind.direct(desk.echo, params, peerOf(context)),
    [desk.note]: (params) => mind.record(desk.note, params),
  },
});

await serveStdio(agent);

function peerOf({ client }: { readonly client: object }): Json {
  const { capabilities: advertised, info } = asObject(client);
  return { capabilities: advertised, info };
}

async function outcome(promise: Promise<unknown>): ReturnType<TurnPort["outcome"]> {
  try {
    return { result: await promise };
  } catch (error) {
    if (error instanceof RequestError) return { failure: error.wire };
    const code = error instanceof AcpError ? error.code : error instanceof Error ? error.name : "unknown";
    return { failure: { code, message: String(error) } };
  }
}

function rethrow(error: unknown): never {
  throw error instanceof ChosenFailure ? new RequestError(error.failure) : error;
}
