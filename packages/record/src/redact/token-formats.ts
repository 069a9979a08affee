// Tokens that are recognised by their form, wherever they stand.
import { type Finder, isBase64Code, isTokenCode, isWordCode, type Searched, type Span } from "./spans.ts";

interface TokenFormat {
  /** How it begins; a part of a regular expression. */
  readonly prefix: string;
  /** How many characters follow, at least. */
  readonly length: number;
  /** Which characters: `token` has letters, digits, `_` and `-`; `word` no `-`, `letters` no `_`; `dotted` dots as well; `base64` also `+/=`. */
  readonly body: "token" | "word" | "letters" | "dotted" | "base64";
}

const isDottedCode = (code: number): boolean => isTokenCode(code) || code === 46;
const isLetterCode = (code: number): boolean => isWordCode(code) && code !== 95;
const bodies = {
  token: isTokenCode,
  word: isWordCode,
  letters: isLetterCode,
  dotted: isDottedCode,
  base64: isBase64Code,
};

/** Names of services in the order of the alphabet, as far as they say what their tokens are. */
const formats: readonly TokenFormat[] = [
  { prefix: "aio_", length: 20, body: "word" },
  { prefix: "(?:EZAK|EZTK)(?=[0-9A-Za-z]{40})", length: 40, body: "letters" },
  { prefix: "AKCp(?=[0-9])", length: 16, body: "letters" },
  { prefix: "AKID(?=[A-Za-z0-9]*\\d)", length: 28, body: "letters" },
  { prefix: "AQVN", length: 30, body: "token" },
  { prefix: "ATTA(?=[0-9a-f]{32})", length: 40, body: "word" },
  { prefix: "EAA(?=[A-Za-z0-9]*\\d)", length: 40, body: "token" },
  { prefix: "IGQV", length: 40, body: "token" },
  { prefix: "(?:cfut|cfat|cfk|cfoc)_", length: 20, body: "token" },
  { prefix: "v1\\.0-(?=[0-9a-f]{24}-)", length: 40, body: "token" },
  { prefix: "cio(?=[A-Za-z0-9]*\\d)(?=[A-Za-z0-9]{32}(?![A-Za-z0-9]))", length: 32, body: "letters" },
  { prefix: "csk-(?=[a-z0-9]*\\d)", length: 24, body: "letters" },
  { prefix: "ddp_", length: 20, body: "word" },
  { prefix: "dt0[a-z]\\d{2}\\.", length: 24, body: "dotted" },
  { prefix: "duffel_(?:test|live)_", length: 16, body: "token" },
  { prefix: "fio-u-", length: 20, body: "token" },
  { prefix: "fw_(?=\\w*\\d)", length: 20, body: "letters" },
  { prefix: "GR1348941", length: 16, body: "token" },
  { prefix: "HRKU-", length: 16, body: "token" },
  { prefix: "hcai[ik]_", length: 20, body: "word" },
  { prefix: "ico-(?=[A-Za-z0-9]*\\d)", length: 24, body: "letters" },
  { prefix: "mdb_sa_sk_", length: 16, body: "token" },
  { prefix: "napi_", length: 24, body: "word" },
  { prefix: "nf[pcob]_", length: 24, body: "word" },
  { prefix: "oy2(?=[a-z0-9]{43}(?![a-z0-9]))", length: 43, body: "letters" },
  { prefix: "pat-(?:na|eu|ap)\\d-", length: 20, body: "token" },
  { prefix: "pcsk_", length: 20, body: "word" },
  { prefix: "pdl_(?:live|sdbx)_", length: 16, body: "word" },
  { prefix: "pn[ub]_", length: 24, body: "word" },
  { prefix: "pul-(?=[0-9a-f]{20})", length: 32, body: "word" },
  { prefix: "rdme_", length: 24, body: "word" },
  { prefix: "rnd_(?=[A-Za-z0-9]*\\d)", length: 20, body: "letters" },
  { prefix: "sgp_", length: 24, body: "word" },
  { prefix: "shippo_(?:live|test)_", length: 16, body: "word" },
  { prefix: "sk_(?=[0-9a-f]{40})", length: 40, body: "letters" },
  { prefix: "sl\\.(?=[\\w-]{60})", length: 60, body: "token" },
  { prefix: "sm_(?:aat|pat|sat)_", length: 12, body: "word" },
  { prefix: "snyk_(?:uat|sat|pat)\\.", length: 16, body: "dotted" },
  { prefix: "sq[upa]_(?=[0-9a-f]{20})", length: 32, body: "word" },
  { prefix: "sha256~", length: 32, body: "token" },
  { prefix: "EAAA(?=[\\w-]*\\d)", length: 50, body: "token" },
  { prefix: "tfp_", length: 24, body: "dotted" },
  { prefix: "tgp_v1_", length: 20, body: "token" },
  { prefix: "vc[pikra]_(?=\\w*\\d)", length: 24, body: "word" },
  { prefix: "y0_(?=[A-Za-z0-9])", length: 30, body: "token" },
  { prefix: "zpka_", length: 24, body: "word" },
  { prefix: "AGE-SECRET-KEY-1", length: 16, body: "token" },
  { prefix: "LTAI", length: 16, body: "word" },
  { prefix: "(?:ATATT3x|ATCTT3x|ATBB)", length: 12, body: "base64" },
  { prefix: "(?:AKIA|ASIA|ABIA|ACCA)", length: 12, body: "word" },
  { prefix: "pat(?=[A-Za-z0-9]{14}\\.[0-9a-f]{8})", length: 24, body: "dotted" },
  { prefix: "(?:bkua|bkaj|bkct)_", length: 16, body: "word" },
  { prefix: "xkeysib-", length: 16, body: "token" },
  { prefix: "CCIPAT_", length: 16, body: "token" },
  { prefix: "(?:CLOJARS|FLWSECK|PMAK|NRAK|NRJS|NRII|EZAK|EZTK|CFPAT)[-_]", length: 16, body: "token" },
  { prefix: "dapi(?=[0-9a-f]{16})", length: 24, body: "token" },
  { prefix: "(?:dop|doo|dor)_v1_", length: 16, body: "word" },
  { prefix: "dckr_(?:pat|oat)_", length: 12, body: "token" },
  { prefix: "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", length: 16, body: "dotted" },
  { prefix: "sl\\.(?:B|u\\.)", length: 20, body: "token" },
  { prefix: "figd_", length: 16, body: "token" },
  { prefix: "(?:fm[12]|fo1)_", length: 16, body: "base64" },
  { prefix: "(?:gh[oprsu]_|github_pat_)", length: 12, body: "token" },
  { prefix: "gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-", length: 12, body: "dotted" },
  { prefix: "AIza", length: 12, body: "token" },
  { prefix: "(?:ya29\\.|1//0)", length: 16, body: "dotted" },
  { prefix: "GOCSPX-", length: 12, body: "token" },
  { prefix: "gl(?:sa|c)_", length: 16, body: "token" },
  { prefix: "gsk_", length: 16, body: "word" },
  { prefix: "hv[sbr]\\.", length: 16, body: "token" },
  { prefix: "lin_(?:api|oauth)_", length: 16, body: "word" },
  { prefix: "lsv2_(?:pt|sk)_", length: 16, body: "token" },
  { prefix: "key-(?=[0-9a-f]{24})", length: 24, body: "word" },
  { prefix: "nvapi-", length: 16, body: "token" },
  { prefix: "ntn_", length: 20, body: "word" },
  { prefix: "ops_eyJ", length: 16, body: "token" },
  { prefix: "pplx-", length: 16, body: "word" },
  { prefix: "pscale_(?:tkn|pw|oauth)_", length: 12, body: "dotted" },
  { prefix: "pypi-AgE", length: 16, body: "token" },
  { prefix: "phx_", length: 20, body: "word" },
  { prefix: "r8_", length: 20, body: "word" },
  { prefix: "rubygems_", length: 16, body: "word" },
  { prefix: "re_(?=[A-Za-z0-9]{6,12}_)", length: 16, body: "word" },
  { prefix: "SG\\.(?=[\\w-]{16,64}\\.)", length: 24, body: "dotted" },
  { prefix: "sntry[su]_", length: 16, body: "base64" },
  { prefix: "shp(?:at|ss|ca|pa)_", length: 16, body: "word" },
  { prefix: "xox[abcdeoprs](?:\\.xox[bp])?-", length: 10, body: "token" },
  { prefix: "xapp-", length: 12, body: "token" },
  { prefix: "sq0(?:atp|csp|idp)-", length: 12, body: "token" },
  { prefix: "(?:sk|rk|pk)_(?:live|test|prod)_", length: 12, body: "word" },
  { prefix: "whsec_", length: 12, body: "base64" },
  { prefix: "sb(?:p|_secret)_", length: 16, body: "token" },
  { prefix: "tskey-", length: 12, body: "token" },
  { prefix: "tvly-", length: 12, body: "token" },
  { prefix: "xai-", length: 16, body: "token" },
  { prefix: "SK(?=[0-9a-f]{32}(?!\\w))", length: 32, body: "word" },
  { prefix: "secret_(?=\\w*\\d)(?=\\w*[A-Z])", length: 32, body: "word" },
  { prefix: "sk-", length: 12, body: "token" },
  // Without marks, because of names of variables such as npm_package_version.
  { prefix: "(?:hf|npm)_", length: 20, body: "letters" },
];

