import type { Awaitable } from "@acp/core";
import { cancelledOutcome, invalidParams, methodNotFound, chooseRejection } from "@acp/core/internal";
import type { RequestPermissionOutcome, RequestPermissionRequest } from "@acp/schema/v1/types";
import { promptFromGo, textsOf } from "./content.ts";
import type { DialectLink, Translator } from "./dialect-transport.ts";
import type { Losses } from "./losses.ts";
import { type Json, type Message, objectOf, textOf } from "./message.ts";
import { PendingRequests } from "./pending-requests.ts";
import { UpdatesForGo } from "./updates-for-go.ts";
import { isGoInitialize, versionOf } from "./versions.ts";

export interface AgentTranslatorOptions {
  readonly cwd: string;
  readonly permission: ((request: RequestPermissionRequest) => Awaitable<RequestPermissionOutcome>) | undefined;
}

/** A pending request of the client. */
interface ClientRequest {
  readonly method: string;
  readonly params: Json;
}

/** Translates between an agent and a client of the Go dialect, once that has turned out to be one. */
export class AgentTranslator implements Translator {
  readonly #link: DialectLink;
  readonly #losses: Losses;
  readonly #options: AgentTranslatorOptions;
  readonly #pending = new PendingRequests<ClientRequest>();
  readonly #updates: UpdatesForGo;
  /** The sessions of permission requests that the policy has not answered, by id. */
  readonly #undecided = new Map<string, unknown>();
  #peer: "unknown" | "official" | "go" = "unknown";

  constructor(link: DialectLink, losses: Losses, options: AgentTranslatorOptions) {
    this.#link = link;
    this.#losses = losses;
    this.#options = options;
    this.#updates = new UpdatesForGo(losses);
  }

  get passesSent(): boolean {
    return this.#peer !== "go";
  }

  get passesReceived(): boolean {
    return this.#peer === "official";
  }

  received({ body, id }: Message): Json | undefined {
    const { method } = body;
    if (typeof method !== "string") return body;
    if (this.#peer === "unknown" && method === "initialize") {
      this.#peer = isGoInitialize(body["params"]) ? "go" : "official";
    }
    if (this.#peer !== "go") return body;
    const original = objectOf(body["params"]);
    if (method === "session/cancel") return this.#cancel(original, id);
    const params = this.#paramsOf(method, original);
    if (params === undefined) return body;
    if (id !== undefined) this.#pending.add(id, { method, params: original });
    return { ...body, params };
  }

  sent({ body, id }: Message): Json | undefined {
    const { method } = body;
    if (typeof method !== "string") return this.#answer(body, id);
    if (id !== undefined) {
      this.#answerForClient(method, objectOf(body["params"]), id);
      return undefined;
    }
    if (method === "session/update") {
      const { sessionId, update } = objectOf(body["params"]);
      const translated = this.#updates.translate(textOf(sessionId) ?? "", objectOf(update));
      return translated && { method, params: { sessionId, update: translated } };
    }
    if (method.startsWith("_")) return body;
    // The transport answers the cancelled request.
    if (method !== "$/cancel_request") {
      this.#losses.report(method, "the Go dialect has no such notification; it was left out");
    }
    return undefined;
  }

  #paramsOf(method: string, params: Json): Json | undefined {
    if (method === "initialize") return this.#initialize(params);
    if (method === "session/new") return this.#newSession(params);
    return method === "session/prompt" ? promptFromGo(params) : undefined;
  }

