// `NAME=value`, `name: value`, `"name": "value"`, `<name>value</name>`: values whose name says that they are secrets.
import { readValue, type Value } from "./read-value.ts";
import { isSecretValue } from "./is-secret-value.ts";
import { isPairName, kindOfName, type NameKind } from "./secret-names.ts";
import { isLabel, isRandom, isStandIn } from "./secret-values.ts";
import { type Finder, isWordCode, type Searched, type Span } from "./spans.ts";

/** The longest name that is read. */
const longestName = 96;
/** How much of a value is looked at. */
const longestLooked = 1_024;
/** How much white space may stand around a separator. */
const longestGap = 8;

/** A name before a separator. */
interface Name {
  readonly text: string;
  readonly kind: NameKind;
  /** Whether it is written as a variable of the environment: `API_KEY`. */
  readonly isVariable: boolean;
  /** Whether it is an option of a command: `--token`. */
  readonly isOption: boolean;
  /** Whether it is in quotes, as in JSON. */
  readonly isQuoted: boolean;
  /** Whether nothing stands between it and the separator. */
  readonly isTight: boolean;
}

/** Values of secrets behind `=` and `:`. */
export const findAssignedSecrets: Finder = function* (searched: Searched): Iterable<Span> {
  const { text } = searched;
  const separator = /[:=]/gu;
  /** Everything in a list or an object of secrets is found with it. */
  let groupEnd = 0;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    const sign = match[0];
    let from = match.index + 1;
    // `::` separates names.
    if (sign === ":" && text[from] === ":") continue;
    // A list or an object in one that was read.
    if (from < groupEnd && (text[from] === "{" || text[from] === "[")) continue;
    const name = nameBefore(text, match.index);
    if (name === undefined) continue;
    // A comparison (`==`) is a test of a value; `=>` and `:=` go on.
    const compares = text[from] === "=" && sign === "=";
    while (from < match.index + 4 && (text[from] === "=" || text[from] === ">")) from++;
    const value = readValue(searched, from, longestGap, groupEnd);
    if (value === undefined || (compares && !value.isQuoted)) continue;
    if (value.isGroup) {
      yield* secretsInGroup(searched, name, value);
      groupEnd = value.end;
      continue;
    }
    const secret = secretIn(searched, name, sign, value);
    if (secret === undefined) continue;
    yield secret;
    separator.lastIndex = Math.max(value.end, separator.lastIndex);
  }
};