let starts: RegExp | undefined;

/** How one of them begins. Made when it is needed. */
function startsOfTokens(): RegExp {
  starts ??= new RegExp(`(?<![\\w-])(?:${formats.map(({ prefix }) => `(${prefix})`).join("|")})`, "gu");
  return starts;
}

/** Tokens that begin with the name of their service. */
export const findPrefixedTokens: Finder = function* (searched: Searched): Iterable<Span> {
  const { text, isOpen } = searched;
  let done = 0;
  for (const match of text.matchAll(startsOfTokens())) {
    if (match.index < done) continue;
    const { length, body } = formats[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]!;
    const from = match.index + match[0].length;
    const end = searched.runEnd(from, bodies[body]);
    const isCut = isOpen && end === text.length && end > from;
    if (!isCut && (end - from < length || isClassName(text.slice(match.index, Math.min(end, match.index + 64)))))
      continue;
    yield { start: match.index, end: withoutDots(text, from, end) };
    done = end;
  }
};

/** The end of a sentence is not part of the token before it. */
function withoutDots(text: string, from: number, end: number): number {
  let last = end;
  while (last > from && text[last - 1] === ".") last--;
  return last;
}

/** `sk-` also begins names of packages and classes in style sheets: `sk-button-primary`. */
function isClassName(text: string): boolean {
  return /^sk(?:-[a-z]{1,14}){2,}$/u.test(text);
}

