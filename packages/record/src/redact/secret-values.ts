// What a value looks like: whether it can be a secret at all.
import { words } from "./spans.ts";

/** `${TOKEN}`, `$(pass show token)`, `%TOKEN%`, `{{ token }}`, `<token>`. */
const reference =
  /^(?:\$\{[^}]*\}|\$\([^)]*\)|\$?\{\{[^}]*\}\}|%[A-Za-z_]\w*%|\{[\w.]*\}|<[^<>]*>|\[(?:redacted|hidden|masked|[A-Z_ -]+)[\w ]*\])$/u;
/** `$ecret1` is no variable: those have names in capitals, or that of a secret. */
const variable =
  /^\$(?:[A-Z_][A-Z0-9_]*|\w*(?:token|key|pass|password|secret|auth|pwd|cred|user)[a-z_]*|\d|env:\w+)$/iu;
const lookup =
  /^[["'(]?(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env|os\.(?:environ|getenv|Getenv)|getenv|env|ENV|System\.getenv|std::env|secrets|vars|op:\/)[.([:/]/u;
const placeholder =
  /^(?:…|[*•x.·…_-]{3,}|(?:your|insert|replace)[-_ ][\w -]*|\(?(?:redacted|hidden|masked|none|empty)\)?|X-[a-z]+(?:-[a-z]+)*)$/iu;
/** Words of languages, and answers that are no secrets. */
const keywords =
  /* @__PURE__ */ words(`true false null none nil undefined yes no on off required optional string str number boolean bool any unknown object
   bytes byte buffer uint8array arraybuffer u8 u16 u32 u64 i32 i64 int32 int64 float64 varchar char text void never
   function self this inherit include omit same-origin basic bearer digest oauth oauth2 negotiate missing invalid expired
   empty unset ok enabled disabled incorrect wrong promise error failed n/a lax strict valid granted denied and or`);
/** Words that are secrets where a value has to stand, and say nothing in a sentence. */
const weakWords =
  /^(?:passwords?|tokens?|secrets?|default|test|ask|prompt|vault|auto|interactive|keyring|keychain|set)$/iu;

const hasLetter = /\p{L}/u;
const hasDigit = /\d/u;
const hasMark = /[!#$%^&*?~@+=/\\]/u;

/** The longest value that is looked at more closely; a longer one is no name, and no word. */
const longestWord = 256;

/** Whether a value refers to a secret, or stands for one: `$TOKEN`, `<token>`, `***`. */
export function isReference(value: string): boolean {
  const text = value.trim();
  if (text === "") return true;
  if (text.length > longestWord) return false;
  if (text.includes("$") && /^(?:\$\{[^}]*\}|\$[A-Z_][A-Z0-9_]*|[:@/.-])+$/u.test(text)) return true;
  return variable.test(text) || reference.test(text) || placeholder.test(text) || lookup.test(text);
}

/** Whether a value is a reference, or a word of a language: `null`. */
export function isStandIn(value: string): boolean {
  return (
    isReference(value) || (value.length <= longestWord && keywords.has(value.trim().replace(/^&/u, "").toLowerCase()))
  );
}

/** Whether a value is a word like `token`, which is a bad password, or no value at all. */
export function isWeakWord(value: string): boolean {
  return value.length <= longestWord && weakWords.test(value.trim());
}

/** Whether a value looks random: long, with letters and digits, and no path, address or sentence. */
export function isRandom(value: string, atLeast = 16): boolean {
  return (
    value.length >= atLeast &&
    hasLetter.test(value) &&
    (hasDigit.test(value) || /[a-z][A-Z][^]*[a-z][A-Z]/u.test(value)) &&
    !/[\s(){}<>]|:\/\/|^[./~]/u.test(value) &&
    !/^[a-z]+(?:[-_.][a-z0-9]+){2,}$|^[a-z]+(?:[A-Z][a-z]+)+\d?$/u.test(value)
  );
}

/** Whether a value has letters along with digits or marks, so that it is no word of a sentence. */
export function isMixed(value: string): boolean {
  return value.length >= 4 && hasLetter.test(value) && (hasDigit.test(value) || hasMark.test(value));
}

export function isNumber(value: string): boolean {
  return /^[\d.,_]{1,40}%?$/u.test(value);
}

/** Whether a value is a path or an address, which have rules of their own. */
export function isPlace(value: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]{1,15}:\/\/|\.{1,2}\/|~\/|[A-Z]:\\|\/(?:home|usr|etc|run|var|tmp|opt|root|Users|mnt|proc|dev|src|app|workspace|work|project|secrets|bin|lib|private|srv)(?:\/|$))/u.test(
      value,
    ) || /^[\w-]{1,64}\.(?:json|txt|pem|key|ya?ml|toml|env|[jt]sx?|py|go|rs|md|crt)$/u.test(value)
  );
}

/** Whether a value is an expression of a programming language: `config.token`, `getToken()`. */
export function isCode(value: string): boolean {
  if (value.length > longestWord) return false;
  return (
    /^(?:await|new|typeof|return)$/u.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\?\.|::|->)[A-Za-z_$]/u.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*[([]/u.test(value) ||
    /^(?:[a-z_$][A-Za-z_$]*)(?:\.[A-Za-z_$]+)+[;,)]*$/u.test(value) ||
    /^&?(?:mut )?[A-Za-z]+<[^>]*>/u.test(value)
  );
}

/** Whether a quoted value is a text for people about a secret: `"Enter your password"`. */
export function isLabel(value: string): boolean {
  const text = value.trim();
  if (text.length > longestWord || !/\s/u.test(text) || hasDigit.test(text)) return false;
  return /\b(?:pass\w*|tokens?|secrets?|keys?|credentials?|cookies?|log ?in|sign ?in|invalid|required|enter|please|authenticat\w*|authoriz\w*|code)\b/iu.test(
    text,
  );
}
