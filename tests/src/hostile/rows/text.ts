import { answered, failed, notification, refused, request } from "../message.ts";
import { both, type Expectation, type Row, type Theme } from "../row.ts";

/** A message with bytes that are no UTF-8. */
function badUtf8(name: string, message: string, what: Pick<Row, "agent" | "client" | "call">): Row {
  return { name, rules: ["TRAN-01"], sends: [{ message }], ...what };
}

const leftOut = "<any>";
const notUtf8: Expectation = { diagnostics: ["framing invalid-utf8"] };

const texts: readonly (readonly [name: string, text: string])[] = [
  ["a high surrogate alone", "\\ud800"],
  ["a low surrogate alone", "\\udc00"],
  ["surrogates the wrong way round", "\\udc00\\ud800"],
  ["a high surrogate at the very end of a long text", `${"x".repeat(70_000)}\\ud83d`],
  ["an escaped pair of surrogates", "\\ud83d\\ude00"],
  ["NUL and other control characters", "\\u0000\\u0007\\u001b[2J\\u009b"],
  ["line separators", "\u2028\u2029\\u000a\\u000d"],
  ["a byte order mark inside", "a\ufeffb"],
  ["a million combining accents", `a${"\u0301".repeat(1_000_000)}`],
];

export const text: Theme = {
  title: "Text",
  text: "JSON may hold lone surrogates and control characters as escapes; they are values like any other. Bytes that are no UTF-8 cost their message, and its request is settled all the same.",
  rows: [
    ...texts.flatMap(([name, value]): Row[] => [
      {
        name: `${name}, in a prompt`,
        sends: [
          request("1", "session/prompt", `{"sessionId":"<session>","prompt":[{"type":"text","text":"${value}"}]}`),
        ],
        agent: { answers: [answered("1", '{"stopReason":"end_turn"}')] },
      },
      {
        name: `${name}, in an update`,
        sends: [
          notification(
            "session/update",
            `{"sessionId":"<session>","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${value}"}}}`,
          ),
        ],
        client: {},
      },
      {
        name: `${name}, in a result`,
        call: { method: "_ask" },
        sends: [answered("<id>", `"${value}"`)],
        ...both({ outcome: "resolved" }),
      },
    ]),
    {
      name: "a lone surrogate as id",
      rules: ["RPC-04"],
      sends: [request('"\\udfff"', "_do", '{"what":"null"}')],
      ...both({ answers: [answered('"\\udfff"', "null")] }),
    },
    badUtf8(
      "a request with a byte that is no UTF-8",
      '{"jsonrpc":"2.0","id":1,"method":"_do","params":"hunter2\xff"}',
      {
        ...both({ ...notUtf8, answers: [refused("1", leftOut)] }),
      },
    ),
    badUtf8("a request with a surrogate in UTF-8", '{"jsonrpc":"2.0","id":1,"method":"_do","params":"\xed\xa0\x80"}', {
      ...both({ ...notUtf8, answers: [refused("1", leftOut)] }),
    }),
    badUtf8("a request with an overlong slash", '{"jsonrpc":"2.0","id":1,"method":"_do","params":"\xc0\xaf"}', {
      ...both({ ...notUtf8, answers: [refused("1", leftOut)] }),
    }),
    badUtf8(
      "a notification with a byte that is no UTF-8",
      '{"jsonrpc":"2.0","method":"_note","params":"\xff"}',
      both(notUtf8),
    ),
    badUtf8("a result with a byte that is no UTF-8", '{"jsonrpc":"2.0","id":<id>,"result":"\xff"}', {
      call: { method: "_ask" },
      ...both({ ...notUtf8, outcome: "protocol_violation" }),
    }),
    badUtf8(
      "an error with a byte that is no UTF-8",
      '{"jsonrpc":"2.0","id":<id>,"error":{"code":1,"message":"\xff"}}',
      {
        call: { method: "_ask" },
        ...both({ ...notUtf8, outcome: "protocol_violation" }),
      },
    ),
    badUtf8("an id with a byte that is no UTF-8", '{"jsonrpc":"2.0","id":"a\xff","method":"_do"}', {
      agent: { ...notUtf8, answers: [failed("null", -32700)] },
      client: notUtf8,
    }),
    badUtf8("a log line in Latin-1", "Verbindung nach M\xfcnchen steht", {
      agent: { ...notUtf8, answers: [failed("null", -32700)] },
      client: notUtf8,
    }),
  ],
};
