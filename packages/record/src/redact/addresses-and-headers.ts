// Credentials in addresses, headers, and commands that say what they are in words.
import { kindOfName } from "./secret-names.ts";
import { isMixed, isRandom, isStandIn } from "./secret-values.ts";
import { type Finder, type Searched, type Span } from "./spans.ts";

/** The longest user and host that are read, in UTF-16 code units. */
const longestAuthority = 2_048;

/** The user and the password of an address, and a token in their place. */
export const findAddressSecrets: Finder = function* (searched: Searched): Iterable<Span> {
  const { text, isOpen } = searched;
  for (const match of text.matchAll(/:\/\//gu)) {
    const start = match.index + match[0].length;
    const end = Math.min(searched.runEnd(start, isAuthorityCode), start + longestAuthority);
    // The last `@`: a password may have one.
    const at = start + text.slice(start, end).lastIndexOf("@");
    if (at < start && isOpen && end === text.length) {
      // Its end is still to come: what is no port may be a password.
      const password = /^[^:]{0,64}:(?=\D)/u.exec(text.slice(start, end));
      if (password !== null) yield { start: start + password[0].length, end };
    }
    if (at <= start) continue;
    const user = text.slice(start, at);
    const colon = user.indexOf(":");
    const password = colon < 0 ? "" : user.slice(colon + 1);
    if (colon < 0 ? isRandom(user) : !isStandIn(password)) yield { start, end: at };
  }
};

/** White space, quotes and what comes behind the host of an address end its user and its host. */
function isAuthorityCode(code: number): boolean {
  return code > 32 && ![34, 39, 47, 60, 62, 92, 96].includes(code);
}

/** Parameters of addresses. */
export const findParameters: Finder = function* (searched: Searched): Iterable<Span> {
  const { text } = searched;
  let done = 0;
  for (const match of text.matchAll(/[?&#;]([\w.%-]{1,64})=/gu)) {
    const start = match.index + match[0].length;
    if (start < done) continue;
    const end = searched.runEnd(start, isParameterCode);
    const value = text.slice(start, Math.min(end, start + 1_024));
    if (end === start || isStandIn(value) || !isSecretParameter(match[1]!, value)) continue;
    yield { start, end };
    done = end;
  }
};

function isSecretParameter(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  // Short codes are those of countries, answers and pages.
  if (lower === "code" || lower === "ticket") return value.length >= 6 || /^\d{4,}$/u.test(value);
  if (lower === "key") return (isMixed(value) && value.length >= 6) || value.length >= 16;
  if (/(?:^|[-_])(?:sig|signature)$/u.test(lower)) return true;
  const kind = kindOfName(name);
  if (kind === "key") return isMixed(value);
  return kind === "secret" || kind === "folder" || (kind === "word" && isMixed(value));
}

function isParameterCode(code: number): boolean {
  return code > 32 && ![34, 35, 38, 39, 41, 60, 62, 92, 93, 96, 125].includes(code);
}

/** A credential behind its scheme, without the name of its header. */
export const findSchemes: Finder = function* (searched: Searched): Iterable<Span> {
  const { text, isOpen } = searched;
  for (const match of text.matchAll(/\b(Bearer|Basic)\s{1,4}(?=[\w.~+/=-])/giu)) {
    const start = match.index + match[0].length;
    const end = searched.runEnd(start, isCredentialCode);
    const value = text.slice(start, Math.min(end, start + 4_096)).replace(/[.,]+$/u, "");
    const isSecret =
      match[1]!.toLowerCase() === "basic" ? isUserAndPassword(value) : value.length >= 16 && /\d/u.test(value);
    // Its end is still to come: a word of a sentence has no digits.
    const isCut = isOpen && end === text.length && /\d/u.test(value);
    if (isSecret || isCut) yield { start, end };
  }
};

function isCredentialCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    [95, 46, 126, 43, 47, 61, 45].includes(code)
  );
}

/** Whether it is the base64 of `user:password`: "Basic understanding" is not. */
function isUserAndPassword(value: string): boolean {
  const base64 = value.replace(/=+$/u, "");
  if (value.length < 8 || value.length > 4_096 || base64.length % 4 === 1) return false;
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]+$/u.test(atob(base64));
  } catch {
    return false;
  }
}

