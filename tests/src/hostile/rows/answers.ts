import { answered, failed } from "../message.ts";
import { both, type Row, type Theme } from "../row.ts";

const call = { method: "_ask" };

/** An answer to a request that settles it, though it is none. */
function broken(name: string, members: string, path: string): Row {
  return {
    name,
    rules: ["RPC-02"],
    call,
    sends: [`{"jsonrpc":"2.0","id":<id>${members}}`],
    ...both({
      diagnostics: [`invalid-message _ask${path === "" ? "" : ` ${path}`}`],
      outcome: `protocol_violation${path === "" ? "" : ` ${path}`}`,
    }),
  };
}

/** An answer with a member of null that is read as if it were not there. */
function withNull(name: string, members: string, outcome: string): Row {
  const sends = [`{"jsonrpc":"2.0","id":<id>${members}}`];
  return { name, rules: ["RPC-02"], call, sends, ...both({ diagnostics: ["rule"], outcome }) };
}

/** An answer that belongs to no request. */
function stray(name: string, text: string): Row {
  return { name, rules: ["RPC-02", "RPC-03"], sends: [text], ...both({ diagnostics: ["unexpected-response"] }) };
}

const error = '{"code":-32603,"message":"hunter2"}';

export const answers: Theme = {
  title: "Answers",
  text: "Whatever carries a result or an error is an answer: it is never answered itself. One that breaks the protocol settles its request, with an error that says what is wrong; one that belongs to no request is named in a diagnostic.",
  rows: [
    broken("both result and error", `,"result":"hunter2","error":${error}`, "/error"),
    broken("neither result nor error", "", ""),
    broken("a result and a method", ',"method":"_do","result":1', "/method"),
    broken("a result, a method and params", ',"method":"_do","params":{"what":"null"},"result":1', "/method"),
    broken("an error that is a string", ',"error":"hunter2"', "/error"),
    broken("an error that is a number", ',"error":-32603', "/error"),
    broken("an error that is true", ',"error":true', "/error"),
    broken("an error that is an array", ',"error":[]', "/error"),
    broken("an empty error", ',"error":{}', "/error/code"),
    broken("an error without message", ',"error":{"code":1}', "/error/message"),
    broken("an error without code", ',"error":{"message":"hunter2"}', "/error/code"),
    broken("an error whose code is a string", ',"error":{"code":"1","message":"hunter2"}', "/error/code"),
    broken("an error whose code is a fraction", ',"error":{"code":1.5,"message":"hunter2"}', "/error/code"),
    broken("an error whose code is over every bound", ',"error":{"code":1e999,"message":"hunter2"}', "/error/code"),
    broken("an error whose message is null", ',"error":{"code":1,"message":null}', "/error/message"),
    withNull("a result beside an error of null", ',"error":null,"result":"right"', 'resolved "right"'),
    withNull("an error beside a result of null", `,"result":null,"error":${error}`, "request_failed -32603"),
    broken("a result of null beside an error that is none", ',"result":null,"error":{}', "/error/code"),
    broken("an error of null alone", ',"error":null', "/error"),
    {
      name: "a result without jsonrpc",
      rules: ["RPC-01", "RPC-02"],
      call,
      sends: ['{"id":<id>,"result":1}'],
      ...both({ diagnostics: ["invalid-message _ask /jsonrpc"], outcome: "protocol_violation /jsonrpc" }),
    },
    {
      name: 'a result with jsonrpc "1.0"',
      rules: ["RPC-01", "RPC-02"],
      call,
      sends: ['{"jsonrpc":"1.0","id":<id>,"result":1}'],
      ...both({ diagnostics: ["invalid-message _ask /jsonrpc"], outcome: "protocol_violation /jsonrpc" }),
    },
    {
      name: "an error with a code of nobody's",
      rules: ["ERR-07"],
      call,
      sends: ['{"jsonrpc":"2.0","id":<id>,"error":{"code":12345,"message":"hunter2","data":[1]}}'],
      ...both({ outcome: "request_failed 12345" }),
    },
    {
      name: "a result that looks like an error",
      rules: ["RPC-02"],
      call: { method: "session/new", params: { cwd: "/", mcpServers: [] } },
      sends: [answered("<id>", error)],
      client: {
        diagnostics: ["invalid-message session/new /result/sessionId"],
        outcome: "protocol_violation /result/sessionId",
      },
    },
    {
      name: "a result that looks like an error",
      rules: ["RPC-02"],
      call: { method: "fs/read_text_file", params: { sessionId: "s", path: "/x" } },
      sends: [answered("<id>", error)],
      agent: {
        diagnostics: ["invalid-message fs/read_text_file /result/content"],
        outcome: "protocol_violation /result/content",
      },
    },
    {
      name: "a permission for an option that nobody offered",
      rules: ["PERM-05"],
      call: {
        method: "session/request_permission",
        params: {
          sessionId: "s",
          toolCall: { toolCallId: "t" },
          options: [{ optionId: "no", name: "No", kind: "reject_once" }],
        },
      },
      sends: [answered("<id>", '{"outcome":{"outcome":"selected","optionId":"yes"}}')],
      agent: {
        diagnostics: ["invalid-message session/request_permission /result/outcome/optionId"],
        outcome: "protocol_violation /result/outcome/optionId",
      },
    },
    {
      name: "a permission of a kind that there is not",
      rules: ["PERM-04"],
      call: {
        method: "session/request_permission",
        params: {
          sessionId: "s",
          toolCall: { toolCallId: "t" },
          options: [{ optionId: "no", name: "No", kind: "reject_once" }],
        },
      },
      sends: [answered("<id>", '{"outcome":{"outcome":"approved","optionId":"no"}}')],
      agent: {
        diagnostics: ["invalid-message session/request_permission /result/outcome/outcome"],
        outcome: "protocol_violation /result/outcome/outcome",
      },
    },
    {
      name: "a stop reason that there is not",
      rules: ["PROM-10"],
      call: { method: "session/prompt", params: { sessionId: "<session>", prompt: [] } },
      sends: [answered("<id>", '{"stopReason":"bored"}')],
      client: {
        diagnostics: ["invalid-message session/prompt /result/stopReason"],
        outcome: "protocol_violation /result/stopReason",
      },
    },
    {
      name: "an answer twice",
      rules: ["RPC-02"],
      call,
      sends: [answered("<id>", '"right"'), answered("<id>", '"hunter2"')],
      ...both({ diagnostics: ["unexpected-response"], outcome: 'resolved "right"' }),
    },
    {
      name: "a result, then an error for the same request",
      rules: ["RPC-02"],
      call,
      sends: [answered("<id>", '"right"'), `{"jsonrpc":"2.0","id":<id>,"error":${error}}`],
      ...both({ diagnostics: ["unexpected-response"], outcome: 'resolved "right"' }),
    },
    {
      name: "the id as a string, then as it was",
      rules: ["RPC-04"],
      call,
      sends: [answered('"<id>"', '"hunter2"'), answered("<id>", '"right"')],
      ...both({ diagnostics: ["unexpected-response"], outcome: 'resolved "right"' }),
    },
    {
      name: "the id in an array, then as it was",
      rules: ["RPC-04"],
      call,
      sends: [answered("[<id>]", '"hunter2"'), answered("<id>", '"right"')],
      ...both({ diagnostics: ["unexpected-response"], outcome: 'resolved "right"' }),
    },
    {
      name: "the id with a fraction, then as it was",
      rules: ["RPC-04"],
      call,
      sends: [answered("<id>.5", '"hunter2"'), answered("<id>", '"right"')],
      ...both({ diagnostics: ["unexpected-response"], outcome: 'resolved "right"' }),
    },
    {
      name: "the answer to a request that its caller has cancelled",
      rules: ["RCAN-01"],
      call: { method: "_ask", abandon: true },
      sends: [{ rests: 50 }, answered("<id>", '"hunter2"')],
      ...both({
        answers: ['{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"<any>"}}'],
        diagnostics: ["late-response _ask"],
        outcome: "AbortError",
      }),
    },
    {
      name: "a broken answer to a request that its caller has cancelled",
      rules: ["RCAN-01", "RPC-02"],
      call: { method: "_ask", abandon: true },
      sends: [{ rests: 50 }, '{"jsonrpc":"2.0","id":<id>}'],
      ...both({
        answers: ['{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"<any>"}}'],
        diagnostics: ["invalid-message _ask"],
        outcome: "AbortError",
      }),
    },
    stray("a result under an id that nobody used", answered("4242", '"hunter2"')),
    stray("a result under id 0", answered("0", "{}")),
    stray("a result under id -1", answered("-1", "{}")),
    stray("a result under the empty id", answered('""', "{}")),
    stray("a result under id null", answered("null", "{}")),
    stray("a result under 2^53 + 1", answered("9007199254740993", "{}")),
    stray("a result under an object", answered('{"hunter2":1}', "{}")),
    stray("a result without id", '{"jsonrpc":"2.0","result":{}}'),
    stray("an error without id", `{"jsonrpc":"2.0","error":${error}}`),
    stray("an error under id null, as for text that could not be read", failed("null", -32700)),
    stray("a result with a method", '{"jsonrpc":"2.0","id":"x","method":"_do","result":{}}'),
    stray("a result of null with a method", '{"jsonrpc":"2.0","id":"x","method":"_do","result":null}'),
    stray("an error with a method and without id", `{"jsonrpc":"2.0","method":"_note","error":${error}}`),
    stray("an error of null with a method", '{"jsonrpc":"2.0","id":"x","method":"_do","error":null}'),
    stray("both, without id", `{"jsonrpc":"2.0","result":1,"error":${error}}`),
    stray("a result without jsonrpc", '{"id":"x","result":{}}'),
    {
      name: "10,000 answers that nobody waits for",
      sends: [{ flood: answered("<n>000", "{}"), times: 10_000 }],
      framings: ["ndjson"],
      ...both({ diagnostics: Array.from({ length: 10_000 }, () => "unexpected-response") }),
    },
  ],
};
