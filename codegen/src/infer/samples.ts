import { handlers } from "./generated/handlers.ts";
import { isPlainObject } from "../model/schema-document.ts";
import { type Recorded, type Side } from "./recording.ts";

/** What was seen of one extension method, as one side handles it. */
export interface MethodSamples {
  readonly method: string;
  /** Who handles it. */
  readonly side: Side;
  kind: "request" | "notification";
  /** Its params each time; `undefined` where it came without. */
  readonly params: unknown[];
  readonly results: unknown[];
}

/** The `_meta` objects that were seen at one place. */
export interface MetaSamples {
  /** Its place: the method, what of it, and the members on the way. */
  readonly method: string;
  readonly part: "request" | "response" | "notification";
  readonly path: readonly string[];
  readonly values: unknown[];
}

/** What was seen in some recordings. */
export interface Samples {
  readonly methods: readonly MethodSamples[];
  readonly metas: readonly MetaSamples[];
  /** What the reader of the result should know. */
  readonly notes: readonly string[];
}

/** Options of {@link collectSamples}, for what a recording does not say. */
export interface SampleOptions {
  /** Which side made the recording. Default: found out from the methods it sent. */
  readonly recordedBy?: Side | undefined;
  /** Who handles extension methods in messages that do not say which way they went. Default: the agent. */
  readonly handledBy?: Side | undefined;
}

const other = { agent: "client", client: "agent" } as const;

/** Sorts what was recorded by method. Each recording has ids of its own. */
export function collectSamples(recordings: readonly (readonly Recorded[])[], options: SampleOptions): Samples {
  const collector = new Collector(options);
  for (const recording of recordings) collector.read(recording);
  return collector.samples();
}

interface Asked {
  /** Who sent it, and its id. */
  readonly key: string;
  readonly method: string;
  readonly samples: MethodSamples | undefined;
  /** Grows from one request to the next. */
  readonly order: number;
}

class Collector {
  readonly #options: SampleOptions;
  readonly #methods = new Map<string, MethodSamples>();
  readonly #metas = new Map<string, MetaSamples>();
  readonly #notes = new Set<string>();
  /** Requests without an answer, by their keys. */
  #asked = new Map<string, Asked>();
  #order = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  read(recording: readonly Recorded[]): void {
    this.#asked = new Map();
    const recorder = this.#options.recordedBy ?? recorderOf(recording);
    for (const recorded of recording) {
      const sender = this.#senderOf(recorded, recorder);
      const { method, id } = recorded.message;
      if (typeof method !== "string") this.#answer(recorded, sender);
      else this.#call(recorded, method, sender ?? this.#assumed(method, kindOf(recorded.message)), id);
    }
  }

  samples(): Samples {
    const methods = [...this.#methods.values()].toSorted(by(({ side, method }) => `${method} ${side}`));
    for (const { method, kind, results } of methods) {
      if (kind === "request" && results.length === 0) {
        this.#notes.add(`${method}: no result was recorded, so its type is unknown`);
      }
    }
    const metas = [...this.#metas.values()].toSorted(by(({ method, part, path }) => [method, part, ...path].join(" ")));
    return { methods, metas, notes: [...this.#notes].toSorted() };
  }

  #senderOf({ from }: Recorded, recorder: Side | undefined): Side | undefined {
    if (from === "agent" || from === "client") return from;
    if (from === undefined || recorder === undefined) return undefined;
    return from === "recorder" ? recorder : other[recorder];
  }

  /** Who sends a method of which the recording does not tell. */
  #assumed(method: string, kind: MethodSamples["kind"]): Side {
    if (!method.startsWith("_")) return other[handlerOf(method, kind) ?? "agent"];
    const { handledBy } = this.#options;
    if (handledBy === undefined) {
      this.#notes.add("who handles the extension methods is not recorded; the agent is assumed (--handled-by)");
    }
    return other[handledBy ?? "agent"];
  }

  #call({ message }: Recorded, method: string, sender: Side, id: unknown): void {
    const { params } = message;
    const part = kindOf(message);
    let samples: MethodSamples | undefined;
    if (method.startsWith("_")) {
      samples = this.#samplesOf(method, other[sender], part);
      samples.params.push(params);
    } else this.#findMetas(method, part, [], params);
    // The latest use of an id is the one that an answer is for.
    const key = `${sender} ${JSON.stringify(id)}`;
    if (id !== undefined) this.#asked.set(key, { key, method, samples, order: this.#order++ });
  }

  #answer({ message }: Recorded, sender: Side | undefined): void {
    const id = JSON.stringify(message["id"]);
    const askers: readonly Side[] = sender === undefined ? ["agent", "client"] : [other[sender]];
    const candidates = askers.flatMap((asker) => this.#asked.get(`${asker} ${id}`) ?? []);
    const [asked] = candidates.toSorted((a, b) => b.order - a.order);
    if (asked === undefined) return;
    this.#asked.delete(asked.key);
    if (!("result" in message)) return;
    if (asked.samples === undefined) this.#findMetas(asked.method, "response", [], message["result"]);
    else asked.samples.results.push(message["result"]);
  }

  #samplesOf(method: string, side: Side, kind: "request" | "notification"): MethodSamples {
    const key = `${method} ${side}`;
    const known = this.#methods.get(key);
    if (known === undefined) {
      const made: MethodSamples = { method, side, kind, params: [], results: [] };
      this.#methods.set(key, made);
      return made;
    }
    if (known.kind !== kind) {
      this.#notes.add(`${method}: it came as a request and as a notification; it is taken for a request`);
      known.kind = "request";
    }
    return known;
  }

  /** Finds `_meta` anywhere in a message of the protocol. Unions are told apart by their tags. */
  #findMetas(method: string, part: MetaSamples["part"], path: readonly string[], value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#findMetas(method, part, path, item);
      return;
    }
    if (!isPlainObject(value)) return;
    const { _meta, sessionUpdate, type } = value;
    const own = typeof sessionUpdate === "string" ? [...path.slice(0, -1), sessionUpdate] : path;
    const place = typeof type === "string" ? [...own, type] : own;
    if (isPlainObject(_meta)) {
      const key = [method, part, ...place].join(" ");
      const metas = this.#metas.get(key) ?? { method, part, path: place, values: [] };
      this.#metas.set(key, metas);
      metas.values.push(_meta);
    }
    for (const [name, member] of Object.entries(value)) {
      if (name !== "_meta") this.#findMetas(method, part, [...place, name], member);
    }
  }
}

/** The side that made a recording: whoever sends `session/prompt` is a client. */
function recorderOf(recording: readonly Recorded[]): Side | undefined {
  for (const { from, message } of recording) {
    const { method } = message;
    const handler = typeof method === "string" ? handlerOf(method, kindOf(message)) : undefined;
    if (handler === undefined) continue;
    if (from === "recorder") return other[handler];
    if (from === "its peer") return handler;
  }
  return undefined;
}

function kindOf({ id }: Recorded["message"]): MethodSamples["kind"] {
  return id === undefined ? "notification" : "request";
}

/** Who handles a method of the protocol, of whichever version; `undefined` if not one side alone, or if none has it. */
function handlerOf(method: string, kind: MethodSamples["kind"]): Side | undefined {
  const side = Object.hasOwn(handlers[kind], method) ? handlers[kind][method] : undefined;
  return side === "agent" || side === "client" ? side : undefined;
}

function by<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
