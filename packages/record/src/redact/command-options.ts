// Secrets behind the options of commands: `--password x`, `-u user:x`, `-px`. In texts, and in lists of arguments.
import { isSecretValue } from "./is-secret-value.ts";
import { endOfWord, quoteAt, readValue } from "./read-value.ts";
import { kindOfName } from "./secret-names.ts";
import { isNumber, isPlace, isStandIn } from "./secret-values.ts";
import type { Finder, Searched, Span } from "./spans.ts";

/** How much of a command is read before an option, to know the program. */
const commandLength = 256;

/** Options with a user and a password: `-u user:password`. */
const userOption = /^(?:-u|-U|--user|--proxy-user|--userpwd|--basic-auth|--auth|--login)$/u;
/** Programs whose `-u` is a user and a group, or something else. */
const otherUsers =
  /(?:^|[\s`'"$(])(?:docker|podman|nerdctl|compose|chown|kubectl|rsync|sort|git|systemctl)\s(?!.*\blogin\b)/u;
/** Programs that another one may start, with a user of their own. */
const calling = /\b(?:curl|wget|https?|xh)\b/u;
/** Programs for which `-a` is a user and a password. */
const userPrograms = /(?:^|[\s`'"$(])(?:https?|xh)\s/u;
/** Programs that take a password behind one of their short options. */
const passwordPrograms: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /\b(?:sshpass|mongo\w*|snowsql|influx|htpasswd|rar|unrar|7za?|kadmin|ipmitool|smbmap|crackmapexec|evil-winrm|winexe|rabbitmqadmin)\b/u,
    /^-[pP]$/u,
  ],
  [/\b(?:redis-cli|valkey-cli|keydb-cli)\b/u, /^-a$/u],
  [/\b(?:ldap\w+|security)\b/u, /^-w$/u],
  [/\b(?:sqlcmd|bcp|zip|unzip|zipcloak|isql|tsql|ipmitool)\b/u, /^-P$/u],
  [/\b(?:plink|pscp|psftp|putty)\b/u, /^-pw$/u],
  [/\bopenssl\b/u, /^-k$/u],
  [/\bssh-keygen\b/u, /^-[NP]$/u],
  [/\bcurl\b/u, /^(?:-b|--cookie)$/u],
  [/\bgh\s+secret\s+set\b/u, /^(?:-b|--body)$/u],
];
/** Commands that log in: their `-p` is a password. */
const logsIn = /\blogin\b|(?:^|\s)(?:-u|-U|--user|--username|--uid)[\s=]/u;
const passwordProgram = /\b(?:mysql\w*|mariadb\w*|sshpass|7za?|rar|unrar)\b/u;
const portOrPath = /^(?:[\d.:[\]-]+(?:\/(?:tcp|udp))?|[\w.-]*:\d+(?::\d+)?|\.{0,2}\/.*|~\/.*)$/u;
/** Words behind an option in a sentence: "use --token to log in". */
const sentence =
  /^(?:option|options|flag|flags|to|is|are|was|or|and|parameter|argument|for|with|in|on|if|when|as|instead|must|should|can|cannot|not|from|via|needs|means|value|values|the|a|an|that|which|be|takes|has|does|by|of|at|you|it|before|after|also|expects|accepts|required|only|because|since|but|no|will)$/iu;

/** The secret in the value of an option, in a command that begins with `line`; positions are those in `value`. */
export function secretOfOption(option: string, value: string, line: string): Span | undefined {
  if (isStandIn(value)) return undefined;
  const whole = { start: 0, end: value.length };
  const takesUser = userOption.test(option) || (option === "-a" && userPrograms.test(line));
  if (takesUser && /^[^\s:%]{1,128}[:%]\S/u.test(value) && !portOrPath.test(value)) {
    const start = value.search(/[:%]/u) + 1;
    const isPassword =
      !value.startsWith("//", start) &&
      !isStandIn(value.slice(start)) &&
      (!otherUsers.test(line) || calling.test(line));
    return isPassword ? { start, end: value.length } : undefined;
  }
  const own = passwordPrograms.some(([program, form]) => form.test(option) && program.test(line));
  if (own) return portOrPath.test(value) && !/^\d{6,}$/u.test(value) ? undefined : whole;
  if (/^-[pP]$/u.test(option)) {
    if (portOrPath.test(value) && !/^\d{6,}$/u.test(value)) return undefined;
    const isPassword = logsIn.test(line) && !/\s/u.test(value);
    return isPassword || isPasswordLike(value) ? whole : undefined;
  }
  // `--key` takes a file, `--pass` of a test a number.
  const kind = kindOfName(option);
  if (kind === "plain" || kind === "tokens") return undefined;
  if (/^[A-Z_]{2,}$/u.test(value) && (kindOfName(value) !== "plain" || /KEY|VALUE|STRING|SECRET|USER/u.test(value)))
    return undefined;
  const context = {
    isSure: true,
    isQuoted: /\s/u.test(value),
    isTight: true,
    isAssigned: true,
    name: option,
    rest: "",
  };
  return isSecretValue(kind, value, context) ? whole : undefined;
}

