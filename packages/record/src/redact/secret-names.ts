// What a name says about its value: members of messages, variables, headers, options of commands, words in texts.
import { words } from "./spans.ts";

/**
 * What the name of a value says about it:
 *
 * - `secret`: the value is a secret, unless it refers to one or only stands for one;
 * - `tokens`: numbers count tokens, texts are secrets;
 * - `digits`: a number of four digits or more is a secret, as in `pin`;
 * - `word`: anything but a number is a secret, as in `pass`;
 * - `key`: only a long random value is a secret, as in `STRIPE_KEY`;
 * - `folder`: a secret unless it is a path, as in `PWD`;
 * - `plain`: anything else.
 */
export type NameKind = "secret" | "tokens" | "digits" | "word" | "key" | "folder" | "plain";

/** Names of secrets, alone or as a part of a longer name. */
const secrets =
  /* @__PURE__ */ words(`password passwords passwd passwds passwort passworte kennwort kennwörter geheimnis contraseña contrasena senha hasło haslo пароль wachtwoord salasana lösenord adgangskode parola heslo şifre sifre jelszó parolă motdepasse
  psk passphrase passphrases passcode passcodes secret secrets
  token jwt jwts jws otp otps totp hotp credential credentials cred creds cookie cookies authorization authorisation
  bearer mnemonic cvv cvc apikey apikeys phpsessid jsessionid requirepass masterauth`);
/** Ends of names that are written in one word: `dbpassword`, `authtoken`. */
const secretEnds =
  /(?:password|passwd|passphrase|passcode|secret|token|apikey|accesskey|privatekey|secretkey|authkey|credentials?|cookie|pwd)$/u;
const gluedPass =
  /^(?:db|user|ssh|store|key|keystore|truststore|root|smtp|ftp|my|admin|mysql|pg|redis|mongo|auth|proxy|login|mail|sudo|vpn|wifi|app|api)pass$/u;
/** What makes a secret of the word behind it. */
const before: Readonly<Record<string, ReadonlySet<string>>> = {
  key: /* @__PURE__ */ words(`api access private secret signing encryption decryption cipher auth authentication authorization master
    account shared subscription consumer client ssh deploy hmac sas service symmetric license functions session admin`),
  code: /* @__PURE__ */ words(`verification recovery backup authorization auth device security access pairing login otp mfa twofactor sms
    activation time unlock`),
  phrase: /* @__PURE__ */ words("seed recovery secret backup pass"),
  verifier: /* @__PURE__ */ words("code"),
  assertion: /* @__PURE__ */ words("client saml"),
  response: /* @__PURE__ */ words("saml"),
};
/** Keys that are no secrets. */
const plainKeys =
  /* @__PURE__ */ words(`public primary foreign sort cache partition hot short shortcut map object index group unique row
  idempotency storage query translation react tab home end any arrow enter escape host registry sub parent config socket`);

/** What a name is about if one of these comes after the word for the secret: `tokenLimit`, `password-store`. */
const about =
  /* @__PURE__ */ words(`store stores file filename files path paths dir directory folder stdin fd cmd command helper manager
  provider policy policies length len limit limits count counts counter usage used budget type types url urls uri
  endpoint endpoints server expiry expires expired expiration expire ttl lifetime age at name names id ids field fields
  env var variable required optional enabled disabled strength hint format scheme schema method methods algorithm alg
  size index position pos offset min max scope scopes issuer audience resolver rotation rotate validator validation valid
  invalid encoder encoding decoder per rate price cost estimate estimator window version status state error errors
  strategy mode source label title description placeholder visible visibility color kind ring permission permissions
  prompt message page form box class classes style icon button link screen view component props context handler
  controller module middleware guard generator factory parser stream map table column row consent banner jar domain
  samesite secure httponly prefix suffix regex pattern rules rule check changed updated created exists present less
  seconds ms bytes bits namespace ref refs arn revoked saved cache caching bucket supported needed reset option options
  stats metrics no tests`);
/** The same before the word for the secret: `hasPassword`. */
const aboutBefore =
  /* @__PURE__ */ words(`has have is no with without redact longest shortest forgot forgotten show hide toggle require requires required needs need
  use uses max min num total missing public reveal`);
