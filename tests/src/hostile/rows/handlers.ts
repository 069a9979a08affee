import { answered, failed, internal, notification, request } from "../message.ts";
import { both, type Expectation, type Row, type Theme } from "../row.ts";

function misbehaving(name: string, what: string, expected: Expectation): Row {
  return {
    name,
    rules: ["RPC-10", "ERR-04"],
    sends: [request("1", "_do", JSON.stringify({ what }))],
    ...both(expected),
  };
}

const thrown: Expectation = { answers: [internal("1")], diagnostics: ["handler-failed _do"] };
const unsendable: Expectation = { answers: [internal("1")], diagnostics: ["unsendable _do"] };

function inNotification(name: string, what: string): Row {
  return {
    name: `${name}, for a notification`,
    rules: ["RPC-03"],
    sends: [notification("_note", JSON.stringify({ what }))],
    ...both({ diagnostics: ["handler-failed _note"] }),
  };
}

export const handlers: Theme = {
  title: "Handlers that misbehave",
  text: "Whatever a handler does costs its own request at most. The peer learns that there was an internal error and an id for its report; the reason goes to the diagnostics, under the same id.",
  rows: [
    misbehaving("a handler that throws", "throw", thrown),
    misbehaving("a handler that throws later", "throw later", thrown),
    misbehaving("a handler that rejects", "reject", thrown),
    misbehaving("a handler that throws nothing", "throw nothing", thrown),
    misbehaving("a handler that throws null", "throw null", thrown),
    misbehaving("a handler that throws a string", "throw a string", thrown),
    misbehaving("a handler that throws an object that has no words", "throw an object without a prototype", thrown),
    misbehaving("a handler that throws a revoked proxy", "throw a revoked proxy", thrown),
    misbehaving("a handler that throws an error whose message throws", "throw an error whose message throws", thrown),
    misbehaving(
      "a handler that throws an error whose message is a symbol",
      "throw an error whose message is no string",
      thrown,
    ),
    misbehaving("a handler that lets an error of the peer through", "throw the peer's own error", thrown),
    {
      ...misbehaving("a handler that chooses its error", "throw a chosen error", {
        answers: ['{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"Try later","data":{"retryAfter":3}}}'],
      }),
      rules: ["ERR-02", "ERR-03"],
    },
    misbehaving("a chosen error with a BigInt", "throw a chosen error with a BigInt", {
      answers: [internal("1")],
      diagnostics: ["unsendable an error answer"],
    }),
    misbehaving("a chosen error with a cycle", "throw a chosen error with a cycle", {
      answers: [internal("1")],
      diagnostics: ["unsendable an error answer"],
    }),
    misbehaving("a handler that returns nothing", "nothing", { answers: [answered("1", "{}")] }),
    misbehaving("a handler that returns null", "null", { answers: [answered("1", "null")] }),
    misbehaving("a BigInt", "BigInt", unsendable),
    misbehaving("a cycle", "cycle", unsendable),
    misbehaving("a getter that throws", "getter", unsendable),
    misbehaving("toJSON that throws", "toJSON", unsendable),
    misbehaving("toJSON that returns nothing", "toJSON of nothing", unsendable),
    misbehaving("a function", "function", unsendable),
    misbehaving("a symbol", "symbol", unsendable),
    misbehaving("a revoked proxy", "a revoked proxy", thrown),
    misbehaving("something whose `then` throws when it is read", "then getter", thrown),
    misbehaving("something whose `then` throws when it is called", "then throws", thrown),
    misbehaving("something whose `then` calls back twice", "then calls twice", { answers: [answered("1", "1")] }),
    {
      name: "a handler that never returns, and is cancelled",
      sends: [request('"n1"', "_do", '{"what":"never"}'), notification("$/cancel_request", '{"requestId":"n1"}')],
      ...both({}),
    },
    {
      name: "a handler whose promise never settles",
      sends: [request('"n2"', "_do", '{"what":"then never calls"}')],
      ...both({}),
    },
    {
      name: "a handler that never returns, and others behind it",
      rules: ["RPC-11"],
      sends: [request('"n3"', "_do", '{"what":"never"}'), request("1", "_do", '{"what":"null"}')],
      ...both({ answers: [answered("1", "null")] }),
    },
    {
      name: "a listener for diagnostics that throws",
      sends: [
        request("1", "_do", '{"what":"break the listener"}'),
        '{"jsonrpc":"2.0"}',
        request("2", "_do", '{"what":"null"}'),
      ],
      ...both({
        answers: [answered("1", "{}"), failed("null", -32600, '"<any>"', "<any>"), answered("2", "null")],
        diagnostics: ["invalid-message /method"],
      }),
    },
    inNotification("a handler that throws", "throw"),
    inNotification("a handler that rejects", "reject"),
    inNotification("a handler that throws a revoked proxy", "throw a revoked proxy"),
    {
      name: "a call with params that hold a BigInt",
      sends: [notification("_try", '{"what":"BigInt"}')],
      ...both({ diagnostics: ["handler-failed _try"] }),
    },
    {
      name: "a call with params that hold a cycle",
      sends: [notification("_try", '{"what":"cycle"}')],
      ...both({ diagnostics: ["handler-failed _try"] }),
    },
    {
      name: "a prompt handler that throws",
      rules: ["RPC-10", "ERR-04"],
      sends: [request("1", "session/prompt", '{"sessionId":"<session>","prompt":[{"type":"text","text":"throw"}]}')],
      agent: { answers: [internal("1")], diagnostics: ["handler-failed session/prompt"] },
    },
    {
      name: "a prompt handler that throws over a cancel",
      rules: ["CANC-05", "CANC-06"],
      sends: [
        request(
          "1",
          "session/prompt",
          '{"sessionId":"<session>","prompt":[{"type":"text","text":"cancelled, then throw"}]}',
        ),
        notification("session/cancel", '{"sessionId":"<session>"}'),
      ],
      agent: { answers: [answered("1", '{"stopReason":"cancelled"}')], diagnostics: ["handler-failed session/prompt"] },
    },
    {
      name: "a prompt while a turn runs",
      rules: ["PROM-14"],
      sends: [
        request("1", "session/prompt", '{"sessionId":"<session>","prompt":[{"type":"text","text":"until cancelled"}]}'),
        request("2", "session/prompt", '{"sessionId":"<session>","prompt":[]}'),
        notification("session/cancel", '{"sessionId":"<session>"}'),
      ],
      agent: {
        answers: [failed("2", -32600, '"<any>"', "<any>"), answered("1", '{"stopReason":"cancelled"}')],
        diagnostics: ["invalid-message session/prompt"],
      },
    },
  ],
};
