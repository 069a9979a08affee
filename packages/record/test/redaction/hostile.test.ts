// Texts that only begin like secrets, a hundred thousand times: with the square of their length, none of these would end.
import { expect, test } from "vitest";
import { createRedactor, redactCredentials, redactLine } from "../../src/index.ts";

const length = 2 ** 17;

test.each(
  [
    [
      "separators",
      "a=",
      "a:",
      "=",
      ":",
      "x_key=",
      "token=",
      "token='",
      'token="',
      "token: ",
      "token=|\n ",
      '\\"',
      "token\\",
      "::",
    ],
    [
      "lists",
      "token:{",
      'token:["',
      '"args":["-',
      '"env":{',
      '"name":"a","value":',
      "[",
      "{",
      '{"token":',
      '{"token":"a"}\n',
      '{"a":{"token":',
      '{"env":{"a":',
      '{"kty":"d":"',
    ],
    ["options", "--token ", "-u a:", "-p", "-pa1", "-", "--", '"-p","', "sshpass -p "],
    ["addresses", "x://", "x://a:", "://@", "://a@", "?token=", "&a=", "?a", "https://hooks.slack.com/services/"],
    [
      "tokens",
      "sk-",
      "sk-a",
      "eyJ",
      "eyJaaaaaaaa.",
      "npm_",
      "AKIA",
      "$1$",
      ":AA",
      "M.",
      "SG.",
      "Bearer ",
      "Basic ",
      "AAAA",
      "AAAA-",
      "0/",
      "1/1234567890",
      "3Q~",
      "EAA",
      "cio",
      "kty",
    ],
    [
      "keys",
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\n",
      "-----BEGIN ",
      "PuTTY-User-Key-File-2:",
    ],
    [
      "phrases",
      "password is ",
      "password ",
      "set a ",
      "set token ",
      "echo a",
      "echo a|",
      "identified by '",
      "login a password ",
      "seed phrase a ",
      "a ",
      "abcdefgh",
      "key ",
    ],
    ["elements", "<a>", "<token>", "<a>a", "<a b", "</"],
    ["headers", "authorization: basic ", "cookie: a=", "authorization: digest a="],
  ].flatMap(([kind, ...parts]) => parts.map((part) => [kind, part] as const)),
)("%s: %j", (_, part) => {
  const text = part.repeat(length / part.length);
  expect(typeof redactLine(text)).toBe("string");
  expect(redactCredentials({ text, args: [text], token: text, id: text })).toMatchObject({});
  const redactor = createRedactor();
  expect(typeof redactor.line("a", text)).toBe("string");
  expect(typeof redactor.piece("a", text)).toBe("string");
});

test("a text in thousands of pieces", () => {
  const redactor = createRedactor();
  let said = "";
  for (let piece = 0; piece < 2_000; piece++) said += redactor.piece("a", "token=abc ");
  expect(said).not.toContain("=abc");
});

test("as many texts as there are pieces take no more memory than some", () => {
  const redactor = createRedactor();
  for (let source = 0; source < 10_000; source++) redactor.piece(String(source), "password=hun");
  expect(redactor.piece("9999", "ter2")).toBe("[redacted]");
  expect(redactor.piece("0", "ter2")).toBe("ter2");
});

test("JSON in JSON in JSON", () => {
  let text = JSON.stringify({ password: "hunter2" });
  for (let level = 0; level < 12; level++) text = JSON.stringify({ text });
  expect(JSON.stringify(redactCredentials({ text }))).not.toContain("hunter2");
});
