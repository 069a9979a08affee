/**
 * What a protocol version consists of, read from its schema and rules. All emitters work from this but the one of
 * validators, which feeds ajv.
 */
export interface ProtocolModel {
  /** `1`, `2`: from the rules; `0` without rules. */
  readonly protocolVersion: number;
  /** Every definition but the envelopes marked `x-docs-ignore`, in the order of the schema. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly methods: readonly Method[];
  /** Gates on union variants, for the side that sends them. */
  readonly variantGates: readonly VariantGate[];
  /** Gates on members of params that open a session, for the side that sends them. */
  readonly setupGates: Readonly<Record<string, readonly ModelGate[]>>;
  /** Tagged unions the schema closes and the rules open for the receiver. */
  readonly openUnions: readonly string[];
  /** What members are beyond their types, by `Definition.member`. */
  readonly values?: ReadonlyMap<string, ValueKind>;
  /** The definitions that are read often, whose decoders have to be quick; without a list, all. */
  readonly hot?: readonly string[];
}

/** What a schema says for people. */
export interface Documented {
  readonly docs?: string;
  readonly deprecated?: true;
}

/** One entry of `$defs`. */
export interface Definition extends Documented {
  readonly name: string;
  readonly shape: Shape;
  /** The schema's `default` of the definition itself. */
  readonly default?: unknown;
}

/** What a value may look like. */
export type Shape =
  | AnyShape
  | StringShape
  | NumberShape
  | BooleanShape
  | NullShape
  | ConstantShape
  | EnumerationShape
  | ArrayShape
  | TupleShape
  | MapShape
  | ReferenceShape
  | NullableShape
  | ObjectShape
  | AlternativesShape
  | IntersectionShape
  | NeverShape;

/** Any JSON value; never looked into. */
export interface AnyShape {
  readonly kind: "any";
}

/** No value at all: the schema `false`. */
export interface NeverShape {
  readonly kind: "never";
}

/** A string. */
export interface StringShape {
  readonly kind: "string";
  /** An annotation: `uri`, `date-time`, `regex`. Not checked when decoding. */
  readonly format?: string;
  /** An annotation: `base64`. */
  readonly encoding?: string;
  /** A regular expression, another annotation. */
  readonly pattern?: string;
  /** In code points. */
  readonly minLength?: number;
}

