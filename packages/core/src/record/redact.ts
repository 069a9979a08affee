/** What stands in the place of a secret. */
const redacted = "[redacted]";

/** Members whose values are secrets wherever they stand, by a part of their names. */
const secretNames =
  /authori[sz]ation|token|secret|passw|passphrase|credential|cookie|api[-_]?key|private[-_]?key|access[-_]?key|^auth$|bearer|signature/i;
/** Members that hold name and value pairs: environments and headers. All their values are secrets. */
const pairLists = /^(?:env|environment|headers|httpHeaders)$/i;
/** Options of a command whose value is a secret: `--api-key=…`, or `--api-key` with its value behind it. */
const secretOption = /^--?[\w-]*(?:token|secret|passw|credential|api[-_]?key|auth(?!or))/i;
/** Credentials that give themselves away by their form, in any text: bearer tokens, user info of URLs, known prefixes. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `$1 ${redacted}`],
  // A bounded scheme, so that a long text without one is read in linear time.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:"]+:[^\s/@"]+@/gi, `$1${redacted}@`],
  [/([?&](?:access_token|token|api_?key|key|secret|password|signature|code)=)[^&\s"#]+/gi, `$1${redacted}`],
  [/\b(?:sk-|ghp_|gho_|ghs_|github_pat_|xox[abprs]-|glpat-|AKIA)[\w-]{12,}/g, redacted],
];

/**
 * Levels of nesting that are kept. No message has a tenth of them, and to redact and to write them takes
 * little of the stack; a peer that sends 100,000 must not end the process that records.
 */
const maxLevels = 500;
const tooDeep = "[nested too deep]";

/**
 * A copy of a message without credentials, for logs: the values of environments and headers, of members
 * with names such as `authorization`, `token` or `apiKey` (in `_meta` as anywhere else), and what has the
 * form of a bearer token, a well-known key, or a URL with a password in it; and the values of options such
 * as `--token` in a command's `args`. What is nested deeper than 500 levels is left out, too.
 *
 * What a prompt, a file or a command's output says is not a credential by its place, and stays, but for
 * what has such a form. Keep recordings as private as what was recorded.
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
  if (secretNames.test(name)) return redactAll(value, levels);
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
  let isSecret = false;
  return copy(args, levels, (arg, below) => {
    if (typeof arg !== "string") return redactValue(arg, below);
    const [option = ""] = arg.slice(0, 128).split("=", 1);
    const isOption = !isSecret && secretOption.test(option);
    const isWhole = option.length === arg.length;
    const shown = isSecret ? redacted : isOption && !isWhole ? `${option}=${redacted}` : redactText(arg);
    isSecret = isOption && isWhole;
    return shown;
  });
}

/** Every text in it. Numbers, which count tokens for example, stay. */
function redactAll(value: unknown, levels: number): unknown {
  return typeof value === "string" ? redacted : copy(value, levels, redactAll);
}

/** A text without the credentials that can be told by their form. */
export function redactText(text: string): string {
  return secretTexts.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text);
}
