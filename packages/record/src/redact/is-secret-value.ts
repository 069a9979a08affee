import { kindOfName, type NameKind, wordsOf } from "./secret-names.ts";
import { isCode, isLabel, isMixed, isNumber, isPlace, isRandom, isStandIn, isWeakWord } from "./secret-values.ts";

/** Types of several languages: `token: AccessToken`. */
const typeName =
  /^(?:[A-Z][a-z]+[A-Z][A-Za-z]*|Uint8Array|[ui]\d{1,3}|u?int\d{1,2}|float\d{1,2}|[A-Z][A-Za-z]*(?:[!?]|\[\])+|z\.\w+)$/u;

/** What is known of a value besides its text. */
export interface ValueContext {
  /** Whether it is certainly a value: in quotes, of a variable of the environment, of an option. */
  readonly isSure: boolean;
  readonly isQuoted: boolean;
  /** Whether nothing stands between the name, `=` and the value. */
  readonly isTight: boolean;
  /** Whether the separator is `=`. */
  readonly isAssigned: boolean;
  readonly name: string;
  /** What comes behind the value on its line. */
  readonly rest: string;
}

/** Whether a value is the secret that its name promises. */
export function isSecretValue(kind: NameKind, value: string, context: ValueContext): boolean {
  if (isStandIn(value)) return false;
  // `PASSWORD=secret` is a bad password, and `password: secret` says nothing.
  if (isWeakWord(value)) return context.isSure && /^[a-z]+$/u.test(value);
  if (kind === "key") return isRandom(value);
  if (kind === "digits") return /^\d{4,12}$/u.test(value);
  if (kind === "folder" && /^(?:[/~.]|[A-Za-z]:[\\/]|\$|\w+\/|`|process\.)/u.test(value)) return false;
  if (isNumber(value))
    return (kind === "secret" || kind === "folder") && (context.isSure || isSecretNumber(value, context.name));
  if (kind === "tokens") return isRandom(value);
  if (kind === "word" && /^(?:\W|\d+\/\d+)/u.test(value) && !isMixed(value)) return false;
  if (context.isQuoted) return !isLabel(value) && !isPlace(value);
  if (isPlace(value)) return false;
  if (context.isSure) return true;
  if (isCode(value) || value.startsWith("(")) return false;
  if (isMixed(value))
    return !typeName.test(value) && !(context.rest.startsWith("(") || /^[A-Za-z]+\/[A-Za-z]+$/u.test(value));
  return isWordSecret(value, context);
}

/** Whether a value that is a mere word can be a secret: if it is all of the value, and no type or name of a variable. */
function isWordSecret(value: string, { name, rest, isTight, isAssigned }: ValueContext): boolean {
  if (value.length < 3 || !/^[\p{L}\p{M}\d_.'-]+$/u.test(value)) return value.length >= 6;
  // "fortune cookie: crunchy"
  if (!isTight && /cookies?$/iu.test(name)) return false;
  const parts = wordsOf(value);
  const own = new Set(wordsOf(name));
  if (parts.some((word) => own.has(word) || kindOfName(word) !== "plain")) return false;
  if (isTight) return true;
  // Names of headers have dashes; their values are no code.
  if (!name.includes("-") && (typeName.test(value) || /[a-z][A-Z]/u.test(value))) return false;
  if (isAssigned && /^\s*[;+?.|&(]/u.test(rest)) return false;
  // Something else on the line: a sentence, or a type.
  return /^\s*(?:$|[}\])"'`#]|,\s*(?:$|["'\w-]+\s*[:=])|\/\/)/u.test(rest);
}

/** Whether a number is one that somebody types in. Others may count something. */
function isSecretNumber(value: string, name: string): boolean {
  return /^\d{6,}$/u.test(value) || (/^\d{4,}$/u.test(value) && /pass|pwd|pin|otp|code|secret/iu.test(name));
}