/** The same before `token`: `nextPageToken`, `progressToken`. */
const aboutToken =
  /* @__PURE__ */ words(`unexpected next page continuation sync progress cancellation cancel pagination eos bos pad unk
  mask stop special first last per each every prompt completion reasoning cached thinking input output`);
/** What `pass` is, if it is no password: `renderPass`. */
const aboutPass =
  /* @__PURE__ */ words(`first second third render compiler did all tests by can must will to one two multi boarding
  shadow final did test suite should`);

/** The longest name that is read; of longer ones, the end. */
const longestName = 128;

/** The words of a name in any style, in lower case and without numbers at their end: `GITHUB_TOKEN_2`, `apiKey`. */
export function wordsOf(name: string): readonly string[] {
  return remembered(knownWords, name, splitName);
}

function splitName(name: string): readonly string[] {
  return name
    .slice(-longestName)
    .replaceAll(/2FA/giu, "twofactor")
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/u, ""))
    .filter((word) => word !== "");
}

/** How many names are remembered: a peer may invent some without end. */
const mostKnown = 2_000;
const knownWords = new Map<string, readonly string[]>();
const knownKinds = new Map<string, NameKind>();

/** What was found for a name before. A text may repeat one a hundred thousand times. */
function remembered<Found>(known: Map<string, Found>, name: string, find: (name: string) => Found): Found {
  let found = known.get(name);
  if (found === undefined) {
    found = find(name);
    if (known.size >= mostKnown) known.clear();
    if (name.length <= longestName) known.set(name, found);
  }
  return found;
}

/** What a name says about its value. */
export function kindOfName(name: string): NameKind {
  return remembered(knownKinds, name, (unknown) => findKind(wordsOf(unknown)));
}

function findKind(parts: readonly string[]): NameKind {
  let found: NameKind = "plain";
  for (const [index, word] of parts.entries()) {
    const kind = kindOfWord(parts, index, word);
    if (kind === "plain" || isAbout(parts, index, word)) continue;
    if (kind === "secret") return kind;
    found = kind;
  }
  return found;
}

function kindOfWord(parts: readonly string[], index: number, word: string): NameKind {
  const previous = parts[index - 1] ?? "";
  const isLast = index === parts.length - 1;
  if (word === "tokens") return "tokens";
  if (word === "pwd") return "folder";
  if (secrets.has(word) || secretEnds.test(word) || gluedPass.test(word)) return "secret";
  const single = word.replace(/s$/u, "");
  if (Object.hasOwn(before, single) && before[single]!.has(previous)) return "secret";
  if (word === "auth" && (isLast || /^(?:headers?|value|data|string)$/u.test(parts[index + 1]!))) return "secret";
  if (word === "pass" && isLast && !aboutPass.has(previous)) return previous === "" ? "word" : "secret";
  if (word === "pin" && isLast) return "digits";
  if (word === "key" && isLast && previous !== "" && !plainKeys.has(previous)) return "key";
  return isLast && /^(?:signature|sig|pat)$/u.test(word) ? "key" : "plain";
}

function isAbout(parts: readonly string[], index: number, word: string): boolean {
  const previous = parts[index - 1] ?? "";
  if (aboutBefore.has(previous)) return true;
  if (word === "token" && aboutToken.has(previous)) return true;
  // The secret of a role in Vault is called its id.
  if (word === "secret" && parts[index + 1] === "id" && index === parts.length - 2) return previous === "client";
  return parts.slice(index + 1).some((after) => about.has(after));
}

/** Whether a list or an object with this name holds variables or headers: all their values may be secrets. */
export function holdsPairs(name: string): boolean {
  if (!/env|header/iu.test(name)) return false;
  const last = wordsOf(name).at(-1) ?? "";
  return (
    /^(?:env|envs|environment|header|headers)$/u.test(last) || /^(?:environment|env)_?vars?(?:iables)?$/iu.test(name)
  );
}

/** Whether it is written like the name of a variable of the environment, or of a header that somebody has made up. */
export function isPairName(name: string): boolean {
  return /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*|X-[\w-]+)$/u.test(name);
}
