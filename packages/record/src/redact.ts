/** What stands in the place of a secret. */
const redacted = "[redacted]";

/** Parts of names whose values are secrets. */
const names =
  "authori[sz]ation|token|secret|passw|passphrase|credential|cookie|(?:api|private|access)[-_]?key|bearer|signature";
/** The same in arguments and texts, where an author is none. */
const words = `${names}|auth(?!or)`;
/** Members whose values are secrets wherever they stand. */
const secretNames = new RegExp(`${names}|^auth$`, "i");
/** Those of them whose numbers are none: they count tokens. */
const counts = /tokens|count|limit|usage/i;
/** Members that hold name and value pairs: environments and headers. All their values are secrets. */
const pairLists = /^(?:env|environment|headers|httpHeaders)$/i;
/** An option of a command whose value is a secret and stands behind it: `--api-key`. */
const secretOption = new RegExp(`^--?[\\w-]{0,64}?(?:${words})[\\w-]{0,64}$`, "i");
/** An option behind which a name and value pair stands, and both in one. */
const pairOption = /^(?:-e|--env|-H|--headers?)$/;
const pairArgument = /^(--(?:env|headers?)=[^:=]*[:=])[^]*/;
/**
 * A name of a secret and what parts it from its value: in a command's argument, or in a text that is nearly JSON. Where
 * the value ends is not known there, so the rest is left out.
 */
const secretRest = new RegExp(
  `((?:${words})[\\w-]{0,32}(?:["'\\\\]|\\s{0,8}[:=])|"(?:env(?:ironment)?|(?:http)?headers)\\\\?")[^]*`,
  "i",
);
/**
 * Credentials that give themselves away by their form, in any text: of HTTP, user info and parameters of URLs, JSON Web
 * Tokens, known prefixes. Each reads a text in linear time: what repeats is bounded, or begins where nothing of its kind
 * stands before.
 */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `$1 ${redacted}`],
  [/(authorization\W{1,8}(?:basic|bearer|digest|token)\s{1,4})[^\s"'\\]+/gi, `$1${redacted}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:"]+:[^\s/"]+@/gi, `$1${redacted}@`],
  [
    /([?&#](?:code|key|[\w-]{0,32}?(?:token|(?:api|access)[-_]?key|secret|passw(?:or)?d|credential|signature|sig|auth))=)[^&\s"#]+/gi,
    `$1${redacted}`,
  ],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/g, redacted],
  [/\b(?:sk-|gh[oprsu]_|github_pat_|xox[abprs]-|glpat-|AKIA|AIza|[rsp]k_(?:live|test)_)[\w-]{12,}/g, redacted],
  // Names of variables begin like these, too: npm_package_version.
  [/\b(?:hf|npm)_[A-Za-z0-9]{20,}/g, redacted],
];

/**
 * Levels of nesting that are kept. No message has a tenth of them, and to redact and to write them takes
 * little of the stack; a peer that sends 100,000 must not end the process that records.
 */
const maxLevels = 500;
const tooDeep = "[nested too deep]";

/**
 * A copy of a message without credentials, for logs. Left out are:
 *
 * - the values of environments and headers;
 * - members with names such as `authorization`, `token` or `apiKey`, wherever they stand, also in `_meta`;
 * - in a command's `args` the values of options such as `--token`, and of the variables and headers behind `-e` and `-H`;
 * - in any text what looks like an `Authorization` header, a bearer token (16 characters or more, with a digit), a JSON Web
 *   Token, a well-known key, or a URL with a password in it;
 * - what is nested deeper than 500 levels.
 *
 * Other secrets stay: texts of prompts, files and outputs are not searched for anything else. Keep a recording as private
 * as what was recorded.
 */
export function redactCredentials(message: unknown): unknown {
  return redactValue(message, maxLevels);
}

/** Whether it has more levels of nesting than a recording keeps. */
export function isTooDeep(value: unknown, levels: number = maxLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** Changes a member; the name is that of a member of an object. `levels` is how deep it may be. */
type Change = (member: unknown, levels: number, name?: string) => unknown;

/** A copy of an array or an object, each member changed; of anything else itself. */
function copy(value: unknown, levels: number, change: Change): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => change(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, levels - 1, name)]));
}

function redactValue(value: unknown, levels: number, name = ""): unknown {
  if (pairLists.test(name)) return redactPairs(value, levels);
  if (secretNames.test(name)) return counts.test(name) ? redactTexts(value, levels) : redactAll(value, levels);
  if (name === "args" && Array.isArray(value)) return redactArguments(value, levels);
  return typeof value === "string" ? redactText(value) : copy(value, levels, redactValue);
}

/** Both forms of name and value pairs: a list of `{ name, value }`, and an object. */
function redactPairs(value: unknown, levels: number): unknown {
  return Array.isArray(value) ? copy(value, levels, redactPair) : redactAll(value, levels);
}

function redactPair(pair: unknown, levels: number): unknown {
  if (typeof pair !== "object" || pair === null || !("value" in pair)) return redactAll(pair, levels);
  return copy(pair, levels, (member, below, name) =>
    name === "value" ? redactAll(member, below) : redactValue(member, below, name),
  );
}

function redactArguments(args: readonly unknown[], levels: number): unknown {
  let option = "";
  return copy(args, levels, (arg, below) => {
    const before = option;
    option = "";
    if (typeof arg !== "string") return redactValue(arg, below);
    if (secretOption.test(before)) return redacted;
    if (pairOption.test(before)) return redactText(arg.replace(/^([^:=]*[:=])[^]*/, `$1${redacted}`));
    option = arg;
    return redactLine(arg.replace(pairArgument, `$1${redacted}`));
  });
}

/** Every text and every number in it. */
function redactAll(value: unknown, levels: number): unknown {
  return typeof value === "string" || typeof value === "number" ? redacted : copy(value, levels, redactAll);
}

function redactTexts(value: unknown, levels: number): unknown {
  return typeof value === "string" ? redacted : copy(value, levels, redactTexts);
}

/**
 * A line of text without credentials, for logs: without those that {@link redactCredentials} recognises in texts, and without
 * everything that stands behind the name of a secret, such as `API_KEY=`.
 */
export function redactLine(line: string): string {
  return redactText(line.replace(secretRest, `$1${redacted}`));
}

/** A text without the credentials that can be told by their form. */
function redactText(text: string): string {
  try {
    return secretTexts.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text);
  } catch {
    // Millions of characters that are all of one credential, as base64 may look, are too many for V8 to match.
    return redacted;
  }
}