/** A number within bounds. */
export interface NumberShape {
  readonly kind: "integer" | "number";
  /** `int32`, `int64`, `uint16`, `uint32`, `uint64`, `double`. */
  readonly format?: string;
  /** The tighter of the schema's bound and the format's; 64-bit formats add none. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** `true` or `false`. */
export interface BooleanShape {
  readonly kind: "boolean";
}

/** `null`. */
export interface NullShape {
  readonly kind: "null";
}

/** Exactly this string, number or boolean. */
export interface ConstantShape {
  readonly kind: "constant";
  readonly value: string | number | boolean;
}

/** One of a list of strings or integers. */
export interface EnumerationShape {
  readonly kind: "enumeration";
  readonly base: "string" | "integer";
  readonly values: readonly EnumerationValue[];
  /** Set when the schema accepts any other value of the base type too; holds that branch. */
  readonly open?: StringShape | NumberShape;
}

/** One value of an enumeration. */
export interface EnumerationValue extends Documented {
  readonly value: string | number;
  readonly title?: string;
}

/** A list whose items all have one shape. */
export interface ArrayShape {
  readonly kind: "array";
  readonly items: Shape;
  readonly minItems?: number;
}

/** A list whose first items have a shape each. */
export interface TupleShape {
  readonly kind: "tuple";
  readonly items: readonly Shape[];
  /** How many of them have to be there. */
  readonly minItems: number;
  /** What further items have to be; `never` where there are none. */
  readonly rest: Shape;
}

/** A value that has all of several shapes. Objects that include definitions are {@link ObjectShape}s. */
export interface IntersectionShape {
  readonly kind: "intersection";
  readonly parts: readonly Shape[];
}

/** An object whose member names are free. */
export interface MapShape {
  readonly kind: "map";
  readonly values: Shape;
}

/** Another definition. */
export interface ReferenceShape {
  readonly kind: "reference";
  readonly name: string;
}

/** A shape, or `null`. */
export interface NullableShape {
  readonly kind: "nullable";
  readonly shape: Shape;
}

/** An object: its own members, the definitions it includes, and the union beside them, all on one value. */
export interface ObjectShape {
  readonly kind: "object";
  readonly members: readonly Member[];
  /** Names of definitions whose members apply to this same object (`allOf`). */
  readonly includes: readonly string[];
  readonly union?: TaggedUnion | AlternativesShape;
  /** What members without a name have to be, where the schema says so; others are kept whatever they are. */
  readonly others?: Shape;
  /** The tag that a branch of a union leaves out of its members. It is none of the others. */
  readonly tag?: string;
}

/** A named member of an object. */
export interface Member extends Documented {
  readonly name: string;
  /** Without `null`; see {@link Member.nullable}. */
  readonly shape: Shape;
  readonly required: boolean;
  readonly nullable: boolean;
  /** The schema's `default`; `undefined` when it has none. */
  readonly default?: unknown;
  /** `x-deserialize-default-on-error`: a bad value reads as absent, as the default, or as `[]` where required. */
  readonly defaultOnError: boolean;
  /** `x-deserialize-default-on-null`: null reads as the empty array or map. */
  readonly defaultOnNull: boolean;
  /** `x-deserialize-skip-invalid-items`: bad items are left out of the array. */
  readonly skipInvalidItems: boolean;
}

/** Variants told apart by a constant member. */
export interface TaggedUnion {
  readonly kind: "tagged";
  readonly tag: string;
  readonly variants: readonly Variant[];
  /** The schema's branch for tags it does not know. */
  readonly other?: Branch;
  /**
   * The branch without a tag: taken when the tag is absent or null. `value` is its title where the union is
   * closed: a peer that writes it as the tag means this branch.
   */
  readonly fallback?: Branch & { readonly value?: string | null };
}

/** One branch of a tagged union; its shape leaves the tag out. */
export interface Branch extends Documented {
  readonly title?: string;
  readonly shape: ObjectShape;
}

/** A branch of a tagged union, and its tag. */
export interface Variant extends Branch {
  /** The constant of the tag. */
  readonly value: string;
  /** Whether a definition that the branch includes has the tag as a member, too. */
  readonly isCarried?: true;
}

/** Branches that are told apart by trying them in order. */
export interface AlternativesShape {
  readonly kind: "alternatives";
  /** `oneOf`: exactly one branch may accept the value. */
  readonly exclusive: boolean;
  readonly branches: readonly Alternative[];
}

/** One branch of a union without a tag. */
export interface Alternative extends Documented {
  /** Its title, or what it is called after the members that it requires. */
  readonly title?: string;
  readonly shape: Shape;
}

/** Who handles a method; `protocol` is both agent and client. */
export type Side = "agent" | "client" | "protocol" | "proxy";

/** A method of the protocol. One wire name can have a request and a notification, with different sides. */
export interface Method extends Documented {
  /** The wire name: `session/prompt`. */
  readonly name: string;
  readonly side: Side;
  readonly kind: "request" | "notification";
  /** The definition of the params. */
  readonly params: string;
  /** The definition of the result of a request. */
  readonly result?: string;
  readonly gates: readonly ModelGate[];
  readonly opensSession?: "params" | "result";
  readonly endsSession?: true;
  /** A request that an agent refuses unless its params name an open session. */
  readonly needsOpenSession?: true;
  readonly endsTurn?: true;
  readonly unqueued?: true;
  /** Where values of its params are paths and lines, which the schema does not say. */
  readonly paramValues?: ValueTree;
  /** Of a notification: the variants of its params that hold them all. */
  readonly valueVariants?: ValueVariants;
  /** The same for its result. */
  readonly resultValues?: ValueTree;
}

/**
 * What a string or number has to be beyond its type: an absolute path, the absolute path of a program, a line number
 * from 1, base64.
 */
export const valueKinds = ["path", "command", "line", "base64"] as const;
export type ValueKind = (typeof valueKinds)[number];

/**
 * Where such values stand in a message: `{ cwd: "path", roots: ["path"] }`; a list is a rule for each of its items, and its
 * second one for a value that is no list: what is a list in one variant may be one of its items in another.
 */
export type ValueTree = ValueKind | ValueList | { readonly [member: string]: ValueTree };
export type ValueList = readonly [items: ValueTree, single?: ValueTree];

/** A member of params that is a tagged union, and those of its variants in which values of some kind stand. */
export interface ValueVariants {
  readonly member: string;
  readonly tag: string;
  readonly variants: readonly string[];
}

/** A gate as `@acp/schema` writes it into its tables (its `Gate`). */
export type ModelGate =
  | {
      readonly kind: "capability";
      readonly path: readonly string[];
      readonly value: "boolean" | "object";
      readonly when?: { readonly member: string; readonly value: string };
      readonly by?: "caller";
    }
  | { readonly kind: "session"; readonly member: string }
  | { readonly kind: "authMethod"; readonly type?: string };

/** A variant that a side may send only when its peer advertised a capability. */
export interface VariantGate {
  readonly union: string;
  readonly tag: string;
  readonly sender: "agent" | "client";
  readonly gate: ModelGate;
}
