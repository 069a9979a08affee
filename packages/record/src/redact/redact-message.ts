// Members of messages.
import { textOfBase64 } from "./base64-text.ts";
import { maskText } from "./find-secrets.ts";
import { privateKeyMembers } from "./private-keys.ts";
import { ArgumentRedaction } from "./redact-arguments.ts";
import { holdsPairs, isPairName, kindOfName, type NameKind } from "./secret-names.ts";
import { isLabel, isRandom, isReference } from "./secret-values.ts";
import { redacted } from "./spans.ts";

/** The levels of nesting that are kept: more than any message needs, and few enough for the stack if a peer sends 100,000. */
const maxLevels = 500;
const tooDeep = "[nested too deep]";

/** Whether a value has more levels of nesting than a recording keeps. */
export function isTooDeep(value: unknown, levels: number = maxLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** The same of JSON in a text. */
const maxInnerLevels = 100;

/** Copies a message without its secrets. `ids` replaces ids that look like secrets. */
export function redactMessage(message: unknown, ids: IdPlaceholders = new IdPlaceholders()): unknown {
  return redactValue(message, { levels: maxLevels, name: "", list: "", ids });
}

/** Where a value stands. */
interface Place {
  /** How many levels may still follow. */
  readonly levels: number;
  /** The name of the member; empty in a list. */
  readonly name: string;
  /** The name of the list or of the object around it. */
  readonly list: string;
  readonly ids: IdPlaceholders;
}

/** Placeholders for ids that have the form of a token: the same for the same id, so that a recording can be replayed. */
export class IdPlaceholders {
  readonly #placeholders = new Map<string, string>();

  replace(id: string): string {
    if (maskText(id) === id) return id;
    let placeholder = this.#placeholders.get(id);
    if (placeholder === undefined) {
      // Beyond that, ids are made up: one placeholder serves them all.
      if (this.#placeholders.size >= 1_000) return redacted;
      const count = this.#placeholders.size;
      placeholder = count === 0 ? redacted : `[redacted ${count + 1}]`;
      this.#placeholders.set(id, placeholder);
    }
    return placeholder;
  }
}

/** Copies an array or an object with each member changed. Returns other values as they are. */
function copy(value: unknown, place: Place, change: (member: unknown, place: Place) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (place.levels === 0) return tooDeep;
  const below = { levels: place.levels - 1, ids: place.ids };
  const list = place.name === "" ? place.list : place.name;
  if (Array.isArray(value)) return value.map((item) => change(item, { ...below, name: "", list }));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(member, { ...below, name, list })]),
  );
}

function redactValue(value: unknown, place: Place): unknown {
  const { name } = place;
  if (typeof value !== "object" || value === null) return redactScalar(value, name, place);
  if (holdsPairs(name)) return redactPairs(value, place);
  const kind = kindOfName(name);
  if ((kind === "secret" || kind === "tokens") && !isSchema(value, place)) return redactAll(value, place, kind);
  if (Array.isArray(value)) return redactList(value, place, "");
  if (isSchema(value, place) && kind !== "plain") return copy(value, place, redactSchemaMember);
  const label = labelOf(value);
  const command = "command" in value && typeof value.command === "string" ? value.command : "";
  const isKey = "kty" in value && typeof value.kty === "string";
  return copy(value, place, (member, below) => {
    if (isKey && typeof member === "string" && privateKeyMembers.has(below.name)) return redacted;
    if (below.name.toLowerCase() === "value" && label !== undefined) return redactLabelled(member, label, place, below);
    if (Array.isArray(member) && /^(?:args|arguments|argv)$/u.test(below.name))
      return redactList(member, below, command);
    return redactValue(member, below);
  });
}

function redactScalar(value: unknown, name: string, { ids }: Pick<Place, "ids">): unknown {
  if (typeof value === "number") return isSecretNumber(value, kindOfName(name)) ? redacted : value;
  if (typeof value !== "string") return value;
  if (/^(?:id|.*(?:Id|_id))$/u.test(name) && kindOfName(name) === "plain") return ids.replace(value);
  if (isSecretText(value, name)) return redacted;
  return name === "blob" ? redactBlob(value) : redactText(value, ids);
}

/** Redacts a file in base64, if it is a text. */
function redactBlob(base64: string): string {
  const read = looksLikeText(base64) ? textOfBase64(base64) : undefined;
  const masked = read && maskText(read.text);
  return read === undefined || masked === undefined || masked === read.text ? base64 : read.encode(masked);
}

function looksLikeText(base64: string): boolean {
  try {
    return /^[\t\n\r\x20-\x7e\x80-\xff]*$/u.test(atob(base64.slice(0, 256)));
  } catch {
    return false;
  }
}

/** Redacts a text. If it is JSON, it is redacted like a message, and written anew if it has a secret. */
export function redactText(text: string, ids: IdPlaceholders, mask: (text: string) => string = maskText): string {
  if (text === redacted) return text;
  const json = looksLikeJson(text) ? parsed(text) : undefined;
  if (json === undefined || isTooDeep(json, maxInnerLevels)) return redactJsonLines(mask(text), ids);
  const before = JSON.stringify(json);
  const after = JSON.stringify(redactValue(json, { levels: maxInnerLevels, name: "", list: "", ids }));
  if (before === after) return text;
  return text.includes("\n") ? JSON.stringify(JSON.parse(after), undefined, 2) : after;
}

