import { answered, failed, refused, request } from "../message.ts";
import { type Act, both, type Expectation, type Row, type Theme } from "../row.ts";

const good = request("1", "_do", '{"what":"null"}');
const goodAnswer = answered("1", "null");
const framedGood = `Content-Length: ${good.length}\r\n\r\n${good}`;

function line(name: string, sends: readonly Act[], what: Pick<Row, "agent" | "client" | "rules">): Row {
  return { name, sends, framings: ["ndjson"], ...what };
}

function header(name: string, bytes: string, expected: Expectation, rules: readonly string[] = ["TRAN-11"]): Row {
  return { name, rules, sends: [{ bytes }], framings: ["content-length"], ...both(expected) };
}

/** A header that cannot be used, then a message that can. */
function badHeader(name: string, bytes: string): Row {
  return header(name, `${bytes}${framedGood}`, { answers: [goodAnswer], diagnostics: ["framing invalid-header"] });
}

const otherFraming = "framing unexpected-bytes";

export const framing: Theme = {
  title: "Framing",
  text: "Bytes that do not frame a message are left out up to where the next message can begin.",
  rows: [
    line(
      "a message in pieces",
      [
        { bytes: good.slice(0, 5) },
        { rests: 5 },
        { bytes: good.slice(5, 40) },
        { rests: 5 },
        { bytes: `${good.slice(40)}\n` },
      ],
      {
        ...both({ answers: [goodAnswer] }),
      },
    ),
    line(
      "three messages in one piece",
      [{ bytes: `${good}\n${good}\n${good}\n` }],
      both({ answers: [goodAnswer, goodAnswer, goodAnswer] }),
    ),
    line(
      "blank lines and white space between messages",
      [{ bytes: `\n\r\n  \t\n${good}\r\n\n` }],
      both({ answers: [goodAnswer] }),
    ),
    line("a message over two lines", [{ bytes: `${good.slice(0, 17)}\n${good.slice(17)}\n` }], {
      rules: ["TRAN-05"],
      agent: { answers: [failed("null", -32700), failed("null", -32700)], diagnostics: ["noise", "noise"] },
      client: { diagnostics: ["noise", "noise"] },
    }),
    line("messages that only a carriage return parts", [{ bytes: `${good}\r${good}\n` }], {
      rules: ["TRAN-04"],
      ...both({ answers: [goodAnswer, goodAnswer], diagnostics: ["noise"] }),
    }),
    line("UTF-16", [{ bytes: `${good.replaceAll(/./gu, "$&\u0000")}\n` }], {
      rules: ["TRAN-01"],
      agent: { answers: [failed("null", -32700)], diagnostics: ["noise"] },
      client: { diagnostics: ["noise"] },
    }),
    line("Content-Length framing", [{ bytes: `${framedGood}\n` }], {
      rules: ["TRAN-12"],
      ...both({ answers: [goodAnswer], diagnostics: [otherFraming] }),
    }),
    line(
      "random bytes",
      [{ bytes: `${String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => (byte === 10 ? 11 : byte)))}\n` }],
      {
        rules: ["TRAN-01"],
        agent: { answers: [failed("null", -32700)], diagnostics: ["framing invalid-utf8"] },
        client: { diagnostics: ["framing invalid-utf8"] },
      },
    ),
    header("a header in small letters and without a space", `content-length:${good.length}\r\n\r\n${good}`, {
      answers: [goodAnswer],
    }),
    header("a header with LF alone", `Content-Length: ${good.length}\n\n${good}`, { answers: [goodAnswer] }),
    header(
      "a Content-Type beside it",
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${good.length}\r\n\r\n${good}`,
      { answers: [goodAnswer] },
    ),
    header("an empty message", `Content-Length: 0\r\n\r\n${framedGood}`, { answers: [goodAnswer] }),
    badHeader("a length that is no number", "Content-Length: hunter2\r\n\r\n"),
    badHeader("a length below zero", "Content-Length: -5\r\n\r\n"),
    badHeader("a length with a fraction", "Content-Length: 1.5\r\n\r\n"),
    badHeader("a length in hexadecimal", "Content-Length: 0x10\r\n\r\n"),
    header(
      "a length of a thousand digits, then a message",
      `Content-Length: ${"9".repeat(1_000)}\r\n\r\n${framedGood}`,
      {
        answers: [goodAnswer],
        diagnostics: ["framing message-too-large"],
      },
    ),
    badHeader("no length", "Content-Type: application/json\r\n\r\n"),
    badHeader("two lengths that differ", "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"),
    header("a header of 10,000 bytes, then a message", `Content-Hunter2: ${"x".repeat(10_000)}\r\n\r\n${framedGood}`, {
      answers: [goodAnswer],
      diagnostics: [otherFraming],
    }),
    header("a header without its empty line", `Content-Length: 10\r\n${framedGood}`, {
      answers: [refused("1", "Left out 64 bytes behind a header that could not be used")],
      diagnostics: ["framing invalid-header", otherFraming],
    }),
    header("a length of 10^15, then a message", `Content-Length: 1000000000000000\r\n\r\n${framedGood}`, {
      answers: [goodAnswer],
      diagnostics: ["framing message-too-large"],
    }),
    {
      name: "a length that is one too small",
      rules: ["TRAN-11"],
      sends: [{ bytes: `Content-Length: ${good.length - 1}\r\n\r\n${good}\r\n${framedGood}` }],
      framings: ["content-length"],
      agent: { answers: [failed("null", -32700), goodAnswer], diagnostics: ["noise", otherFraming] },
      client: { answers: [goodAnswer], diagnostics: ["noise", otherFraming] },
    },
    header(
      "another character set",
      `Content-Length: ${good.length}\r\nContent-Type: application/json; charset=hunter2\r\n\r\n${good}`,
      {
        answers: [refused("1", "Left out a message in another character set, only UTF-8 is read")],
        diagnostics: ["framing invalid-header"],
      },
    ),
    header(
      "lines of JSON",
      `${good}\n${framedGood}`,
      { answers: [refused("1", "<any>"), goodAnswer], diagnostics: [otherFraming] },
      ["TRAN-12"],
    ),
    header(
      "a log line between messages",
      `hunter2: starting up\n${framedGood}`,
      { answers: [goodAnswer], diagnostics: [otherFraming] },
      ["TRAN-06"],
    ),
  ],
};
