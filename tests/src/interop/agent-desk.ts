import { ChosenFailure, type Failure } from "./failure.ts";
import { asObject, at, type Json } from "./json.ts";
import { NotedError, playSteps, type Step, type TurnPort } from "./steps.ts";
import { aborted } from "../support/aborted.ts";

/** Extension methods with which a row directs an agent. */
export const desk = {
  /** Says how the next request of a method is answered. */
  arrange: "_interop/arrange",
  /** Takes what the handlers saw since the last time. */
  log: "_interop/log",
  /** Tells what the agent knows of its client. */
  peer: "_interop/peer",
  /** Answers its own params. */
  echo: "_interop/echo",
  /** A notification that is written to the log, and takes back the call that waits for it. */
  note: "_interop/note",
} as const;

/** How an agent answers one request. */
export type Arranged =
  | { readonly result: Json; readonly updates?: readonly Json[] }
  | { readonly failure: Failure & { readonly code: number } }
  | { readonly crash: string }
  /** Works until the request is cancelled by `$/cancel_request`. */
  | { readonly hang: true };

export interface LogEntry {
  readonly method: string;
  readonly params: unknown;
}

/** What a handler of an agent has at hand, whichever SDK it is written with. */
export interface RequestPort {
  /** Aborts on `$/cancel_request`. */
  readonly signal: AbortSignal;
  update(sessionId: string, update: Json): Promise<void>;
}

/**
 * The mind of a directed agent: it writes down what its handlers see and answers as a row has arranged.
 * The programs around it belong to one SDK each.
 */
export class AgentDesk {
  readonly #log: LogEntry[] = [];
  readonly #arranged = new Map<string, Arranged[]>();
  #sessions = 0;
  #noted = new AbortController();

  record(method: string, params: unknown): void {
    this.#log.push({ method, params: params ?? null });
    if (method !== desk.note) return;
    this.#noted.abort(new NotedError("The client has noted it"));
    this.#noted = new AbortController();
  }

  /** Answers the extension requests of the desk itself; `undefined` for another method. */
  direct(method: string, params: unknown, peer: Json): Json | undefined {
    if (method === desk.arrange) {
      const { target, answer } = asObject(params);
      this.#arranged.set(String(target), [...(this.#arranged.get(String(target)) ?? []), answer as Arranged]);
      return {};
    }
    if (method === desk.log) return { entries: this.#log.splice(0) };
    if (method === desk.peer) return peer;
    if (method === desk.echo) {
      this.record(method, params);
      return asObject(params);
    }
    return undefined;
  }

  /** Answers a request as arranged, or as any agent would. */
  async answer(method: string, params: unknown, port: RequestPort): Promise<Json> {
    this.record(method, params);
    const arranged = this.#arranged.get(method)?.shift();
    if (arranged === undefined) return this.#usual(method);
    if ("failure" in arranged) throw new ChosenFailure(arranged.failure);
    if ("crash" in arranged) throw new Error(arranged.crash);
    if ("hang" in arranged) {
      await aborted(port.signal);
      this.record(`${method} was cancelled`, params);
      throw new DOMException("The request was cancelled", "AbortError");
    }
    for (const update of arranged.updates ?? []) {
      // Replay keeps its order.
      // oxlint-disable-next-line no-await-in-loop
      await port.update(String(arranged.result["sessionId"] ?? at(params, "sessionId")), update);
    }
    return arranged.result;
  }

  /** Plays a prompt whose first block holds steps; answers it with the outcomes in `_meta`. */
  async turn(params: unknown, port: TurnPort): Promise<Json & { readonly stopReason: string }> {
    this.record("session/prompt", params);
    const text = at(params, "prompt", 0, "text");
    const steps = typeof text === "string" && text.startsWith("[") ? (JSON.parse(text) as Step[]) : [];
    const { results, ...answer } = await playSteps(steps, port, () => this.#noted.signal);
    return { ...answer, _meta: { results } };
  }

  #usual(method: string): Json {
    switch (method) {
      case "session/new":
      case "session/fork":
        return { sessionId: `session-${++this.#sessions}` };
      case "session/list":
        return { sessions: [] };
      case "session/set_config_option":
        return { configOptions: [] };
      case "session/status":
        return { status: "open" };
      case "session/set_title":
        return { title: "" };
      case "auth/status":
        return { state: "unknown" };
      case "providers/list":
        return { providers: [] };
      default:
        return {};
    }
  }
}