/** JSON Web Tokens: three parts in base64, of which the first begins with `{"`. */
export const findJsonWebTokens: Finder = function* (searched: Searched): Iterable<Span> {
  const { text, isOpen } = searched;
  let done = 0;
  for (const { index } of text.matchAll(/(?<![\w-])eyJ/gu)) {
    if (index < done) continue;
    const header = searched.runEnd(index + 3, isTokenCode);
    const payload = text[header] === "." ? searched.runEnd(header + 1, isTokenCode) : header;
    const isCut = isOpen && payload === text.length;
    if (!isCut && (header - index < 11 || payload - header < 9)) continue;
    done = searched.runEnd(payload, isDottedCode);
    yield { start: index, end: withoutDots(text, index, done) };
  }
};

/** Other forms, which end by themselves. */
const wholeForms: readonly RegExp[] = [
  // Bots of Telegram and Discord.
  /(?<!\w)\d{8,10}:AA[\w-]{30,40}(?!\w)/gu,
  /(?<![\w-])[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/gu,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{16,200}/gu,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{5,25}\/[\w-]{16,200}/gu,
  /(?<=\.webhook\.office\.com\/webhookb2\/)[\w@/-]{16,300}/gu,
  /(?<=api\.telegram\.org\/bot)\d{6,12}:[\w-]{20,60}/gu,
  // Keys for push messages of Firebase, tokens of Terraform, Asana, Mailchimp, Azure, PayPal, Plaid.
  /(?<![\w-])AAAA[\w-]{7}:[\w-]{100,200}(?![\w-])/gu,
  /(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,120}(?![\w-])/gu,
  /(?<![\w/.])[0-2]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32}(?!\w)/gu,
  /(?<![\w/.])0\/[0-9a-f]{32}(?!\w)/gu,
  /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)/gu,
  /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/gu,
  /(?<!\w)access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}(?!\w)/gu,
  /(?<![\w-])access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)/gu,
  // The key of a project that Sentry's clients send with, in an address.
  /(?<=https?:\/\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@[\w.-]{1,80}\/\d)/gu,
  // Hashes of passwords.
  /(?<![\w$])\$(?:1|2[abxy]|5|6|7|y|gy|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,16})\$[\w./+=,$-]{16,300}/gu,
];

export const findOtherForms: Finder = function* ({ text }: Searched): Iterable<Span> {
  for (const form of wholeForms) {
    for (const match of text.matchAll(form)) yield { start: match.index, end: match.index + match[0].length };
  }
};
