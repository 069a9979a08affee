import { ErrorCode } from "@acp/core";
import { isFields } from "@acp/schema";
import { type Command, commandOf, partOf } from "./content.ts";
import type { DialectLink, Translator } from "./dialect-transport.ts";
import type { Losses } from "./losses.ts";
import { arrayOf, type Json, type Message, objectOf, textOf } from "./message.ts";
import { Pending } from "./pending.ts";
import { UpdatesFromGo } from "./updates-from-go.ts";
import { versionOf } from "./versions.ts";

export interface ClientTranslatorOptions {
  readonly protocolVersion: string;
  readonly commands: readonly string[] | undefined;
}

/** A request to the agent that an answer is awaited for. */
interface Asked {
  readonly method: string;
  readonly sessionId: string;
}

/** How the ids of the requests begin that are made here. The client's own are numbers. */
const ownIds = "go-dialect-";

/** Translates between a client of ours and an agent of the Go dialect. */
export class ClientTranslator implements Translator {
  readonly isIdle = false;
  readonly isSettled = false;
  readonly #link: DialectLink;
  readonly #losses: Losses;
  readonly #options: ClientTranslatorOptions;
  readonly #asked = new Pending<Asked>();
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
    const given = objectOf(body["params"]);
    if (id === undefined) return this.#notify(method, given, body);
    this.#asked.add(id, { method, sessionId: textOf(given["sessionId"]) ?? "" });
    if (method === "initialize") return { method, params: this.#initialize(given) };
    if (method === "session/new") return { method, params: this.#newSession(given) };
    return method === "session/prompt" ? { method, params: this.#prompt(given) } : body;
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
    this.#losses.tellOnce(method, method, "the Go dialect has no such notification; it was left out");
    return undefined;
  }

  #initialize({ clientInfo, clientCapabilities, ...others }: Json): Json {
    const { name = "client", version = "", ...moreInfo } = objectOf(clientInfo);
    const { fs, terminal, ...moreCapabilities } = objectOf(clientCapabilities);
    this.#losses.othersOf("initialize", others, ["protocolVersion"]);
    this.#losses.othersOf("initialize", moreInfo, [], "clientInfo.");
    this.#losses.othersOf("initialize", moreCapabilities, [], "clientCapabilities.");
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
    this.#losses.othersOf("session/new", others, []);
    const entries = Object.entries(objectOf(_meta));
    const texts = entries.filter(([name, value]) => typeof value === "string" && name !== "workDir");
    if (texts.length < entries.length) {
      this.#losses.tell("session/new", "metadata holds nothing but texts; the rest of _meta was left out", ["_meta"]);
    }
    return { metadata: { workDir: cwd, ...Object.fromEntries(texts) } };
  }

  #prompt({ sessionId, prompt, ...others }: Json): Json {
    this.#losses.othersOf("session/prompt", others, []);
    const blocks = arrayOf(prompt);
    const parts = blocks.map(partOf);
    if (parts.some(({ isWhole }) => !isWhole)) {
      this.#losses.tell("session/prompt", "content that the Go dialect has no part for was put into words", ["prompt"]);
    }
    const command = this.#commandOf(blocks[0]);
    return { sessionId, prompt: parts.map(({ part }) => part), ...(command && { command }) };
  }

  #commandOf(block: unknown): Command | undefined {
    const command = commandOf(block);
    const { commands } = this.#options;
    return command !== undefined && (commands?.includes(command.name) ?? true) ? command : undefined;
  }

  #answer(body: Json, id: string | undefined): Json | undefined {
    const { error } = body;
    const isError = error !== undefined && error !== null;
    if (id?.startsWith(`"${ownIds}`)) {
      if (isError) this.#losses.tell("session/cancel", "the agent refused to cancel");
      return undefined;
    }
    const asked = this.#asked.take(id, isError);
    if (asked === undefined) return body;
    const { method, sessionId } = asked;
    if (method === "session/prompt") this.#updates.turnEnded(sessionId);
    // An agent that returns both means that it has failed; officially an answer has one of the two (RPC-02).
    if (isError) return { error };
    const result = objectOf(body["result"]);
    if (method === "initialize") return { result: this.#initialized(result) };
    if (method === "session/new") return { result: this.#opened(result) };
    if (method === "session/prompt") return this.#ended(result);
    // A nil result is left out by Go (B21).
    return body["result"] === undefined ? { result: {} } : body;
  }

  #initialized({ protocolVersion, agentInfo, capabilities }: Json): Json {
    const { loadSession: _, ...agentCapabilities } = objectOf(capabilities);
    // It may say so, but the dialect has no method for it.
    this.#losses.othersOf("initialize", objectOf(capabilities), Object.keys(agentCapabilities), "capabilities.");
    const version = versionOf(protocolVersion);
    if (version !== 1) {
      this.#losses.tell("initialize", "the version is not 1 in the words of the Go dialect", ["protocolVersion"]);
    }
    return {
      // There has been one version of the dialect, whatever it was called.
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
    // The zero value of a handler that returned neither a result nor an error.
    this.#losses.tell("session/prompt", "there was no stop reason; the end of the turn is assumed", ["stopReason"]);
    return { result: { ...others, stopReason: "end_turn" } };
  }
}
