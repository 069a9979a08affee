import type { Awaitable } from "@acp/core";
import { cancelledOutcome, invalidParams, methodNotFound, rejectionOf } from "@acp/core/internal";
import type { RequestPermissionOutcome, RequestPermissionRequest } from "@acp/schema/v1/types";
import { isGoInitialize } from "./detect.ts";
import type { DialectLink, Translator } from "./dialect-transport.ts";
import type { Losses } from "./losses.ts";
import { type Json, type Message, objectOf, textOf } from "./message.ts";
import { Pending } from "./pending.ts";
import { promptFromGo } from "./prompts.ts";
import { updateParamsForGo, UpdatesForGo } from "./updates-for-go.ts";
import { versionOf } from "./versions.ts";

export interface AgentTranslatorOptions {
  readonly cwd: string;
  readonly permission: ((request: RequestPermissionRequest) => Awaitable<RequestPermissionOutcome>) | undefined;
}

/** A request of the client that an answer is awaited for. */
interface Asked {
  readonly method: string;
  readonly params: Json;
}

/** Translates between an agent of ours and a client of the Go dialect, once it turns out to be one. */
export class AgentTranslator implements Translator {
  readonly #link: DialectLink;
  readonly #losses: Losses;
  readonly #options: AgentTranslatorOptions;
  readonly #asked = new Pending<Asked>();
  readonly #updates: UpdatesForGo;
  /** Permission requests that the policy has not decided, with their sessions. */
  readonly #undecided = new Map<string, unknown>();
  #peer: "unknown" | "official" | "go" = "unknown";

  constructor(link: DialectLink, losses: Losses, options: AgentTranslatorOptions) {
    this.#link = link;
    this.#losses = losses;
    this.#options = options;
    this.#updates = new UpdatesForGo(losses);
  }

  get isIdle(): boolean {
    return this.#peer !== "go";
  }

  get isSettled(): boolean {
    return this.#peer === "official";
  }

  received({ body, id }: Message): Json | undefined {
    const { method } = body;
    if (typeof method !== "string") return body;
    if (this.#peer === "unknown" && method === "initialize") {
      this.#peer = isGoInitialize(body["params"]) ? "go" : "official";
    }
    if (this.#peer !== "go") return body;
    const given = objectOf(body["params"]);
    if (method === "session/cancel") return this.#cancel(given, id);
    const params = this.#paramsOf(method, given);
    if (params === undefined) return body;
    if (id !== undefined) this.#asked.add(id, { method, params: given });
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
      const params = updateParamsForGo(this.#updates, body["params"]);
      return params && { method, params };
    }
    if (method.startsWith("_")) return body;
    // A call that is given up was answered here, or is about to be.
    if (method !== "$/cancel_request") {
      this.#losses.tell(method, "the Go dialect has no such notification; it was left out");
    }
    return undefined;
  }

  #paramsOf(method: string, params: Json): Json | undefined {
    if (method === "initialize") return this.#initialize(params);
    if (method === "session/new") return this.#newSession(params);
    return method === "session/prompt" ? promptFromGo(params) : undefined;
  }

