/** A side of a connection. */
export type Side = "agent" | "client";

/** Whom a rule binds. */
export type Party = Side | "both" | "transport";

/** How much it binds: in capitals where the protocol uses a word of RFC 2119, else as its prose has it. */
export type Level =
  | "MUST"
  | "MUST NOT"
  | "SHOULD"
  | "SHOULD NOT"
  | "MAY"
  | "must"
  | "must not"
  | "should"
  | "should not"
  | "may";

/**
 * How a rule is checked: by what is on the wire, by a unit of the library, by types, tables and sources, or by what
 * processes and files do. `none`: nothing outside of its party can see it.
 */
export type Check = "wire" | "unit" | "static" | "behaviour" | "none";

/** A rule of the protocol, in our words. */
export interface Requirement {
  readonly id: string;
  readonly who: Party;
  readonly level: Level;
  /** The other side, where our words say what it does as well. */
  readonly also?: Side;
  readonly rule: string;
  readonly check: Check;
  /** Why it is not checked; with `none`, and only there. */
  readonly reason?: string;
  /** What we hold to where sources disagree or say nothing. */
  readonly follows?: string;
}

/** Rules that share a prefix. */
export interface Area {
  readonly prefix: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** Whom and how much, in two words: `"client MUST NOT"`. */
type Binding = `${Party} ${Level}`;

interface RuleOptions extends Pick<Requirement, "follows" | "also"> {
  readonly check?: Exclude<Check, "none">;
}

/** A rule that tests have to prove, by default on the wire. */
export function rule(
  id: string,
  binding: Binding,
  text: string,
  { check = "wire", ...more }: RuleOptions = {},
): Requirement {
  return { id, ...parse(binding), rule: text, check, ...more };
}

/** A rule that no test can prove, and why. */
export function unchecked(id: string, binding: Binding, text: string, reason: string): Requirement {
  return { id, ...parse(binding), rule: text, check: "none", reason };
}

/**
 * Reads areas of rules from text, in which an empty line separates them:
 *
 * ```text
 * Files (FS)
 * FS-07 both must: Paths of file methods are absolute.
 * FS-08 client should: The session decides which paths may be read and written.
 *   check: behaviour
 *   follows: draft prose, as a boundary
 * ```
 *
 * Indented lines are the other members of the rule. One with a `reason` is not checked.
 */
export function readAreas(text: string): readonly Area[] {
  return text
    .trim()
    .split("\n\n")
    .map((part) => {
      const [head = "", ...rules] = part.split(/\n(?! )/u);
      const [, title = "", prefix = ""] = /^(.+) \(([A-Z]+)\)$/u.exec(head) ?? [];
      return { prefix, title, requirements: rules.map(readRule) };
    });
}

const ruleLine =
  /^([A-Z]+-\d\d) ((?:agent|client|both|transport) (?:MUST|SHOULD|MAY|must|should|may)(?: NOT| not)?): (.+)$/u;

function readRule(text: string): Requirement {
  const [head = "", ...lines] = text.split("\n  ");
  const [, id, binding, words] = ruleLine.exec(head) ?? [];
  if (id === undefined || binding === undefined || words === undefined) throw new TypeError(`No rule: ${text}`);
  const { reason, ...options } = Object.fromEntries(lines.map((line) => line.split(/: (.+)/u)));
  // The expression has found a party and a level.
  return reason === undefined
    ? rule(id, binding as Binding, words, options)
    : unchecked(id, binding as Binding, words, reason);
}

/** The sides for which a rule has to be proven; none of the transport's, which has no sides. */
export function sidesOf({ who, also }: Pick<Requirement, "who" | "also">): readonly Side[] {
  if (who === "transport") return [];
  return who === "both" || also !== undefined ? ["agent", "client"] : [who];
}

function parse(binding: Binding): { readonly who: Party; readonly level: Level } {
  const space = binding.indexOf(" ");
  // The type of a binding says that there are a party and a level around its first space.
  return { who: binding.slice(0, space) as Party, level: binding.slice(space + 1) as Level };
}