/** Where a secret stands in a command or a sentence: the group `secret`. Each repetition is bounded. */
const phrases: readonly RegExp[] = [
  // Shells and files that set a variable without `=`.
  /\b(?:set|setx|setenv|ENV|ARG|put|add|create)\s{1,4}(?:-\w{1,3}\s{1,4}){0,3}["']?(?<name>[A-Za-z_/][\w.:/-]{0,80})["']?\s{1,4}["']?(?<secret>[^\s"'=]{3,512})/dgu,
  // PowerShell
  /\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'](?<secret>[^"'\n]{1,256})/dgu,
  // .pgpass
  /(?<!\S)[\w.-]{1,128}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(?<secret>[^\s:]{1,128})(?=\n|$)/dgu,
  // .netrc
  /\blogin\s{1,4}\S{1,128}\s{1,8}password\s{1,4}(?<secret>\S{1,256})/dgu,
  // SQL
  /\b(?:identified\s{1,4}(?:with\s{1,4}\w{1,32}\s{1,4})?(?:by|as)|password)\s{1,4}(?<quote>['"])(?<secret>[^'"\n]{1,256})(?:\k<quote>|$)/dgiu,
  // Redis
  /(?:^|\n|redis-cli\s|>\s?)\s{0,4}(?:AUTH|auth)\s{1,4}(?<secret>[^\s"':=]{4,256})(?=\s*(?:$|\n|["']))/dgu,
  /\b(?:requirepass|masterauth)\s{1,4}["']?(?<secret>[^\s"':=]{4,256})/dgu,
  // A password that is piped into a program.
  /\b(?:echo|printf|print)\s{1,4}(?:-n\s{1,4})?(?:["']?%s(?:\\n)?["']?\s{1,4})?["']?(?<secret>[^\s"'|]{3,256})["']?\s{0,4}\|(?=[^\n|]{0,200}(?:--password-stdin|--with-token|sudo\s{1,4}(?:-\w{1,4}\s{1,4}){0,4}-S|--passphrase-fd|--stdin\b|chpasswd))/dgu,
  // Secrets of Kubernetes.
  /--from-literal[= ]["']?[\w.-]{1,128}=(?<secret>[^\s"']{1,512})/dgu,
  /\b(?:xfreerdp|wfreerdp|net\s{1,4}use)\b[^\n]{0,200}?\/p(?:ass(?:word)?)?:(?<secret>\S{1,128})/dgu,
  /\blftp\b[^\n]{0,100}?-u\s{1,4}[^\s,]{1,64},(?<secret>[^\s"']{1,128})/dgu,
  /\bhtpasswd\s{1,4}-\w{0,8}b\w{0,8}\s{1,4}\S{1,256}\s{1,4}\S{1,64}\s{1,4}(?<secret>\S{1,128})/dgu,
  /\bnet\s{1,4}use\b[^\n]{0,100}?\/user:\S{1,64}\s{1,4}(?<secret>[^\s/]\S{1,128})/dgu,
  /\bvault\s{1,4}login\s{1,4}(?!-)(?<secret>[\w.-]{8,256})/dgu,
  /\bmot\sde\spasse\s{0,4}[:=]\s{0,4}["'`]?(?<secret>[^\s"'`]{3,256})/dgiu,
  // The words of a wallet.
  /\b(?:mnemonic|seed phrase|recovery phrase)\b[\s"':=]{1,8}(?:is\s)?(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/dgiu,
  // "The password is hunter2", "password `hunter2`".
  /\b(?<name>(?:[a-z]{1,20} )?(?:passwor[dt]|passwd|passphrase|passcode|pwd|pin|otp|secret|token|credentials?|jwt|(?:api|access|secret|private) key|(?:verification|access|recovery|security|login|one-time) code))\s{1,4}(?:(?:is|was|=|to|be|as|are|ist|est|es|\||for\s\S{1,32}:)(?: now)?\s{1,4}:?\s{0,4})?(?<open>["'`*]{0,3})(?<secret>[^\s"'`]{4,256})/dgiu,
];

export const findPhrases: Finder = function* ({ text }: Searched): Iterable<Span> {
  for (const [index, phrase] of phrases.entries()) {
    for (const match of text.matchAll(phrase)) {
      const { name, secret = "", open } = match.groups ?? {};
      const [start, end] = match.indices!.groups!["secret"]!;
      const value = secret.replace(/[.,;:!?)*]+$/u, "");
      if (isStandIn(value) || value === "") continue;
      if (index === 0 && !isSetting(name ?? "", value)) continue;
      if (open !== undefined && !isTold(name ?? "", value)) continue;
      yield { start, end: open === undefined ? end : start + value.length };
    }
  }
};

function isSetting(name: string, value: string): boolean {
  const kind = kindOfName(name);
  return kind === "secret" ? /^[A-Z_]+$/u.test(name) || isMixed(value) : kind === "key" && isRandom(value);
}

/** Whether a sentence tells a secret, and not something about one. */
function isTold(name: string, value: string): boolean {
  if (/^\d{4,12}$/u.test(value)) return !/token|secret|key/iu.test(name);
  return (
    value.length >= 6 &&
    /\p{L}/u.test(value) &&
    /\d/u.test(value) &&
    !/^(?:\W|\w+\(|[\w.-]+\.[a-z]{2,4}$|v?\d+(?:\.\d+)+|\w+:\/\/|[./~]|\d+-\w+$|[\w-]+=)|^[\w.]+\[/u.test(value)
  );
}
