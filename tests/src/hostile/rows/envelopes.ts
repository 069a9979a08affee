import { answered, refused, unknown } from "../message.ts";
import type { Expectation, Row, Theme } from "../row.ts";

const noise: Expectation = { diagnostics: ["noise"] };

function refusedAt(id: string, path: string, reason: string, method = ""): Expectation {
  return { answers: [refused(id, `${path}: ${reason}`)], diagnostics: [`invalid-message ${method}${path}`] };
}

/** Something without `jsonrpc: "2.0"`: a log line to a client, a broken message to an agent. */
function withoutVersion(name: string, text: string, agent: Expectation): Row {
  return { name, rules: ["RPC-01", "TRAN-06"], sends: [text], agent, client: noise };
}

const noVersion = 'expected "2.0"';

export const envelopes: Theme = {
  title: "Envelopes",
  text: "Objects that are neither a request nor a notification nor an answer. Whatever carries a result or an error is never answered, nor is a notification.",
  rows: [
    withoutVersion("an empty object", "{}", refusedAt("null", "/jsonrpc", noVersion)),
    withoutVersion("a JSON log line", '{"level":30,"msg":"hunter2"}', refusedAt("null", "/jsonrpc", noVersion)),
    withoutVersion("a JSON log line with an id", '{"id":7,"msg":"hunter2"}', refusedAt("7", "/jsonrpc", noVersion)),
    withoutVersion(
      "a JSON log line with id and method",
      '{"id":7,"method":"_do","msg":"hunter2"}',
      refusedAt("7", "/jsonrpc", noVersion, "_do "),
    ),
    withoutVersion("a notification without jsonrpc", '{"method":"_note"}', {
      diagnostics: ["invalid-message _note /jsonrpc"],
    }),
    withoutVersion(
      'a request with jsonrpc "1.0"',
      '{"jsonrpc":"1.0","id":1,"method":"_do"}',
      refusedAt("1", "/jsonrpc", noVersion, "_do "),
    ),
    withoutVersion(
      "a request with jsonrpc 2",
      '{"jsonrpc":2,"id":1,"method":"_do"}',
      refusedAt("1", "/jsonrpc", noVersion, "_do "),
    ),
    withoutVersion(
      "a request with jsonrpc null",
      '{"jsonrpc":null,"id":1,"method":"_do"}',
      refusedAt("1", "/jsonrpc", noVersion, "_do "),
    ),
    withoutVersion(
      "a request with JSONRPC in capitals",
      '{"JSONRPC":"2.0","id":1,"method":"_do"}',
      refusedAt("1", "/jsonrpc", noVersion, "_do "),
    ),
    ...['{"result":"hunter2"}', '{"error":"hunter2"}', '{"id":"hunter2","result":1}'].map((text): Row => ({
      name: "a JSON log line with a result or an error",
      rules: ["RPC-01", "TRAN-06"],
      sends: [text],
      agent: { diagnostics: ["unexpected-response"] },
      client: { diagnostics: ["unexpected-response"] },
    })),
    {
      name: "only jsonrpc",
      rules: ["RPC-01", "RPC-09"],
      sends: ['{"jsonrpc":"2.0"}'],
      agent: refusedAt("null", "/method", "expected a string"),
      client: refusedAt("null", "/method", "expected a string"),
    },
    ...["5", "null", "{}", '["_do"]', "true"].map((method): Row => ({
      name: `a method that is ${method}`,
      rules: ["RPC-09"],
      sends: [`{"jsonrpc":"2.0","id":1,"method":${method}}`],
      agent: refusedAt("1", "/method", "expected a string"),
      client: refusedAt("1", "/method", "expected a string"),
    })),
    {
      name: "a method that is not a string, without id",
      rules: ["RPC-03"],
      sends: ['{"jsonrpc":"2.0","method":5}'],
      agent: { diagnostics: ["invalid-message /method"] },
      client: { diagnostics: ["invalid-message /method"] },
    },
    {
      name: "the empty string as method",
      rules: ["RPC-07"],
      sends: ['{"jsonrpc":"2.0","id":1,"method":""}'],
      agent: { answers: [unknown("1", "")], diagnostics: ["unknown-request"] },
      client: { answers: [unknown("1", "")], diagnostics: ["unknown-request"] },
    },
    {
      name: "an id and nothing else, for which nothing waits",
      rules: ["RPC-02", "RPC-09"],
      sends: ['{"jsonrpc":"2.0","id":"hunter2-7"}'],
      echoes: "the id",
      agent: refusedAt('"hunter2-7"', "/method", "expected a string"),
      client: refusedAt('"hunter2-7"', "/method", "expected a string"),
    },
    {
      name: "members that JSON-RPC does not know",
      sends: ['{"jsonrpc":"2.0","id":1,"method":"_do","params":{"what":"null"},"hunter2":[1]}'],
      agent: { answers: [answered("1", "null")] },
      client: { answers: [answered("1", "null")] },
    },
    {
      name: "each member twice: the last one counts",
      sends: [
        '{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"_do","params":{},"params":{"what":"null"}}',
      ],
      agent: { answers: [answered("2", "null")] },
      client: { answers: [answered("2", "null")] },
    },
    {
      name: "members with escaped names",
      sends: ['{"jsonrpc":"2.0","\\u0069d":9007199254740993,"\\u006dethod":"_do","params":{"what":"null"}}'],
      agent: { answers: [answered("9007199254740993", "null")] },
      client: { answers: [answered("9007199254740993", "null")] },
    },
    ...["null", "[]", '"hunter2"', "5"].map((params): Row => ({
      name: `params ${params} for an extension without a declared shape`,
      rules: ["EXT-07"],
      sends: [`{"jsonrpc":"2.0","method":"_any","params":${params}}`],
      agent: {},
      client: {},
    })),
  ],
};
