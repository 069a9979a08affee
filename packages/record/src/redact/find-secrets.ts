import { findAddressSecrets, findParameters, findPhrases, findSchemes } from "./addresses-and-headers.ts";
import { findAssignedSecrets, findElements } from "./assignments.ts";
import { findOptionSecrets } from "./command-options.ts";
import { findJsonWebKeys, findPrivateKeys } from "./private-keys.ts";
import { endOfColon, quoteAt, readValue } from "./read-value.ts";
import { holdsPairs, kindOfName } from "./secret-names.ts";
import { isStandIn } from "./secret-values.ts";
import { type Finder, joinSpans, maskSpans, redacted, Searched, type Span } from "./spans.ts";
import { findJsonWebTokens, findOtherForms, findPrefixedTokens } from "./token-formats.ts";

/** What finds secrets, and what a text needs to have for it: most texts have nothing of it. */
const finders: readonly (readonly [Finder, RegExp])[] = [
  [findPrivateKeys, /PRIVATE KEY|PuTTY/u],
  [findJsonWebKeys, /"kty\\{0,16}"/u],
  [findPrefixedTokens, /[-_.AK~]|dapi|cio|oy2|IGQV|GR13/u],
  [findJsonWebTokens, /eyJ/u],
  [findOtherForms, /:AA|AAAA|[MNO][\w-]{22}|https?:|\$|atlasv1|[0-2]\/[0-9a-f]{10}|-us\d|Q~|access-/u],
  [findAddressSecrets, /:\/\//u],
  [findParameters, /=/u],
  [findSchemes, /b(?:earer|asic)/iu],
  [findAssignedSecrets, /[:=]/u],
  [findElements, />/u],
  [findOptionSecrets, /(?<![\w-])-/u],
  [
    findPhrases,
    /pass|pwd|pin|otp|secret|token|credential|jwt|key|code|mnemonic|phrase|auth|identified|stdin|literal|\/p|-u|vault|set|sudo|net use|secure|\d:/iu,
  ],
];

/** Finds the secrets in a text: sorted, without overlap. `isOpen`: more of the text may follow. */
export function findSecrets(text: string, isOpen = false): readonly Span[] {
  const searched = new Searched(text, isOpen);
  return joinSpans(finders.flatMap(([find, needed]) => (needed.test(text) ? [...find(searched)] : [])));
}

/** Replaces the secrets in a text. */
export function maskText(text: string): string {
  return text.length < shortest ? text : maskSpans(text, findSecrets(text));
}

/** No secret is recognised in less: `-pabc`. */
const shortest = 5;

/**
 * Replaces the secrets in a line that is no message, such as one of a log. It may be a message that was cut off, or mixed with
 * another one: behind the name of a secret in JSON, everything is removed, since the end of the value is unknown.
 */
export function maskLine(line: string): string {
  const cut = startOfJsonSecret(line);
  return cut === undefined ? maskText(line) : `${maskText(line.slice(0, cut))}${redacted}`;
}

/** How far an option is looked for in a list of arguments. */
const argumentsLength = 256;

/** Where the first secret in JSON begins: behind its name. */
export function startOfJsonSecret(line: string): number | undefined {
  const searched = new Searched(line);
  let groupEnd = 0;
  for (const match of line.matchAll(/"([A-Za-z_][\w.-]{0,64})(?=\\{0,16}")/gu)) {
    const name = match[1]!;
    const kind = kindOfName(name);
    const isSecret = kind === "secret" || kind === "folder" || name === "args" || holdsPairs(name);
    if (!isSecret) continue;
    const nameEnd = match.index + match[0].length;
    const end = nameEnd + quoteAt(line, nameEnd).length;
    const after = endOfColon(line, end);
    if (after === undefined) continue;
    const value = readValue(searched, after, 8, groupEnd);
    if (value?.isGroup === true) groupEnd = value.end;
    // Arguments without an option have no secrets of this kind.
    if (name === "args" && !/["']-/u.test(line.slice(end, end + argumentsLength))) continue;
    if (value === undefined) continue;
    const shown = line.slice(value.start, Math.min(value.end, value.start + 300));
    // Without texts it is a list of nothing, or a schema.
    if (value.isGroup ? value.strings.length > 0 : !isStandIn(shown)) return end;
  }
  return undefined;
}
