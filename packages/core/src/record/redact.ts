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
 * A copy of a message without credentials, for logs: the values of environments and headers, of members
 * with names such as `authorization`, `token` or `apiKey` (in `_meta` as anywhere else), and what has the
 * form of a bearer token, a well-known key, or a URL with a password in it; and the values of options such
 * as `--token` in a command's `args`.
 *
 * What a prompt, a file or a command's output says is not a credential by its place, and stays, but for
 * what has such a form. Keep recordings as private as what was recorded.
 */
export function redactCredentials(message: unknown): unknown {
  return redactValue(message);
}

function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactMember(name, member)]));
}

function redactMember(name: string, value: unknown): unknown {
  if (pairLists.test(name)) return redactPairs(value);
  if (secretNames.test(name)) return redactAll(value);
  if (name === "args" && Array.isArray(value)) return redactArguments(value);
  return redactValue(value);
}

/** Both forms of name and value pairs: a list of `{ name, value }`, and an object. */
function redactPairs(value: unknown): unknown {
  if (!Array.isArray(value)) return redactAll(value);
  return value.map((pair: unknown) =>
    typeof pair === "object" && pair !== null && "value" in pair
      ? { ...pair, value: redactAll(pair.value) }
      : redactAll(pair),
  );
}

function redactArguments(args: readonly unknown[]): unknown {
  let isSecret = false;
  return args.map((arg) => {
    if (typeof arg !== "string") return redactValue(arg);
    const [option = ""] = arg.slice(0, 128).split("=", 1);
    const isOption = !isSecret && secretOption.test(option);
    const isWhole = option.length === arg.length;
    const shown = isSecret ? redacted : isOption && !isWhole ? `${option}=${redacted}` : redactText(arg);
    isSecret = isOption && isWhole;
    return shown;
  });
}

/** Every text in it. Numbers, which count tokens for example, stay. */
function redactAll(value: unknown): unknown {
  if (typeof value === "string") return redacted;
  if (Array.isArray(value)) return value.map(redactAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member)]));
}

/** A text without the credentials that can be told by their form. */
export function redactText(text: string): string {
  return secretTexts.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text);
}