  #initialize({ protocolVersion, capabilities, ...others }: Json): Json {
    // The dialect has no requests to the client, so its capabilities cannot be used.
    this.#losses.reportOthers("initialize", objectOf(capabilities), [], "capabilities.");
    const version = versionOf(protocolVersion);
    if (version === undefined) {
      this.#losses.report("initialize", "the version is no number; 1 is assumed", ["protocolVersion"]);
    }
    return { ...others, protocolVersion: version ?? 1, clientCapabilities: {} };
  }

  /** Accepts the official members as well. */
  #newSession({ metadata, cwd, mcpServers, _meta, ...others }: Json): Json {
    const { workDir, ...rest } = objectOf(metadata);
    const directory = workDir ?? cwd ?? undefined;
    if (directory === undefined) {
      this.#losses.report("session/new", "no metadata.workDir was given; the default directory is taken");
    } else if (directory !== (cwd ?? directory)) {
      this.#losses.report("session/new", "metadata.workDir is another directory than cwd, which was left out", ["cwd"]);
    }
    const meta = { ...objectOf(_meta), ...rest };
    return {
      ...others,
      cwd: directory ?? this.#options.cwd,
      mcpServers: mcpServers ?? [],
      ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
    };
  }

  /** A request in the dialect, a notification officially (CANC-01). Without a session it cancels all running turns. */
  #cancel({ sessionId }: Json, id: string | undefined): undefined {
    const prompts = this.#pending.all().filter(({ method }) => method === "session/prompt");
    const running = new Set(prompts.map(({ params }) => params["sessionId"]));
    for (const session of sessionId === undefined ? running : [sessionId]) {
      this.#link.deliver({ method: "session/cancel", params: { sessionId: session } });
      for (const [question, owner] of this.#undecided) if (owner === session) this.#decide(question, cancelledOutcome);
    }
    if (id !== undefined) this.#link.send({ result: {} }, id);
  }

  #answer(body: Json, id: string | undefined): Json {
    const { result } = body;
    const isError = body["error"] !== undefined;
    const request = this.#pending.take(id, isError);
    if (request === undefined) return body;
    const { method, params } = request;
    if (method === "session/prompt") this.#updates.turnEnded(textOf(params["sessionId"]) ?? "");
    if (isError) return body;
    if (method === "initialize") return { result: this.#initialized(objectOf(result), params) };
    if (method === "session/new") return { result: this.#opened(objectOf(result), params) };
    return { result: this.#ended(objectOf(result)) };
  }

  #initialized({ protocolVersion, agentInfo, agentCapabilities, ...others }: Json, params: Json): Json {
    const { name = "agent", version = "", ...moreInfo } = objectOf(agentInfo);
    // loadSession is one of the others: the dialect has the capability, but no method.
    const { promptCapabilities, ...moreCapabilities } = objectOf(agentCapabilities);
    const { image, audio, embeddedContext, ...morePrompt } = objectOf(promptCapabilities);
    this.#losses.reportOthers("initialize", others, []);
    this.#losses.reportOthers("initialize", moreInfo, [], "agentInfo.");
    this.#losses.reportOthers("initialize", moreCapabilities, [], "agentCapabilities.");
    this.#losses.reportOthers("initialize", morePrompt, [], "agentCapabilities.promptCapabilities.");
    const requested = params["protocolVersion"];
    return {
      // In the spelling of the client, if it is the same version.
      protocolVersion: versionOf(requested) === protocolVersion ? requested : String(protocolVersion),
      agentInfo: { name, version },
      capabilities: { promptCapabilities: { image, audio, embeddedContext } },
    };
  }

  /** Returns the metadata of the request with the texts of the agent's `_meta`. */
  #opened({ sessionId, _meta, ...others }: Json, params: Json): Json {
    this.#losses.reportOthers("session/new", others, []);
    const metadata = { ...objectOf(params["metadata"]), ...textsOf(objectOf(_meta), this.#losses) };
    return { session: { id: sessionId, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) } };
  }

  #ended({ stopReason, ...others }: Json): Json {
    this.#losses.reportOthers("session/prompt", others, []);
    if (stopReason === "end_turn") return { stopReason: "endTurn" };
    if (stopReason === "cancelled") return { stopReason };
    this.#losses.report("session/prompt", "a turn that ended early has the stop reason error", ["stopReason"]);
    return { stopReason: "error" };
  }

  /** Answers a request of the agent: the Go dialect has no requests to the client (B23). */
  #answerForClient(method: string, params: Json, id: string): void {
    if (method !== "session/request_permission") {
      this.#losses.report(method, "the Go dialect has no requests to the client; it was refused");
      return this.#link.deliverSoon({ error: methodNotFound(method) }, id);
    }
    const { options } = params;
    // The agent may be a proxy, which does not check messages.
    if (!Array.isArray(options) || !options.every((option) => typeof objectOf(option)["optionId"] === "string")) {
      this.#losses.report(method, "its options are none; it was refused", ["options"]);
      return this.#link.deliverSoon({ error: invalidParams("/options", "expected a list of options") }, id);
    }
    this.#undecided.set(id, params["sessionId"]);
    void this.#askPolicy(params, id);
  }

  async #askPolicy(params: Json, id: string): Promise<void> {
    const { permission } = this.#options;
    let decision = "rejected: the Go dialect cannot ask the user";
    try {
      if (permission) {
        // Only its options were checked.
        this.#decide(id, { outcome: await permission(params as unknown as RequestPermissionRequest) });
        decision = "decided by the policy";
      }
    } catch {
      decision = "rejected, since the policy failed";
    }
    this.#losses.report("session/request_permission", `it was ${decision}`);
    this.#decide(id, chooseRejection(params));
  }

  /** Answers a permission request once. Throws if the result cannot be written. */
  #decide(id: string, result: object): void {
    if (!this.#undecided.has(id)) return;
    this.#link.deliverSoon({ result }, id);
    this.#undecided.delete(id);
  }
}
