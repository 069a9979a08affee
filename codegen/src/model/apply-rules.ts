import type {
  Method,
  ModelGate,
  ObjectShape,
  ProtocolModel,
  Shape,
  TaggedUnion,
  VariantGate,
} from "./protocol-model.ts";
import type { GateRule, Rules } from "./rules.ts";
import { SchemaError } from "./schema-document.ts";
import { type ValueKind, valueKinds, type ValuePlaces, valueTree, valueVariants } from "./value-rules.ts";

/**
 * Adds to a model what its rules say.
 *
 * @param others The models that share the rules (the unstable one beside the stable one): rules for methods, unions
 * and variants that only they have are left out.
 * @throws SchemaError for a rule that names something none of them has, and for a capability, session member or tag
 * that `model` does not have.
 */
export function applyRules(model: ProtocolModel, rules: Rules, others: readonly ProtocolModel[] = []): ProtocolModel {
  return new RuleBook(model, rules, others).apply();
}

class RuleBook {
  readonly #model: ProtocolModel;
  readonly #rules: Rules;
  readonly #others: readonly ProtocolModel[];
  readonly #places: ValuePlaces;

  constructor(model: ProtocolModel, rules: Rules, others: readonly ProtocolModel[]) {
    this.#model = model;
    this.#rules = rules;
    this.#others = others;
    this.#places = this.#valuePlaces();
  }

