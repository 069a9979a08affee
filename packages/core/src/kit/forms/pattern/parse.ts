import type { StepBudget } from "./match.ts";
import { alternatives, type Part, PatternError, type Place, repeat, sequence, type State } from "./states.ts";

/** How deep groups may be nested. */
const depthLimit = 200;
/** How long a pattern may be, in UTF-16 units. */
const lengthLimit = 10_000;
/** The steps that the runtime needs to compile a unit of a pattern. */
const stepsPerUnit = 50;
/** The steps for `\p`, which the runtime expands to hundreds of ranges. */
const stepsPerProperty = 5_000;

const places: Readonly<Record<string, Place>> = { "^": "start", $: "end", "\\b": "boundary", "\\B": "no-boundary" };

/**
 * Reads a pattern. `isUnicode` is whether it matches characters of Unicode, or units of UTF-16.
 *
 * @throws {PatternError} it is no pattern, has something unsupported, or takes more steps than are left.
 */
export function parsePattern(source: string, budget: StepBudget): { start: State; isUnicode: boolean } {
  if (source.length > lengthLimit) throw new PatternError("it is too long");
  const properties = source.split(/\\p/iu).length - 1;
  spend(budget, source.length * stepsPerUnit + properties * stepsPerProperty);
  const flags = findFlags(source);
  const part = new Parser(source, flags).parse();
  spend(budget, part.size);
  return { start: part.link({ kind: "match" }), isUnicode: flags === "u" };
}

function spend(budget: StepBudget, steps: number): void {
  if (!budget.spend(steps)) throw new PatternError("it would take too long");
}

/** The flag `u`, as JSON Schema recommends, unless the source is an expression only without it. */
function findFlags(source: string): "u" | "" {
  for (const flags of ["u", ""] as const) {
    try {
      // This only parses it. The runtime's own matcher, which may backtrack for ever, never runs on it.
      void new RegExp(source, flags);
      return flags;
    } catch {
      // Try the next flags.
    }
  }
  throw new PatternError("it is no regular expression");
}

/** A class, an escape (a pair of surrogates is one), or a character. */
const unicodeAtom =
  /\[\^?(?:\\[^]|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])|[^]/uy;
/** The same without the flag `u`: there are octal numbers, a backslash before `c` may stand for itself, braces are plain. */
const unitAtom = /\[\^?(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|(?=c)|0[0-7]{0,2}|[^])|[^]/y;

/** Reads a source that the runtime has parsed already. */
class Parser {
  readonly #source: string;
  readonly #flags: "u" | "";
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: "u" | "") {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): Part {
    const part = this.#readAlternatives();
    if (this.#at < this.#source.length) throw new PatternError("it is no regular expression");
    return part;
  }

  #readAlternatives(): Part {
    const parts = [this.#readSequence()];
    while (this.#take(/\|/uy) !== undefined) parts.push(this.#readSequence());
    return alternatives(parts);
  }

  #readSequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) parts.push(this.#readTerm());
    return sequence(parts);
  }

  #readTerm(): Part {
    const at = places[this.#take(/\^|\$|\\[bB]/uy) ?? ""];
    if (at !== undefined) return { size: 1, link: (next) => ({ kind: "assert", at, next }) };
    const part = this.#readAtom();
    const quantifier = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/uy);
    return quantifier === undefined ? part : repeat(part, ...countsOf(quantifier));
  }

  #readAtom(): Part {
    if (this.#take(/\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/uy) !== undefined) return this.#readGroup();
    if (this.#take(/\(\?<?[=!]/uy) !== undefined) throw new PatternError("it looks ahead or behind");
    if (this.#take(/\(\?/uy) !== undefined) throw new PatternError("it changes its flags");
    if (/\\(?:[1-9]|k<)/uy.test(this.#source.slice(this.#at, this.#at + 3))) {
      throw new PatternError("it refers to one of its groups");
    }
    const atom = this.#take(this.#flags === "u" ? unicodeAtom : unitAtom);
    if (atom === undefined) throw new PatternError("it is no regular expression");
    const fits = fitterOf(atom, this.#flags);
    return { size: 1, link: (next) => ({ kind: "take", fits, next }) };
  }

  #readGroup(): Part {
    if (++this.#depth > depthLimit) throw new PatternError("its groups are nested too deeply");
    const part = this.#readAlternatives();
    this.#depth--;
    if (this.#take(/\)/uy) === undefined) throw new PatternError("it is no regular expression");
    return part;
  }

  /** Takes what comes next, if it has this form. */
  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const [text] = form.exec(this.#source) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}

function countsOf(quantifier: string): [min: number, max: number] {
  if (quantifier.startsWith("*")) return [0, Infinity];
  if (quantifier.startsWith("+")) return [1, Infinity];
  if (quantifier.startsWith("?")) return [0, 1];
  const [min = 0, max = quantifier.includes(",") ? Infinity : min] = (quantifier.match(/\d+/gu) ?? []).map(Number);
  return [min, max];
}

/** Tests a character by the runtime's own matcher, which cannot backtrack on a single atom. */
function fitterOf(atom: string, flags: "u" | ""): (character: string) => boolean {
  if (/^[\w\s-]$/u.test(atom)) return (character) => character === atom;
  try {
    const form = new RegExp(`^(?:${atom})$`, flags);
    return (character) => form.test(character);
  } catch {
    // A brace or backslash that stands for itself, and is an expression only in its place.
    return (character) => character === atom;
  }
}
