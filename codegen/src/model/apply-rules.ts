import {
  type Member,
  type Method,
  type ModelGate,
  type ObjectShape,
  type ProtocolModel,
  type Shape,
  type TaggedUnion,
  type VariantGate,
  type ValueKind,
  valueKinds,
} from "./protocol-model.ts";
import { namesSession } from "./names-session.ts";
import { Problems } from "./problems.ts";
import { capabilityPaths } from "./capability-paths.ts";
import { isReplaceable } from "./read-object.ts";
import type { GateRule, Rules } from "./rules.ts";
import { SchemaError } from "./schema-document.ts";
import { inFile } from "./schema-file.ts";
import { type ValuePlaces, valueTree, valueVariants } from "./value-rules.ts";

/**
 * Adds to a model what its rules say.
 *
 * @param others The models that share the rules (the unstable one beside the stable one): rules for methods, unions
 * and variants that only they have are left out.
 * @throws SchemaError that lists every rule that names something none of them has, and every capability, session
 * member and tag that `model` does not have, each with the file of the rules.
 */
export function applyRules(model: ProtocolModel, rules: Rules, others: readonly ProtocolModel[] = []): ProtocolModel {
  return new RuleBook(model, rules, others).apply();
}

class RuleBook {
  readonly #model: ProtocolModel;
  readonly #rules: Rules;
  readonly #others: readonly ProtocolModel[];
  readonly #problems = new Problems();
  #places: ValuePlaces = new Map();

  constructor(model: ProtocolModel, rules: Rules, others: readonly ProtocolModel[]) {
    this.#model = model;
    this.#rules = rules;
    this.#others = others;
  }