  apply(): ProtocolModel {
    const { opensSession, endsTurn, unqueued, gates, protocolVersion } = this.#rules;
    const lists = { opensSession: Object.keys(opensSession), endsTurn, gates: Object.keys(gates) };
    for (const [list, names] of Object.entries(lists)) this.#checkMethods(list, names);
    this.#checkMethods("unqueued", unqueued, "notification");
    this.#checkMethods("endsTurn", endsTurn, "request");
    return {
      ...this.#model,
      protocolVersion,
      openUnions: this.#rules.openUnions.filter((name) => this.#shared(name, "openUnions") !== undefined),
      ...(this.#rules.hot !== undefined && { hot: this.#hot(this.#rules.hot) }),
      definitions: this.#definitions(),
      methods: this.#model.methods.map((method) => this.#method(method)),
      variantGates: Object.entries(this.#rules.variants).flatMap(([union, rule]) => this.#variants(union, rule)),
      setupGates: Object.fromEntries(
        Object.entries(this.#rules.setup)
          .filter(([member]) => this.#isSetupMember(member))
          .map(([member, list]) => [member, list.map((rule, index) => this.#setupGate(rule, member, index))]),
      ),
    };
  }

  #hot(names: readonly string[]): readonly string[] {
    const known = [this.#model, ...this.#others];
    const stranger = names.find((name) => !known.some(({ definitions }) => definitions.has(name)));
    if (stranger !== undefined) throw this.#error("hot", `${stranger} is not a definition of the schema`);
    return names;
  }

  /** The definitions, with the members that are to be tolerated. */
  #definitions(): ProtocolModel["definitions"] {
    const definitions = new Map(this.#model.definitions);
    for (const place of this.#rules.tolerated) {
      const [owner = "", name = ""] = place.split(".");
      const isMember = ({ definitions: all }: Pick<ProtocolModel, "definitions">): boolean => {
        const shape = all.get(owner)?.shape;
        return shape?.kind === "object" && shape.members.some((one) => one.name === name);
      };
      const definition = definitions.get(owner);
      if (definition?.shape.kind !== "object" || !isMember({ definitions })) {
        if (this.#others.some(isMember)) continue;
        throw this.#error("tolerated", `there is no member ${place}`);
      }
      const members = definition.shape.members.map((one) => ({
        ...one,
        defaultOnError: one.defaultOnError || one.name === name,
      }));
      definitions.set(owner, { ...definition, shape: { ...definition.shape, members } });
    }
    return definitions;
  }

  #method(method: Method): Method {
    const { opensSession, endsTurn, unqueued, gates } = this.#rules;
    const opens =
      method.kind === "request" && Object.hasOwn(opensSession, method.name) ? opensSession[method.name] : undefined;
    const rules = Object.hasOwn(gates, method.name) ? gates[method.name]! : [];
    const paramValues = valueTree(this.#model, method.params, this.#places);
    const variants =
      method.kind === "notification" ? valueVariants(this.#model, method.params, this.#places) : undefined;
    const resultValues = method.result === undefined ? undefined : valueTree(this.#model, method.result, this.#places);
    return {
      ...method,
      ...(paramValues !== undefined && { paramValues }),
      ...(variants !== undefined && { valueVariants: variants }),
      ...(resultValues !== undefined && { resultValues }),
      gates: rules.map((rule, index) => this.#gate(rule, method, `gates["${method.name}"][${index}]`)),
      ...(opens !== undefined && { opensSession: opens }),
      ...(method.kind === "request" && endsTurn.includes(method.name) && { endsTurn: true }),
      ...(method.kind === "notification" && unqueued.includes(method.name) && { unqueued: true }),
    };
  }

  #gate(rule: GateRule, method: Method, place: string): ModelGate {
    if (rule.session !== undefined) {
      this.#checkSessionMember(rule.session, place);
      return { kind: "session", member: rule.session };
    }
    if (rule.authMethod !== undefined) {
      return rule.authMethod === true ? { kind: "authMethod" } : { kind: "authMethod", type: rule.authMethod };
    }
    const handler = method.side === "agent" || method.side === "client" ? method.side : undefined;
    const side = rule.of ?? handler;
    if (side === undefined)
      throw this.#error(place, "`of` has to say whose capability it is: both sides handle the method");
    const gate = this.#capability(side, rule.capability!, place);
    const when = rule.when === undefined ? undefined : this.#when(rule.when, method, place);
    return { ...gate, ...(when !== undefined && { when }), ...(side !== handler && { by: "caller" }) };
  }

  #when(when: Readonly<Record<string, string>>, method: Method, place: string): { member: string; value: string } {
    const [[member, value] = ["", ""], ...more] = Object.entries(when);
    const union = taggedUnion(this.#model, method.params);
    if (more.length > 0 || union?.tag !== member || !hasVariant(union, value)) {
      throw this.#error(`${place}.when`, `${method.params} has no variant with ${member} ${JSON.stringify(value)}`);
    }
    return { member, value };
  }

  #variants(union: string, rule: Rules["variants"][string]): readonly VariantGate[] {
    const place = `variants["${union}"]`;
    const tagged = this.#shared(union, place);
    const peer = rule.sender === "agent" ? "client" : "agent";
    const tags = Object.keys(rule.gates).filter((tag) => {
      if (hasVariant(tagged, tag)) return true;
      if (this.#others.some((other) => hasVariant(taggedUnion(other, union), tag))) return false;
      throw this.#error(place, `${union} has no variant ${JSON.stringify(tag)}`);
    });
    return tags.map((tag) => {
      const gate = this.#capability(peer, rule.gates[tag]!, `${place}.gates["${tag}"]`);
      return { union, tag, sender: rule.sender, gate };
    });
  }

  /** Whether a request that opens a session has this member; not so when only another model's has. */
  #isSetupMember(name: string): boolean {
    const opensWith = ({ definitions, methods }: ProtocolModel): boolean =>
      methods.some((method) => {
        const shape = definitions.get(method.params)?.shape;
        const opens = Object.hasOwn(this.#rules.opensSession, method.name);
        return opens && shape?.kind === "object" && shape.members.some((member) => member.name === name);
      });
    if (opensWith(this.#model)) return true;
    if (this.#others.some(opensWith)) return false;
    throw this.#error(`setup["${name}"]`, `no request that opens a session has a member ${name}`);
  }

  #setupGate({ capability, when }: GateRule, name: string, index: number): ModelGate {
    const place = `setup["${name}"][${index}]`;
    if (capability === undefined) throw this.#error(place, "only a capability can be asked for");
    const [[member, value] = []] = Object.entries(when ?? {});
    return {
      ...this.#capability("agent", capability, place),
      ...(member !== undefined && value !== undefined && { when: { member, value } }),
    };
  }

  /** Follows a path through the definition in which a side advertises its capabilities. */
  #capability(side: "agent" | "client", path: string, place: string): ModelGate & { kind: "capability" } {
    const root = this.#rules.capabilities[side];
    let shape = root === undefined ? undefined : this.#model.definitions.get(root)?.shape;
    if (shape === undefined) throw this.#error(`capabilities.${side}`, `${root ?? "nothing"} is not a definition`);
    for (const name of path.split(".")) {
      shape = this.#memberOf(shape, name);
      if (shape === undefined) throw this.#error(place, `${root} has no capability ${path}`);
    }
    const { kind } = this.#resolve(shape);
    if (kind !== "boolean" && kind !== "object" && kind !== "map") {
      throw this.#error(place, `${path} is neither a boolean nor an object`);
    }
    return { kind: "capability", path: path.split("."), value: kind === "boolean" ? "boolean" : "object" };
  }

  /** What tables have to say: base64 is long, and left to the validators. */
  #valuePlaces(): ValuePlaces {
    const places = new Map<string, ValueKind>();
    for (const kind of valueKinds) {
      for (const place of this.#rules.values[kind] ?? []) {
        this.#checkPlace(place, `values.${kind}`);
        if (kind !== "base64") places.set(place, kind);
      }
    }
    return places;
  }

  #checkPlace(place: string, list: string): void {
    const [definition = "", member = ""] = place.split(".");
    const known = [this.#model, ...this.#others].some(({ definitions }) => {
      const shape = definitions.get(definition)?.shape;
      return shape?.kind === "object" && shape.members.some(({ name }) => name === member);
    });
    if (!known) throw this.#error(list, `the schema has no member ${place}`);
  }

  #checkSessionMember(member: string, place: string): void {
    const setups = this.#model.methods.filter(({ name }) => Object.hasOwn(this.#rules.opensSession, name));
    const known = setups.some(
      ({ result }) => result !== undefined && this.#memberOf({ kind: "reference", name: result }, member),
    );
    if (!known) throw this.#error(place, `no request that opens a session answers with ${member}`);
  }

  #checkMethods(list: string, names: readonly string[], kind?: Method["kind"]): void {
    const known = [this.#model, ...this.#others].flatMap(({ methods }) => methods);
    for (const name of names) {
      const found = known.some((method) => method.name === name && (kind === undefined || method.kind === kind));
      if (!found) throw this.#error(list, `the schema has no ${kind ?? "method"} ${name}`);
    }
  }

  /** A tagged union, or `undefined` when only another model has it. */
  #shared(name: string, place: string): TaggedUnion | undefined {
    const union = taggedUnion(this.#model, name);
    const elsewhere = this.#others.some((other) => taggedUnion(other, name) !== undefined);
    if (union === undefined && !elsewhere) throw this.#error(place, `${name} is not a tagged union of the schema`);
    return union;
  }

  #memberOf(shape: Shape, name: string): Shape | undefined {
    const resolved = this.#resolve(shape);
    if (resolved.kind !== "object") return undefined;
    return this.#ownMember(resolved, name) ?? this.#included(resolved, name);
  }

  #ownMember(shape: ObjectShape, name: string): Shape | undefined {
    return shape.members.find((member) => member.name === name)?.shape;
  }

  #included(shape: ObjectShape, name: string): Shape | undefined {
    for (const include of shape.includes) {
      const member = this.#memberOf({ kind: "reference", name: include }, name);
      if (member !== undefined) return member;
    }
    return undefined;
  }

  #resolve(shape: Shape): Shape {
    if (shape.kind === "nullable") return this.#resolve(shape.shape);
    const target = shape.kind === "reference" ? this.#model.definitions.get(shape.name)?.shape : undefined;
    return target === undefined ? shape : this.#resolve(target);
  }

  #error(place: string, problem: string): SchemaError {
    return new SchemaError(`Rules: ${place}: ${problem}`);
  }
}

function taggedUnion(model: ProtocolModel, name: string): TaggedUnion | undefined {
  const shape = model.definitions.get(name)?.shape;
  return shape?.kind === "object" && shape.union?.kind === "tagged" ? shape.union : undefined;
}

function hasVariant(union: TaggedUnion | undefined, tag: string): boolean {
  return union?.variants.some((variant) => variant.value === tag) ?? false;
}
