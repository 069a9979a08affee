const redacted = "[redacted]";

/** Parts of names whose values are secrets. */
const names =
  "authori[sz]ation|token|secret|passw|passphrase|credential|cookie|(?:api|private|access)[-_]?key|bearer|signature";
/** The same in arguments and texts, except for authors. */
const words = `${names}|auth(?!or)`;
/** Members whose values are secrets in any object. */
const secretNames = new RegExp(`${names}|^auth$`, "i");
/** Those of them whose numbers are not secret: they count tokens. */
const counts = /tokens|count|limit|usage/i;
/** Members with name and value pairs: environments and headers. All their values are secrets. */
const pairLists = /^(?:env|environment|headers|httpHeaders)$/i;
/** An option of a command whose next argument is a secret: `--api-key`. */
const secretOption = new RegExp(`^--?[\\w-]{0,64}?(?:${words})[\\w-]{0,64}$`, "i");
/** An option whose next argument is a name and value pair, and both in one argument. */
const pairOption = /^(?:-e|--env|-H|--headers?)$/;
const pairArgument = /^(--(?:env|headers?)=[^:=]*[:=])[^]*/;
/**
 * The name of a secret with a separator, in an argument of a command or in a text that is nearly JSON. The end of its value is
 * unknown, so the rest of the text is removed.
 */
const secretRest = new RegExp(
  `((?:${words})[\\w-]{0,32}(?:["'\\\\]|\\s{0,8}[:=])|"(?:env(?:ironment)?|(?:http)?headers)\\\\?")[^]*`,
  "i",
);
/**
 * Credentials with a recognisable form, in any text: those of HTTP, user info and parameters of URLs, JSON Web Tokens, known
 * prefixes. Each pattern needs linear time: repetitions are bounded, or cannot start in the middle of their own characters.
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
  // Without dashes, because of names of variables such as npm_package_version.
  [/\b(?:hf|npm)_[A-Za-z0-9]{20,}/g, redacted],
];

/** The levels of nesting that are kept: more than any message needs, and few enough for the stack if a peer sends 100,000. */
const maxLevels = 500;
const tooDeep = "[nested too deep]";

/**
 * Copies a message without credentials, for logs. Removes:
 *
 * - the values of environments and headers;
 * - members with names such as `authorization`, `token` or `apiKey`, in any object, also in `_meta`;
 * - in the `args` of a command, the values of options such as `--token`, and of the variables and headers after `-e` and `-H`;
 * - in any text, what looks like an `Authorization` header, a bearer token (16 characters or more, with a digit), a JSON Web
 *   Token, a well-known key, or a URL with a password;
 * - what is nested deeper than 500 levels.
 *
 * Other secrets stay, such as those in prompts, files and outputs. Keep a recording as private as what it records.
 */
export function redactCredentials(message: unknown): unknown {
  return redactValue(message, maxLevels);
}

/** Whether a value has more levels of nesting than a recording keeps. */
export function isTooDeep(value: unknown, levels: number = maxLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** Changes a member of an array or, with a name, of an object. `levels` limits its depth. */
type Change = (member: unknown, levels: number, name?: string) => unknown;

/** Copies an array or an object with each member changed. Returns other values as they are. */
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

/** Redacts name and value pairs: a list of `{ name, value }`, or an object. */
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

/** Redacts all texts and numbers in a value. */
function redactAll(value: unknown, levels: number): unknown {
  return typeof value === "string" || typeof value === "number" ? redacted : copy(value, levels, redactAll);
}

function redactTexts(value: unknown, levels: number): unknown {
  return typeof value === "string" ? redacted : copy(value, levels, redactTexts);
}

/**
 * Removes credentials from a line of text, for logs: those that {@link redactCredentials} recognises in texts, and everything
 * after the name of a secret, such as `API_KEY=`.
 */
export function redactLine(line: string): string {
  return redactText(line.replace(secretRest, `$1${redacted}`));
}

function redactText(text: string): string {
  try {
    return secretTexts.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text);
  } catch {
    // V8 cannot match a credential of millions of characters, as base64 may look.
    return redacted;
  }
}
