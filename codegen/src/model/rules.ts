import { isPlainObject, parseJson, SchemaError } from "./schema-document.ts";
import { type ValueKind, valueKinds } from "./protocol-model.ts";

/** What a protocol version demands beyond its schema: the content of `rules.json`. */
export interface Rules {
  /** The file they are from, for errors. */
  readonly source: string;
  readonly protocolVersion: number;
  /** The definitions in which each side advertises its capabilities. */
  readonly capabilities: { readonly agent?: string; readonly client?: string };
  /** Tagged unions that receivers keep open although the schema closes them. */
  readonly openUnions: readonly string[];
  /** Definitions that are read often: their decoders are written out, the others only described. Without a list, all are. */
  readonly hot?: readonly string[];
  /** Members, as `Definition.member`, that read as absent where the schema would refuse the whole message. */
  readonly tolerated: readonly string[];
  /** Requests that open a session, and where its id is found. */
  readonly opensSession: Readonly<Record<string, "params" | "result">>;
  /** Requests after which their session is closed. */
  readonly endsSession: readonly string[];
  /** Requests for a session that need not be open. */
  readonly anySession: readonly string[];
  /** Requests whose answer comes after the session's earlier notifications. */
  readonly endsTurn: readonly string[];
  /** Notifications handled the moment they arrive. */
  readonly unqueued: readonly string[];
  readonly gates: Readonly<Record<string, readonly GateRule[]>>;
  readonly variants: Readonly<Record<string, VariantRule>>;
  /** Gates on a member of the params that open a session; `when` is about the member's value. */
  readonly setup: Readonly<Record<string, readonly GateRule[]>>;
  /** Members, as `Definition.member`, whose strings or numbers have to be more than the schema says. */
  readonly values: Readonly<Partial<Record<ValueKind, readonly string[]>>>;
  /** Capabilities, as paths of either side, that nothing depends on. */
  readonly ungated?: readonly string[];
  /** Where the schema takes other values than those it names: whether they have to begin with `_`. */
  readonly reservesNames?: boolean;
}

/** One gate of a method. Exactly one of `capability`, `session` and `authMethod` is set. */
export interface GateRule {
  /** A path into the capabilities of the side that handles the method: `fs.readTextFile`. */
  readonly capability?: string;
  /** The side whose capability counts, where it is not the handling one. */
  readonly of?: "agent" | "client";
  /** The gate counts only for params whose tag has this value: `{ "mode": "form" }`. */
  readonly when?: Readonly<Record<string, string>>;
  /** A member of the answer that opened the session. */
  readonly session?: string;
  /** The type of a login method the agent offers, or `true` for any. */
  readonly authMethod?: string | true;
}

/** Variants of a union that one side may send only to a peer with a capability. */
export interface VariantRule {
  readonly sender: "agent" | "client";
  /** By tag: a path into the peer's capabilities. */
  readonly gates: Readonly<Record<string, string>>;
}

/**
 * Reads the text of a rules file.
 *
 * @throws SchemaError naming `source`, the place in it and what was expected there.
 */
export function parseRules(text: string, source: string): Rules {
  return new RulesReader(source).read(parseJson(text, source));
}