/** Reads the name that ends before a separator. */
function nameBefore(text: string, at: number): Name | undefined {
  let end = at;
  while (end > 0 && at - end < longestGap && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  const isTight = end === at;
  let isQuoted = false;
  // `"name":`, `\"name\":`, `["name"]=`, `name?:`.
  while (end > 0 && at - end < longestGap * 2 && isClosing(text, end - 1)) {
    isQuoted ||= quotes.has(text[end - 1]!);
    end--;
    while (end > 0 && text[end - 1] === "\\") end--;
  }
  let start = end;
  while (start > 0 && end - start < longestName && isNameCode(text.charCodeAt(start - 1))) start--;
  // A dot at its end is that of a sentence.
  if (start === end || text[end - 1] === ".") return undefined;
  const label = labelBefore(text, start, end);
  const name = longerName(text, start, end) ?? label ?? text.slice(start, end);
  const kind = label !== undefined && isQuoted && isPairName(label) ? "secret" : kindOfName(name);
  if (kind === "plain" || (kind === "key" && name.includes(" "))) return undefined;
  const isVariable = /^[A-Z][A-Z0-9_]+$/u.test(name);
  return { text: name, kind, isVariable, isOption: name.startsWith("-"), isQuoted, isTight };
}

/** Whether something stands behind the name that closes or marks it. A bracket only closes a quoted name. */
function isClosing(text: string, at: number): boolean {
  const character = text[at]!;
  return (
    quotes.has(character) || character === "?" || character === "!" || (character === "]" && quotes.has(text[at - 1]!))
  );
}

const quotes = new Set(['"', "'", "`"]);
/** Words that need the one before them to be the name of a secret, or of something else: "API key", "next token". */
const secondWords = /^(?:key|keys|code|codes|phrase|token|cookie|pass|pin)$/iu;
const longestSecondWord = 6;

/** A name of two words: "API key", "verification code". */
function longerName(text: string, start: number, end: number): string | undefined {
  if (text[start - 1] !== " " || end - start > longestSecondWord || !secondWords.test(text.slice(start, end)))
    return undefined;
  let before = start - 1;
  while (before > 0 && start - before < 32 && isWordCode(text.charCodeAt(before - 1))) before--;
  const longer = text.slice(before, end);
  return /^(?:key|code|phrase)/iu.test(text.slice(start, end)) || kindOfName(longer) === "plain" ? longer : undefined;
}

const labelForm =
  /(?:name|key|variable|header|field|configId|id|label)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?(?<label>[\w.-]{2,64})\\{0,8}["']?[,;]?(?:\s|\\+n){0,40}[{-]?\s{0,4}\\{0,8}["']?$/iu;
/** A variable of Terraform. */
const hclLabel = /\bvariable\s{1,4}"(?<label>[\w-]{2,64})"\s{0,4}\{[^{}]{0,100}$/u;
/** How far a label may stand before its value, with white space. */
const longestLabel = 128;

/** The name in a pair of a name and a value: `"name": "API_TOKEN", "value": `. */
function labelBefore(text: string, start: number, end: number): string | undefined {
  const name = end - start > "default".length ? "" : text.slice(start, end).toLowerCase();
  const form = name === "value" ? labelForm : name === "default" ? hclLabel : undefined;
  return form?.exec(text.slice(Math.max(0, start - longestLabel), start))?.groups?.["label"];
}

/** Punctuation and blanks beyond ASCII. */
function isWideMark(code: number): boolean {
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || code >= 0xd800;
}

function isNameCode(code: number): boolean {
  // From 192 on, letters of other languages than English.
  return isWordCode(code) || code === 45 || code === 46 || code === 36 || (code >= 192 && !isWideMark(code));
}

/** The secrets in a list or an object. */
function* secretsInGroup({ text }: Searched, { kind }: Name, { strings }: Value): Iterable<Span> {
  if (kind !== "secret" && kind !== "tokens") return;
  for (const part of strings) {
    const shown = text.slice(part.start, Math.min(part.end, part.start + longestLooked));
    if (!isStandIn(shown) && !isLabel(shown) && (kind === "secret" || isRandom(shown))) yield part;
  }
}

/** The secret in any other value. */
function secretIn(searched: Searched, name: Name, sign: string, value: Value): Span | undefined {
  const { text } = searched;
  const span = headerSecret(searched, name, value);
  if (span !== "other") return span;
  const isSecret = isSecretValue(name.kind, text.slice(value.start, Math.min(value.end, value.start + longestLooked)), {
    isSure: value.isQuoted || (sign === "=" && name.isTight && !value.isSpaced && (name.isVariable || name.isOption)),
    isQuoted: value.isQuoted,
    isTight: sign === "=" && name.isTight && !value.isSpaced,
    isAssigned: sign === "=",
    name: name.text,
    rest: value.rest,
  });
  return isSecret ? value : undefined;
}

/** The schemes of `Authorization`, which are no secrets. */
const scheme =
  /^(Basic|Bearer|Digest|Token|Negotiate|NTLM|ApiKey|Api-Key|Key|Bot|DPoP|GenieKey|SSWS|Splunk|AWS4-HMAC-SHA256|SharedAccessSignature|SharedKey)(?:\s{1,4}|$)/iu;

/** The secret in the value of a header: what follows a scheme, all cookies. `other` for anything else. */
function headerSecret(searched: Searched, { text: name, kind }: Name, value: Value): Span | "other" | undefined {
  const { text } = searched;
  const { start, end, lineEnd } = value;
  if (kind !== "secret" || !/auth|cookie|token|bearer|credential/iu.test(name)) return "other";
  const whole = value.isQuoted ? end : lineEnd;
  const line = text.slice(start, Math.min(whole, start + longestLooked));
  if (/cookie/iu.test(name)) return /^[\w.%-]{1,64}=/u.test(line) ? { start, end: whole } : "other";
  const found = scheme.exec(line);
  if (found === null) return "other";
  const from = start + found[0].length;
  if (from >= whole) return undefined;
  if (/^(?:Digest|AWS4)/iu.test(line) && line.includes("=")) return { start: from, end: whole };
  const to = value.isQuoted ? end : searched.runEnd(from, isCredentialCode);
  const credential = text.slice(from, Math.min(to, from + longestLooked));
  // "Authorization: Basic auth is needed": a sentence.
  if (!/\w{3}/u.test(credential)) return "other";
  const isProse = /^[a-z]{1,12}$/u.test(credential) && /^\s+\w/u.test(text.slice(to, to + 8));
  return isProse || isStandIn(credential) ? undefined : { start: from, end: to };
}

/** Anything but white space, quotes and brackets. */
function isCredentialCode(code: number): boolean {
  return code > 32 && code !== 34 && code !== 39 && code !== 60 && code !== 62 && code !== 92 && code !== 96;
}

/** Elements of XML: `<password>hunter2</password>`, `<string name="password">hunter2</string>`. */
export const findElements: Finder = function* ({ text, isOpen }: Searched): Iterable<Span> {
  for (const match of text.matchAll(/<([A-Za-z][\w.:-]{0,64})(\s[^<>]{0,200})?>\s{0,8}([^<>]{1,4096})(<\/|<?$)/gu)) {
    const [whole, element = "", attributes = "", content = "", after = ""] = match;
    if (after !== "</" && !isOpen) continue;
    const kind = kindOfName(/\b(?:name|key|id)="([^"]{1,64})"/u.exec(attributes)?.[1] ?? element);
    if (kind === "plain" || isStandIn(content) || isLabel(content)) continue;
    if (kind !== "secret" && !isRandom(content.trim())) continue;
    const end = match.index + whole.length - after.length;
    yield { start: end - content.length, end };
  }
};