/** Whether a value is hardly anything else: letters of both kinds or none, digits and marks. */
function isPasswordLike(value: string): boolean {
  return (
    /^[^\s/@:.]{6,64}$/u.test(value) && /[A-Za-z]/u.test(value) && /\d/u.test(value) && /[!#%^&*?~+$]/u.test(value)
  );
}

/** The secret in an argument that has an option and its value in one, without `=`: `-phunter2`. */
export function secretOfShortOption(argument: string, line: string): Span | undefined {
  const value = argument.slice(2);
  const span = { start: 2, end: argument.length };
  if (/^-[uU]/u.test(argument) && /^[^-][^\s:]{0,128}:\S/u.test(value)) {
    const secret = secretOfOption(argument.slice(0, 2), value, line);
    return secret && { start: secret.start + 2, end: secret.end + 2 };
  }
  if (!argument.startsWith("-p") || value.length < 3 || isStandIn(value) || value.startsWith("=")) return undefined;
  if (/^[a-z]+$/u.test(value) ? !passwordProgram.test(line) : portOrPath.test(value) || isPlace(value))
    return undefined;
  if (passwordProgram.test(line)) return isNumber(value) && !/\bmysql|mariadb/u.test(line) ? undefined : span;
  return value.length >= 5 && /[A-Za-z]/u.test(value) && /\d/u.test(value) && !/[/:=-]/u.test(value) ? span : undefined;
}

/** Options of commands in a text. */
export const findOptionSecrets: Finder = function* (searched: Searched): Iterable<Span> {
  const { text } = searched;
  for (const match of text.matchAll(/(?<![\w-])-{1,2}[A-Za-z][\w-]{0,64}/gu)) {
    const option = match[0];
    const end = match.index + option.length;
    if (text[end] === "=") {
      // Those with a name of a secret are found as assignments.
      if (userOption.test(option)) yield* optionIn(searched, option, match.index, end + 1);
    } else if (text[end] === " " || text[end] === "\t") {
      yield* optionIn(searched, option, match.index, end);
    } else {
      // In a list of arguments: `"--token", "x"`.
      const separator = /^(\\{0,16}["'])\s{0,4},\s{0,4}(?=\1)/u.exec(text.slice(end, end + 48));
      if (separator !== null) yield* optionIn(searched, option, match.index, end + separator[0].length);
    }
    if (/^-[pu]/iu.test(option)) yield* shortOptionIn(searched, match.index);
  }
};

function* optionIn(searched: Searched, option: string, at: number, from: number): Iterable<Span> {
  const isKnown = /^-(?:[uUpPawkbN]|pw)$/u.test(option) || /^--(?:user|proxy-user|userpwd|login|body)$/u.test(option);
  if (!isKnown && kindOfName(option) === "plain") return;
  // In a list of options, more white space stands before what they do.
  const value = readValue(searched, from, 1);
  if (value === undefined || value.isGroup) return;
  const shown = searched.text.slice(value.start, Math.min(value.end, value.start + 4_096));
  // A flag without a value.
  if (!value.isQuoted && (shown.startsWith("-") || sentence.test(shown))) return;
  const secret = secretOfOption(option, shown, commandBefore(searched.text, at));
  if (secret === undefined) return;
  yield { start: value.start + secret.start, end: secret.end < shown.length ? value.start + secret.end : value.end };
}

function* shortOptionIn(searched: Searched, at: number): Iterable<Span> {
  const { text } = searched;
  const quote = quoteAt(text, at + 2);
  const from = at + 2 + quote.length;
  const closing = quote === "" ? -1 : text.indexOf(quote, from);
  const end = closing < 0 || closing > from + 256 ? endOfWord(searched, from) : closing;
  if (end <= from) return;
  const secret = secretOfShortOption(`${text.slice(at, at + 2)}${text.slice(from, end)}`, commandBefore(text, at));
  if (secret !== undefined) yield { start: secret.start - 2 + from, end };
}

/** The command before an option, back to where another one ends. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - commandLength), at);
  return before.slice(Math.max(...[";", "|", "\n", "&&"].map((sign) => before.lastIndexOf(sign))) + 1);
}