class RulesReader {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  read(value: unknown): Rules {
    const rules = this.#object(value, "");
    this.#only(rules, "", [
      "protocolVersion",
      "capabilities",
      "openUnions",
      "hot",
      "tolerated",
      "opensSession",
      "endsSession",
      "anySession",
      "endsTurn",
      "unqueued",
      "gates",
      "variants",
      "setup",
      "values",
      "ungated",
      "reservesNames",
    ]);
    const { protocolVersion, reservesNames } = rules;
    if (typeof protocolVersion !== "number" || !Number.isInteger(protocolVersion))
      this.#fail("protocolVersion", "an integer");
    if (reservesNames !== undefined && typeof reservesNames !== "boolean") this.#fail("reservesNames", "true or false");
    const capabilities = this.#strings(rules["capabilities"] ?? {}, "capabilities");
    this.#only(capabilities, "capabilities", ["agent", "client"]);
    const values = this.#record(rules["values"], "values", (places, place) => this.#list(places, place));
    this.#only(values, "values", valueKinds);
    return {
      source: this.#source,
      protocolVersion,
      capabilities,
      openUnions: this.#list(rules["openUnions"], "openUnions"),
      ...(rules["hot"] !== undefined && { hot: this.#list(rules["hot"], "hot") }),
      tolerated: this.#list(rules["tolerated"], "tolerated"),
      opensSession: this.#record(rules["opensSession"], "opensSession", (from, place) => {
        if (from !== "params" && from !== "result") this.#fail(place, '"params" or "result"');
        return from;
      }),
      endsSession: this.#list(rules["endsSession"], "endsSession"),
      anySession: this.#list(rules["anySession"], "anySession"),
      endsTurn: this.#list(rules["endsTurn"], "endsTurn"),
      unqueued: this.#list(rules["unqueued"], "unqueued"),
      gates: this.#record(rules["gates"], "gates", (gates, place) => this.#gates(gates, place)),
      variants: this.#record(rules["variants"], "variants", (rule, place) => this.#variant(rule, place)),
      setup: this.#record(rules["setup"], "setup", (gates, place) => this.#gates(gates, place)),
      values,
      ...(rules["ungated"] !== undefined && { ungated: this.#list(rules["ungated"], "ungated") }),
      ...(reservesNames !== undefined && { reservesNames }),
    };
  }

  #gates(value: unknown, place: string): readonly GateRule[] {
    if (!Array.isArray(value)) this.#fail(place, "a list of gates");
    return value.map((gate, index) => this.#gate(gate, `${place}[${index}]`));
  }

  #gate(value: unknown, place: string): GateRule {
    const gate = this.#object(value, place);
    this.#only(gate, place, ["capability", "of", "when", "session", "authMethod"]);
    const { capability, of, when, session, authMethod } = gate;
    const kinds = [capability, session, authMethod].filter((kind) => kind !== undefined);
    if (kinds.length !== 1) this.#fail(place, "one of capability, session and authMethod");
    if (authMethod !== undefined && authMethod !== true && typeof authMethod !== "string") {
      this.#fail(`${place}.authMethod`, "a login method's type or true");
    }
    if (capability === undefined && (of !== undefined || when !== undefined)) {
      this.#fail(place, "`of` and `when` only beside a capability");
    }
    return {
      ...(capability !== undefined && { capability: this.#string(capability, `${place}.capability`) }),
      ...(of !== undefined && { of: this.#side(of, `${place}.of`) }),
      ...(when !== undefined && { when: this.#strings(when, `${place}.when`) }),
      ...(session !== undefined && { session: this.#string(session, `${place}.session`) }),
      ...(authMethod !== undefined && { authMethod }),
    };
  }

  #variant(value: unknown, place: string): VariantRule {
    const rule = this.#object(value, place);
    this.#only(rule, place, ["sender", "gates"]);
    return {
      sender: this.#side(rule["sender"], `${place}.sender`),
      gates: this.#strings(rule["gates"] ?? {}, `${place}.gates`),
    };
  }

  #side(value: unknown, place: string): "agent" | "client" {
    return value === "agent" || value === "client" ? value : this.#fail(place, '"agent" or "client"');
  }

  #string(value: unknown, place: string): string {
    return typeof value === "string" ? value : this.#fail(place, "a string");
  }

  #strings(value: unknown, place: string): Readonly<Record<string, string>> {
    return this.#record(value, place, (item, at) => this.#string(item, at));
  }

  #list(value: unknown = [], place: string): readonly string[] {
    if (!Array.isArray(value)) this.#fail(place, "a list of names");
    return value.map((item, index) => this.#string(item, `${place}[${index}]`));
  }

  #record<T>(
    value: unknown = {},
    place: string,
    read: (item: unknown, place: string) => T,
  ): Readonly<Record<string, T>> {
    const record = this.#object(value, place);
    return Object.fromEntries(
      Object.entries(record).map(([key, item]) => [key, read(item, `${place}[${JSON.stringify(key)}]`)]),
    );
  }

  #object(value: unknown, place: string): Record<string, unknown> {
    return isPlainObject(value) ? value : this.#fail(place, "an object");
  }

  #only(value: object, place: string, known: readonly string[]): void {
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined) this.#fail(place === "" ? unknown : `${place}.${unknown}`, `one of ${known.join(", ")}`);
  }

  #fail(place: string, expected: string): never {
    throw new SchemaError(`${this.#source}${place === "" ? "" : `: ${place}`}: expected ${expected}`);
  }
}
