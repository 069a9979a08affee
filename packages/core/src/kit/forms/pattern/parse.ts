import { either, type Instruction, PatternError, type Place, type Program, repeat, sequence } from "./program.ts";
import type { StepBudget } from "./step-budget.ts";

/** How deep groups may be nested. */
const depthLimit = 200;
/** How long a pattern may be, in UTF-16 units. */
const lengthLimit = 10_000;
/** What the runtime takes for a unit of a pattern, in steps of a match: measured with classes that all differ. */
const stepsPerUnit = 50;
/** And for `\p`, which it makes into a list of hundreds of ranges. */
const stepsPerProperty = 5_000;

export interface ParsedPattern {
  readonly program: Program;
  /** Whether its characters are those of Unicode, or units of UTF-16. */
  readonly isUnicode: boolean;
}

const places: Readonly<Record<string, Place>> = { "^": "start", $: "end", "\\b": "boundary", "\\B": "no-boundary" };

/**
 * Compiles a pattern.
 *
 * @throws {PatternError} if it is none, has what is not supported, or takes more steps than are left.
 */
export function parsePattern(source: string, budget: StepBudget): ParsedPattern {
  if (source.length > lengthLimit) throw new PatternError("it is too long");
  const properties = source.split(/\\p/iu).length - 1;
  spend(budget, source.length * stepsPerUnit + properties * stepsPerProperty);
  const flags = flagsFor(source);
  return { program: new Parser(source, flags, budget).parse(), isUnicode: flags === "u" };
}

/** As JSON Schema recommends, with `u`; without it if only so it is an expression. */
function flagsFor(source: string): "u" | "" {
  for (const flags of ["u", ""] as const) {
    try {
      // Only parsed; the runtime's own matcher, which may take for ever, never runs on it.
      void new RegExp(source, flags);
      return flags;
    } catch {
      // Tried without the flag, or told below.
    }
  }
  throw new PatternError("it is no regular expression");
}

/** A class, an escape (of a pair of surrogates as one), or a character. */
const atomForm =
  /\[\^?(?:\\[^]|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])|[^]/uy;
/**
 * The same without the flag `u`, of units of UTF-16: there are octal numbers, a backslash before a `c` can stand for
 * itself, and braces belong to no escape.
 */
const unitForm = /\[\^?(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|(?=c)|0[0-7]{0,2}|[^])|[^]/y;

/** Reads a source that is known to be well formed. */
class Parser {
  readonly #source: string;
  readonly #flags: "u" | "";
  readonly #budget: StepBudget;
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: "u" | "", budget: StepBudget) {
    this.#source = source;
    this.#flags = flags;
    this.#budget = budget;
  }

  parse(): Program {
    const program = this.#alternatives();
    if (this.#at < this.#source.length) throw new PatternError("it is no regular expression");
    return program;
  }

  #alternatives(): Program {
    const ways = [this.#sequence()];
    while (this.#take(/\|/uy) !== undefined) ways.push(this.#sequence());
    return this.#written(either(ways));
  }

  #sequence(): Program {
    const parts: Program[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) parts.push(this.#term());
    return this.#written(sequence(parts));
  }

  #term(): Program {
    const place = this.#take(/\^|\$|\\[bB]/uy);
    if (place !== undefined) return [{ kind: "place", at: places[place] ?? "start" }];
    const atom = this.#atom();
    const quantifier = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/uy);
    if (quantifier === undefined) return atom;
    const [min, max] = countsOf(quantifier);
    return max === 0 ? [] : this.#written(repeat(atom, min, max));
  }

  #atom(): Program {
    if (this.#take(/\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/uy) !== undefined) return this.#group();
    if (this.#take(/\(\?<?[=!]/uy) !== undefined) throw new PatternError("it looks ahead or behind");
    if (this.#take(/\(\?/uy) !== undefined) throw new PatternError("it changes its flags");
    if (/\\(?:[1-9]|k<)/uy.test(this.#source.slice(this.#at, this.#at + 3))) {
      throw new PatternError("it refers to one of its groups");
    }
    const atom = this.#take(this.#flags === "u" ? atomForm : unitForm);
    if (atom === undefined) throw new PatternError("it is no regular expression");
    return [take(atom, this.#flags)];
  }

  #group(): Program {
    if (++this.#depth > depthLimit) throw new PatternError("its groups are nested too deeply");
    const program = this.#alternatives();
    this.#depth--;
    if (this.#take(/\)/uy) === undefined) throw new PatternError("it is no regular expression");
    return program;
  }

  /** Groups and repetitions write a short pattern out again and again. */
  #written(program: Program): Program {
    spend(this.#budget, program.length);
    return program;
  }

  /** What comes next, if it has this form. */
  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const [text] = form.exec(this.#source) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}

function spend(budget: StepBudget, steps: number): void {
  if (!budget.spend(steps)) throw new PatternError("it would take too long");
}

function countsOf(quantifier: string): [min: number, max: number] {
  const [, min = "", range, max = ""] = /^\{(\d+)(,)?(\d*)\}/u.exec(quantifier) ?? [];
  if (min !== "") return [Number(min), range === undefined ? Number(min) : max === "" ? Infinity : Number(max)];
  const sign = quantifier[0];
  return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
}

/** What one atom takes. The runtime knows best, and with one character there is nothing to go back to. */
function take(atom: string, flags: "u" | ""): Instruction {
  if (/^[\w\s-]$/u.test(atom)) return { kind: "take", fits: (character) => character === atom };
  let form: RegExp;
  try {
    form = new RegExp(`^(?:${atom})$`, flags);
  } catch {
    // A brace or backslash that stands for itself, which is an expression only where it is.
    return { kind: "take", fits: (character) => character === atom };
  }
  return { kind: "take", fits: (character) => form.test(character) };
}
