import { ErrorCode } from "@acp/core";
import { isFields } from "@acp/schema";
import { commandOf, partOf, textsOf } from "./content.ts";
import type { DialectLink, Translator } from "./dialect-transport.ts";
import type { Losses } from "./losses.ts";
import { arrayOf, type Json, type Message, objectOf, textOf } from "./message.ts";
import { PendingRequests } from "./pending-requests.ts";
import { UpdatesFromGo } from "./updates-from-go.ts";
import { versionOf } from "./versions.ts";

export interface ClientTranslatorOptions {
  readonly protocolVersion: string;
  readonly commands: readonly string[] | undefined;
}

/** A pending request to the agent. */
interface AgentRequest {
  readonly method: string;
  readonly sessionId: string;
}

/** The prefix of the ids of requests made here. Those of the client are numbers. */
const ownIds = "go-dialect-";

/** Translates between a client and an agent of the Go dialect. */
export class ClientTranslator implements Translator {
  readonly passesSent = false;
  readonly passesReceived = false;
  readonly #link: DialectLink;
  readonly #losses: Losses;
  readonly #options: ClientTranslatorOptions;
  readonly #pending = new PendingRequests<AgentRequest>();
  readonly #updates: UpdatesFromGo;
  #ownRequests = 0;

  constructor(link: DialectLink, losses: Losses, options: ClientTranslatorOptions) {
    this.#link = link;
    this.#losses = losses;
    this.#options = options;
    this.#updates = new UpdatesFromGo(losses);
  }

  sent({ body, id }: Message): Json | undefined {
    const { method } = body;
    if (typeof method !== "string") return body;
    const params = objectOf(body["params"]);
    if (id === undefined) return this.#notify(method, params, body);
    this.#pending.add(id, { method, sessionId: textOf(params["sessionId"]) ?? "" });
    if (method === "initialize") return { method, params: this.#initialize(params) };
    if (method === "session/new") return { method, params: this.#newSession(params) };
    return method === "session/prompt" ? { method, params: this.#prompt(params) } : body;
  }

  received({ body, id }: Message): Json | undefined {
    const { method } = body;
    if (method === "session/update" && id === undefined) {
      const { sessionId, update } = objectOf(body["params"]);
      const translated = this.#updates.translate(textOf(sessionId) ?? "", objectOf(update));
      return translated && { method, params: { sessionId, update: translated } };
    }
    if (method !== undefined) return body;
    return this.#answer(body, id);
  }

  #notify(method: string, { sessionId }: Json, body: Json): Json | undefined {
    if (method === "session/cancel") {
      this.#link.send({ method, params: { sessionId } }, JSON.stringify(`${ownIds}${++this.#ownRequests}`));
      return undefined;
    }
    if (method.startsWith("_")) return body;
    this.#losses.reportOnce(method, method, "the Go dialect has no such notification; it was left out");
    return undefined;
  }

  #initialize({ clientInfo, clientCapabilities, ...others }: Json): Json {
    const { name = "client", version = "", ...moreInfo } = objectOf(clientInfo);
    const { fs, terminal, ...moreCapabilities } = objectOf(clientCapabilities);
    this.#losses.reportOthers("initialize", others, ["protocolVersion"]);
    this.#losses.reportOthers("initialize", moreInfo, [], "clientInfo.");
    this.#losses.reportOthers("initialize", moreCapabilities, [], "clientCapabilities.");
    const { readTextFile, writeTextFile } = objectOf(fs);
    return {
      protocolVersion: this.#options.protocolVersion,
      clientInfo: { name, version },
      capabilities: {
        terminal: terminal === true || undefined,
        "fs.readTextFile": readTextFile === true || undefined,
        "fs.writeTextFile": writeTextFile === true || undefined,
      },
    };
  }

  #newSession({ cwd, _meta, ...others }: Json): Json {
    this.#losses.reportOthers("session/new", others, []);
    return { metadata: { workDir: cwd, ...textsOf(objectOf(_meta), this.#losses, "workDir") } };
  }

  #prompt({ sessionId, prompt, ...others }: Json): Json {
    this.#losses.reportOthers("session/prompt", others, []);
    const blocks = arrayOf(prompt);
    const parts = blocks.map(partOf);
    if (parts.some(({ isWhole }) => !isWhole)) {
      this.#losses.report("session/prompt", "content that the Go dialect has no part for was put into words", [
        "prompt",
      ]);
    }
    const command = commandOf(blocks[0]);
    const isKnown = command !== undefined && (this.#options.commands?.includes(command.name) ?? true);
    return { sessionId, prompt: parts.map(({ part }) => part), ...(isKnown && { command }) };
  }

  #answer(body: Json, id: string | undefined): Json | undefined {
    const { error } = body;
    const isError = error !== undefined && error !== null;
    if (id?.startsWith(`"${ownIds}`)) {
      if (isError) this.#losses.report("session/cancel", "the agent refused to cancel");
      return undefined;
    }
    const request = this.#pending.take(id, isError);
    if (request === undefined) return body;
    const { method, sessionId } = request;
    if (method === "session/prompt") this.#updates.turnEnded(sessionId);
    // An agent that has failed may return both; officially an answer has one of the two (RPC-02).
    if (isError) return { error };
    const result = objectOf(body["result"]);
    if (method === "initialize") return { result: this.#initialized(result) };
    if (method === "session/new") return { result: this.#opened(result) };
    if (method === "session/prompt") return this.#ended(result);
    // Go omits a nil result (B21).
    return body["result"] === undefined ? { result: {} } : body;
  }

  #initialized({ protocolVersion, agentInfo, capabilities }: Json): Json {
    const { loadSession: _, ...agentCapabilities } = objectOf(capabilities);
    // The dialect has no method for loadSession.
    this.#losses.reportOthers("initialize", objectOf(capabilities), Object.keys(agentCapabilities), "capabilities.");
    const version = versionOf(protocolVersion);
    if (version !== 1) {
      this.#losses.report("initialize", "the version is not 1 in the words of the Go dialect", ["protocolVersion"]);
    }
    return {
      // There has been one version of the dialect, with several spellings.
      protocolVersion: version !== undefined && version > 1 ? version : 1,
      ...(isFields(agentInfo) ? { agentInfo } : {}),
      agentCapabilities,
      authMethods: [],
    };
  }

  #opened({ session, ...others }: Json): Json {
    if (!isFields(session)) return others;
    const { id, metadata } = session;
    return { sessionId: id, ...(isFields(metadata) ? { _meta: metadata } : {}) };
  }

  #ended({ stopReason, ...others }: Json): Json {
    if (stopReason === "endTurn") return { result: { ...others, stopReason: "end_turn" } };
    if (stopReason === "error") {
      const data = { stopReason };
      return {
        error: { code: ErrorCode.internalError, message: "The agent's turn ended with stop reason error", data },
      };
    }
    if (stopReason !== undefined && stopReason !== "") return { result: { ...others, stopReason } };
    // The handler has returned neither a result nor an error.
    this.#losses.report("session/prompt", "there was no stop reason; the end of the turn is assumed", ["stopReason"]);
    return { result: { ...others, stopReason: "end_turn" } };
  }
}