  #initialize({ protocolVersion, capabilities, ...others }: Json): Json {
    // The dialect has no request to the client, so whatever it says it can do cannot be asked for.
    this.#losses.othersOf("initialize", objectOf(capabilities), [], "capabilities.");
    const version = versionOf(protocolVersion);
    if (version === undefined) {
      this.#losses.tell("initialize", "the version is no number; 1 is assumed", ["protocolVersion"]);
    }
    return { ...others, protocolVersion: version ?? 1, clientCapabilities: {} };
  }

  /** Clients that have learnt the official members are understood as well. */
  #newSession({ metadata, cwd, mcpServers, _meta, ...others }: Json): Json {
    const { workDir, ...rest } = objectOf(metadata);
    const place = workDir ?? cwd ?? undefined;
    if (place === undefined) {
      this.#losses.tell("session/new", "no metadata.workDir was given; the default directory is taken");
    } else if (place !== (cwd ?? place)) {
      this.#losses.tell("session/new", "metadata.workDir is another directory than cwd, which was left out", ["cwd"]);
    }
    const meta = { ...objectOf(_meta), ...rest };
    return {
      ...others,
      cwd: place ?? this.#options.cwd,
      mcpServers: mcpServers ?? [],
      ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
    };
  }

  /** A request here, a notification there (CANC-01). Without a session it means whatever is running. */
  #cancel({ sessionId }: Json, id: string | undefined): undefined {
    const prompts = this.#asked.all().filter(({ method }) => method === "session/prompt");
    const all = prompts.map(({ params }) => params["sessionId"]);
    for (const session of sessionId === undefined ? new Set(all) : [sessionId]) {
      this.#link.deliver({ method: "session/cancel", params: { sessionId: session } });
      this.#cancelQuestions(session);
    }
    if (id !== undefined) this.#link.send({ result: {} }, id);
  }

  #cancelQuestions(sessionId: unknown): void {
    for (const [id, session] of this.#undecided) {
      if (session === sessionId) this.#decide(id, cancelledOutcome);
    }
  }

  #answer(body: Json, id: string | undefined): Json {
    const { result } = body;
    const isError = body["error"] !== undefined;
    const asked = this.#asked.take(id, isError);
    if (asked === undefined) return body;
    const { method, params } = asked;
    if (method === "session/prompt") this.#updates.turnEnded(textOf(params["sessionId"]) ?? "");
    if (isError) return body;
    if (method === "initialize") return { result: this.#initialized(objectOf(result), params) };
    if (method === "session/new") return { result: this.#opened(objectOf(result), params) };
    return { result: this.#ended(objectOf(result)) };
  }

  #initialized({ protocolVersion, agentInfo, agentCapabilities, ...others }: Json, params: Json): Json {
    const { name = "agent", version = "", ...moreInfo } = objectOf(agentInfo);
    // loadSession is among the rest: the dialect has a name for it, but no method.
    const { promptCapabilities, ...moreCapabilities } = objectOf(agentCapabilities);
    const { image, audio, embeddedContext, ...morePrompt } = objectOf(promptCapabilities);
    this.#losses.othersOf("initialize", others, []);
    this.#losses.othersOf("initialize", moreInfo, [], "agentInfo.");
    this.#losses.othersOf("initialize", moreCapabilities, [], "agentCapabilities.");
    this.#losses.othersOf("initialize", morePrompt, [], "agentCapabilities.promptCapabilities.");
    const asked = params["protocolVersion"];
    return {
      // In the words of the client if it is what the client asked for.
      protocolVersion: versionOf(asked) === protocolVersion ? asked : String(protocolVersion),
      agentInfo: { name, version },
      capabilities: { promptCapabilities: { image, audio, embeddedContext } },
    };
  }

  /** The metadata comes back, with the texts of the agent's own `_meta`. */
  #opened({ sessionId, _meta, ...others }: Json, params: Json): Json {
    this.#losses.othersOf("session/new", others, []);
    const entries = Object.entries(objectOf(_meta));
    const texts = entries.filter(([, value]) => typeof value === "string");
    if (texts.length < entries.length) {
      this.#losses.tell("session/new", "metadata holds nothing but texts; the rest of _meta was left out", ["_meta"]);
    }
    const metadata = { ...objectOf(params["metadata"]), ...Object.fromEntries(texts) };
    return { session: { id: sessionId, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) } };
  }

  #ended({ stopReason, ...others }: Json): Json {
    this.#losses.othersOf("session/prompt", others, []);
    if (stopReason === "end_turn") return { stopReason: "endTurn" };
    if (stopReason === "cancelled") return { stopReason };
    this.#losses.tell("session/prompt", "a turn that ended early is told as stop reason error", ["stopReason"]);
    return { stopReason: "error" };
  }

  /** The Go dialect has no request to the client: what the agent asks is answered here (B23). */
  #answerForClient(method: string, params: Json, id: string): void {
    if (method !== "session/request_permission") {
      this.#losses.tell(method, "the Go dialect has no requests to the client; it was refused");
      return this.#link.deliverSoon({ error: methodNotFound(method) }, id);
    }
    const { options } = params;
    // Whoever passes on the messages of others has not looked into them.
    if (!Array.isArray(options) || !options.every((option) => typeof objectOf(option)["optionId"] === "string")) {
      this.#losses.tell(method, "its options are none; it was refused", ["options"]);
      return this.#link.deliverSoon({ error: invalidParams("/options", "expected a list of options") }, id);
    }
    this.#undecided.set(id, params["sessionId"]);
    void this.#askPolicy(params, id);
  }

  async #askPolicy(params: Json, id: string): Promise<void> {
    const { permission } = this.#options;
    let told = "rejected: the Go dialect cannot ask the user";
    try {
      if (permission) {
        // It has options; all else in it is as the agent sent it.
        this.#decide(id, { outcome: await permission(params as unknown as PolicyRequest) });
        told = "decided by the policy";
      }
    } catch {
      told = "rejected, since the policy failed";
    }
    this.#losses.tell("session/request_permission", `it was ${told}`);
    this.#decide(id, rejectionOf(params));
  }

  /** Answers, unless it is answered. Throws if the result is no JSON. */
  #decide(id: string, result: object): void {
    if (!this.#undecided.has(id)) return;
    this.#link.deliverSoon({ result }, id);
    this.#undecided.delete(id);
  }
}

type PolicyRequest = RequestPermissionRequest;