/** Redacts the lines of a text that are JSON, as in a log. */
function redactJsonLines(text: string, ids: IdPlaceholders): string {
  if (!/\n\s{0,64}[[{]|^\s{0,64}[[{][^\n]{0,65536}\n/u.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (/^\s{0,64}[[{].*[\]}]\s{0,64}$/u.test(line) ? redactText(line, ids) : line))
    .join("\n");
}

/** Whether it begins and ends like a list or an object: to parse and fail takes longer than anything else here. */
function looksLikeJson(text: string): boolean {
  return /^\s{0,64}[[{]/u.test(text) && /[\]}]\s*$/u.test(text.slice(-64));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSecretNumber(value: number, kind: NameKind): boolean {
  return kind === "secret" || kind === "folder" || (kind === "digits" && value >= 1_000);
}

/** Words that say how to log in, or what else there is in the place of a secret. */
const word =
  /^(?:none|basic|bearer|digest|oauth2?|required|optional|include|omit|same-origin|inherit|string|boolean|number|true|false|null|undefined)$/iu;

/** Whether the text of a member is the secret that its name promises. */
function isSecretText(text: string, name: string): boolean {
  const kind = kindOfName(name);
  if (kind === "plain" || text.trim() === "") return false;
  const value = text.replace(/^(?:Basic|Bearer|Token)\s{1,4}/iu, "");
  if (isReference(value) || word.test(value)) return false;
  if (kind === "key") return isRandom(text) || (/^(?:signature|sig)$/iu.test(name) && !/\s/u.test(text));
  if (kind === "digits") return /^\d{4,12}$/u.test(text);
  if (kind === "folder") return !/^(?:[/~.]|[A-Za-z]:[\\/])/u.test(text);
  if (kind === "tokens") return !/^[\d.,_\s]+$/u.test(text);
  if (kind === "word") return !/^(?:\d+(?:\/\d+)?|\W{1,2}|yes|no|ok)$/iu.test(text);
  return !isLabel(text);
}

/** Redacts all texts and numbers in a value; for `tokens` texts only. */
function redactAll(value: unknown, place: Place, kind: NameKind): unknown {
  if (typeof value === "string")
    return value === "" || isReference(value) || isTypeWord(value, place) ? value : redacted;
  if (typeof value === "number") return kind === "tokens" ? value : redacted;
  return copy(value, place, (member, below) => redactAll(member, below, kind));
}

function isTypeWord(value: string, { name }: Place): boolean {
  return /^(?:type|kind|scheme|method)$/u.test(name) && /^[\w-]{1,24}$/u.test(value);
}

/** Redacts variables or headers: a list of `{ name, value }`, of `"NAME=value"`, or an object. */
function redactPairs(value: unknown, place: Place): unknown {
  if (!Array.isArray(value)) return redactAll(value, place, "secret");
  return copy(value, place, (pair, below) => {
    if (typeof pair === "string") return pair.replace(/^([A-Za-z_][\w.-]{0,128}[=:])?[^]*$/u, `$1${redacted}`);
    if (typeof pair !== "object" || pair === null || !("value" in pair)) return redactAll(pair, below, "secret");
    return copy(pair, below, (member, inner) =>
      inner.name === "value" ? redactAll(member, inner, "secret") : redactValue(member, inner),
    );
  });
}

const labels = ["name", "key", "variable", "header", "field", "configid", "id", "label"];

/** The name in a pair of a name and a value. */
function labelOf(pair: object): string | undefined {
  const members = new Map(
    Object.entries(pair).map(([name, member]: [string, unknown]) => [name.toLowerCase(), member]),
  );
  if (!members.has("value")) return undefined;
  return labels.map((label) => members.get(label)).find((label) => typeof label === "string");
}

/** Redacts the value of a pair that is not in a list of variables or headers. */
function redactLabelled(value: unknown, label: string, around: Place, place: Place): unknown {
  const kind = kindOfName(label);
  // Choices have names and values, too, and clients have to know the values.
  const isChoice = around.list === "options";
  if (kind === "plain" && !isChoice && isPairName(label)) {
    return redactAll(value, place, "secret");
  }
  if (kind === "plain" || (isChoice && typeof value === "string" && isSameWord(label, value)))
    return redactValue(value, place);
  if (typeof value === "object") return redactAll(value, place, kind);
  return redactScalar(value, label, place);
}

function isSameWord(one: string, other: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
  return plain(one) === plain(other);
}

/** Redacts a list, whose texts may be the arguments of a command. */
function redactList(list: readonly unknown[], place: Place, command: string): unknown {
  const isCommand = place.name === "args" || list.some((item) => typeof item === "string" && item.startsWith("-"));
  if (!isCommand) return copy(list, place, redactValue);
  const args = new ArgumentRedaction(command, list);
  return copy(list, place, (item, below) => {
    if (typeof item === "string") return args.redact(item);
    args.skip();
    return redactValue(item, below);
  });
}

/** Whether an object describes a value, as JSON Schema does: the field of a form, the argument of a tool. */
function isSchema(value: object, { list }: Place): boolean {
  if (Array.isArray(value)) return false;
  const { type, $ref, anyOf, oneOf } = value as Readonly<Record<string, unknown>>;
  const isType = typeof type === "string" && /^(?:string|number|integer|boolean|object|array|null)$/u.test(type);
  return isType || (list === "properties" && [$ref, anyOf, oneOf].some((member) => member !== undefined));
}

/** The default and the examples of a secret may be secrets. */
function redactSchemaMember(member: unknown, place: Place): unknown {
  return /^(?:default|const|example|examples|enum)$/u.test(place.name)
    ? redactAll(member, place, "secret")
    : redactValue(member, place);
}