  apply(): ProtocolModel {
    const { opensSession, endsSession, anySession, endsTurn, unqueued, gates } = this.#rules;
    const { openUnions, hot, variants, setup, protocolVersion } = this.#rules;
    this.#checkMethods("opensSession", Object.keys(opensSession));
    this.#checkMethods("endsSession", endsSession, "request");
    this.#checkMethods("anySession", anySession, "request");
    this.#checkMethods("gates", Object.keys(gates));
    this.#checkMethods("unqueued", unqueued, "notification");
    this.#checkMethods("endsTurn", endsTurn, "request");
    this.#checkHot(hot ?? []);
    this.#checkUngated(this.#rules.ungated ?? []);
    this.#places = this.#valuePlaces();
    const applied: ProtocolModel = {
      ...this.#model,
      protocolVersion,
      openUnions: this.#each(openUnions, (name) => (this.#shared(name, "openUnions") === undefined ? [] : [name])),
      ...(hot !== undefined && { hot }),
      values: this.#places,
      definitions: this.#definitions(),
      methods: this.#each(this.#model.methods, (method) => [this.#method(method)]),
      variantGates: this.#each(Object.entries(variants), ([union, rule]) => this.#variants(union, rule)),
      setupGates: Object.fromEntries(this.#each(Object.entries(setup), ([member, list]) => this.#setup(member, list))),
    };
    this.#problems.throwAll();
    return applied;
  }

  /** What `read` makes of each item; its errors are kept for the end. */
  #each<From, To>(items: readonly From[], read: (item: From, index: number) => readonly To[]): readonly To[] {
    return items.flatMap((item, index) => this.#problems.collect(() => read(item, index)) ?? []);
  }

  #checkHot(names: readonly string[]): void {
    const known = [this.#model, ...this.#others];
    this.#each(names, (name) => {
      if (known.some(({ definitions }) => definitions.has(name))) return [];
      throw this.#error("hot", `${name} is not a definition of the schema`);
    });
  }

  #checkUngated(paths: readonly string[]): void {
    const roots = Object.values(this.#rules.capabilities);
    const known = [this.#model, ...this.#others].flatMap((model) =>
      roots.flatMap((root) => capabilityPaths(model, root)),
    );
    this.#each(paths, (path) => {
      if (known.includes(path)) return [];
      throw this.#error("ungated", `neither side advertises ${path}`);
    });
  }

  /** The definitions, with the members that are to be tolerated. */
  #definitions(): ProtocolModel["definitions"] {
    const definitions = new Map(this.#model.definitions);
    this.#each(this.#rules.tolerated, (place) => {
      const [owner = "", name = ""] = place.split(".");
      const definition = definitions.get(owner);
      if (definition?.shape.kind !== "object" || !hasMember(definition.shape, name)) {
        if (this.#others.some((other) => hasMember(other.definitions.get(owner)?.shape, name))) return [];
        throw this.#error("tolerated", `there is no member ${place}`);
      }
      const members = definition.shape.members.map((one) => {
        if (one.name !== name) return one;
        const tolerated = { ...one, defaultOnError: true };
        if (!isReplaceable(tolerated))
          throw this.#error("tolerated", `${place} is required and has no default: nothing can take its place`);
        return tolerated;
      });
      definitions.set(owner, { ...definition, shape: { ...definition.shape, members } });
      return [];
    });
    return definitions;
  }

  #method(method: Method): Method {
    const { opensSession, endsSession, anySession, endsTurn, unqueued, gates } = this.#rules;
    const opens =
      method.kind === "request" && Object.hasOwn(opensSession, method.name) ? opensSession[method.name] : undefined;
    const needsOpenSession =
      method.side === "agent" &&
      method.kind === "request" &&
      opens === undefined &&
      namesSession(this.#model, method) &&
      !anySession.includes(method.name);
    const rules = Object.hasOwn(gates, method.name) ? gates[method.name]! : [];
    return {
      ...method,
      ...inFile(this.#rules.source, () => this.#values(method)),
      gates: this.#each(rules, (rule, index) => [this.#gate(rule, method, `gates["${method.name}"][${index}]`)]),
      ...(opens !== undefined && { opensSession: opens }),
      ...(method.kind === "request" && endsSession.includes(method.name) && { endsSession: true }),
      ...(needsOpenSession && { needsOpenSession }),
      ...(method.kind === "request" && endsTurn.includes(method.name) && { endsTurn: true }),
      ...(method.kind === "notification" && unqueued.includes(method.name) && { unqueued: true }),
    };
  }

  #values({ kind, params, result }: Method): Pick<Method, "paramValues" | "valueVariants" | "resultValues"> {
    const paramValues = valueTree(this.#model, params, this.#places);
    const variants = kind === "notification" ? valueVariants(this.#model, params, this.#places) : undefined;
    const resultValues = result === undefined ? undefined : valueTree(this.#model, result, this.#places);
    return {
      ...(paramValues !== undefined && { paramValues }),
      ...(variants !== undefined && { valueVariants: variants }),
      ...(resultValues !== undefined && { resultValues }),
    };
  }

  #gate(rule: GateRule, method: Method, place: string): ModelGate {
    if (rule.session !== undefined) {
      this.#checkSessionMember(rule.session, place);
      return { kind: "session", member: rule.session };
    }
    if (rule.authMethod !== undefined) {
      this.#checkLoginType(rule.authMethod, place);
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

  /** The schema does not say which union is that of login methods: a tag that none has is a slip. */
  #checkLoginType(type: string | true, place: string): void {
    const isKnown = [this.#model, ...this.#others].some((model) =>
      [...model.definitions.keys()].some((name) => {
        const union = taggedUnion(model, name);
        return union?.tag === "type" && (hasVariant(union, String(type)) || union.fallback?.value === type);
      }),
    );
    if (type !== true && !isKnown) throw this.#error(place, `there is no login method of the type ${type}`);
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
    return this.#each(Object.entries(rule.gates), ([tag, capability]) => {
      if (hasVariant(tagged, tag)) {
        const gate = this.#capability(peer, capability, `${place}.gates["${tag}"]`);
        return [{ union, tag, sender: rule.sender, gate }];
      }
      if (this.#others.some((other) => hasVariant(taggedUnion(other, union), tag))) return [];
      throw this.#error(place, `${union} has no variant ${JSON.stringify(tag)}`);
    });
  }

  /** The gates on a member of what opens a session, by that member; none where only another model has it. */
  #setup(member: string, rules: readonly GateRule[]): readonly (readonly [string, readonly ModelGate[]])[] {
    if (!this.#isSetupMember(member)) return [];
    return [[member, this.#each(rules, (rule, index) => [this.#setupGate(rule, member, index)])]];
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
      this.#each(this.#rules.values[kind] ?? [], (place) => {
        this.#checkPlace(place, kind);
        const other = places.get(place);
        if (other !== undefined) throw this.#error(`values.${kind}`, `${place} is in values.${other} already`);
        places.set(place, kind);
        return [];
      });
    }
    return new Map([...places].filter(([, kind]) => kind !== "base64"));
  }

  #checkPlace(place: string, kind: ValueKind): void {
    const [definition = "", member = "", ...more] = place.split(".");
    const shapes = [this.#model, ...this.#others].flatMap((model) => {
      const shape = ownMember(model.definitions.get(definition)?.shape, member)?.shape;
      return shape === undefined ? [] : [valueKindOf(shape, model)];
    });
    if (shapes.length === 0 || more.length > 0) {
      throw this.#error(`values.${kind}`, `the schema has no member ${place}`);
    }
    const wanted = kind === "line" ? "integer" : "string";
    const other = shapes.find((shape) => shape !== wanted);
    if (other !== undefined) throw this.#error(`values.${kind}`, `${place} is no ${wanted}: it has the kind ${other}`);
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
    this.#each(names, (name) => {
      if (known.some((method) => method.name === name && (kind === undefined || method.kind === kind))) return [];
      throw this.#error(list, `the schema has no ${kind ?? "method"} ${name}`);
    });
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
    return new SchemaError(`${this.#rules.source}: ${place}: ${problem}`);
  }
}

function taggedUnion(model: ProtocolModel, name: string): TaggedUnion | undefined {
  const shape = model.definitions.get(name)?.shape;
  return shape?.kind === "object" && shape.union?.kind === "tagged" ? shape.union : undefined;
}

function hasMember(shape: Shape | undefined, name: string): boolean {
  return ownMember(shape, name) !== undefined;
}

function ownMember(shape: Shape | undefined, name: string): Member | undefined {
  return shape?.kind === "object" ? shape.members.find((member) => member.name === name) : undefined;
}

/** The kind of the values that a rule for a member is about: of a list, those of its items. */
function valueKindOf(shape: Shape, model: ProtocolModel): Shape["kind"] {
  if (shape.kind === "nullable") return valueKindOf(shape.shape, model);
  if (shape.kind === "array") return valueKindOf(shape.items, model);
  const target = shape.kind === "reference" ? model.definitions.get(shape.name)?.shape : undefined;
  return target === undefined ? shape.kind : valueKindOf(target, model);
}

function hasVariant(union: TaggedUnion | undefined, tag: string): boolean {
  return union?.variants.some((variant) => variant.value === tag) ?? false;
}
