import { answered, failed, notification, refused, request } from "../message.ts";
import { both, type Row, type Theme } from "../row.ts";

const good: readonly (readonly [id: string, comesBackAs?: string])[] = [
  ["0"],
  ["-1"],
  ["1.5"],
  ["1.0", "1"],
  ["1e2", "100"],
  ["9007199254740991"],
  ["9007199254740993"],
  ["-9007199254740993"],
  ["123456789012345678901234567890"],
  ["0.1000000000000000055511151231257827"],
  ["1e400"],
  ["5e-324"],
  ["null"],
  ['""'],
  ['"0"'],
  ['"null"'],
  ['"\\ud800"'],
  ['"\\u0000\\u001b[31m"'],
  ['"\\u2028"', '"\u2028"'],
  ['"__proto__"'],
  ['"constructor"'],
  ['"\\"}{\\\\"'],
];

export const ids: Theme = {
  title: "Ids",
  text: "Any string, number or `null` is an id, and comes back unchanged: numbers digit by digit where a double would round them. Nothing else is one.",
  rows: [
    ...good.map(([id, comesBackAs = id]): Row => ({
      name: `id ${id}`,
      rules: ["RPC-04", "RPC-05"],
      sends: [request(id, "_do", '{"what":"null"}')],
      ...both({ answers: [answered(comesBackAs, "null")] }),
    })),
    {
      name: "an id of a million characters",
      rules: ["RPC-04"],
      sends: [
        ['{"jsonrpc":"2.0","id":"', { repeat: "x", times: 1_000_000 }, '","method":"_do","params":{"what":"null"}}'],
      ],
      ...both({ answers: [answered(`"${"x".repeat(1_000_000)}"`, "null")] }),
    },
    {
      name: "an unsafe integer as the id of an unknown method",
      rules: ["RPC-04", "RPC-07"],
      sends: [request("9007199254740993", "x/y")],
      ...both({
        answers: [failed("9007199254740993", -32601, '{"method":"x/y"}')],
        diagnostics: ["unknown-request"],
      }),
    },
    ...["true", "{}", '{"hunter2":1}', "[]", "[1]", '["hunter2"]'].map((id): Row => ({
      name: `id ${id}`,
      rules: ["RPC-05", "RPC-09"],
      sends: [request(id, "_do", "{}")],
      ...both({
        answers: [refused("null", "/id: expected a string, a number or null")],
        diagnostics: ["invalid-message _do /id"],
      }),
    })),
    {
      name: "an id that is in use: the first request continues and is answered",
      rules: ["RPC-05"],
      sends: [
        request("1", "_do", '{"what":"until cancelled"}'),
        request("1", "_do", '{"what":"null"}'),
        notification("$/cancel_request", '{"requestId":1}'),
      ],
      ...both({
        answers: [refused("1", "/id: is in use by a request that has no answer yet"), failed("1", -32800)],
        diagnostics: ["invalid-message _do /id"],
      }),
    },
    {
      name: "the same id as number and as string at once",
      rules: ["RPC-04"],
      sends: [
        request("1", "_do", '{"what":"until cancelled"}'),
        request('"1"', "_do", '{"what":"null"}'),
        notification("$/cancel_request", '{"requestId":1}'),
      ],
      ...both({ answers: [answered('"1"', "null"), failed("1", -32800)] }),
    },
    {
      name: "an id again, once it was answered",
      rules: ["RPC-04"],
      sends: [request("1", "_do", '{"what":"null"}'), { awaits: "1" }, request("1", "_do", '{"what":"null"}')],
      ...both({ answers: [answered("1", "null"), answered("1", "null")] }),
    },
    {
      name: "id null twice at once: nobody can tell them apart, both are answered",
      rules: ["RPC-05"],
      sends: [request("null", "_do", '{"what":"soon"}'), request("null", "_do", '{"what":"soon"}')],
      ...both({ answers: [answered("null", '"late"'), answered("null", '"late"')] }),
    },
    {
      name: "ids that differ only beyond 2^53; one of them cancelled",
      rules: ["RPC-04", "RCAN-02"],
      sends: [
        request("9007199254740992", "_do", '{"what":"until cancelled"}'),
        request("9007199254740993", "_do", '{"what":"until cancelled"}'),
        notification("$/cancel_request", '{"requestId":9007199254740993}'),
        { awaits: "9007199254740993" },
        notification("$/cancel_request", '{"requestId":9007199254740992}'),
      ],
      ...both({ answers: [failed("9007199254740993", -32800), failed("9007199254740992", -32800)] }),
    },
    {
      name: "the id of a request that the other side has made: ids are per sender",
      rules: ["RPC-06"],
      call: { method: "_ask" },
      sends: [request("<id>", "_do", '{"what":"null"}'), answered("<id>", '"right"')],
      ...both({ answers: [answered('"<any>"', "null")], outcome: 'resolved "right"' }),
    },
  ],
};
