import { answered, failed, refused, request } from "../message.ts";
import type { Expectation, Row, Theme } from "../row.ts";

const parseError: Expectation = { answers: [failed("null", -32700)], diagnostics: ["noise"] };
const noise: Expectation = { diagnostics: ["noise"] };

function broken(name: string, text: string): Row {
  return { name, rules: ["RPC-09", "TRAN-06"], sends: [text], agent: parseError, client: noise };
}

/** A line that has more than one message, or something around it: the messages count. */
function mixed(name: string, text: string, ids: readonly string[] = ["1"]): Row {
  const expected: Expectation = { answers: ids.map((id) => answered(id, "{}")), diagnostics: ["noise"] };
  return { name, rules: ["TRAN-06"], sends: [text], agent: expected, client: expected };
}

function noObject(name: string, text: string): Row {
  const agent = { answers: [refused("null", "a message is an object")], diagnostics: ["noise"] };
  return { name, rules: ["RPC-09", "TRAN-06"], sends: [text], agent, client: noise };
}

const batchRefused: Expectation = {
  answers: [refused("null", "batches are not part of the protocol")],
  diagnostics: ["noise"],
};

export const json: Theme = {
  title: "Malformed messages",
  text: "An agent answers text that is no message, once, under id `null`. A client does not: what it reads from an agent's stdout may be a log line, and an answer to a log line helps nobody. Messages on a line with something else are read on both sides.",
  rows: [
    broken("an object that is not closed", '{"jsonrpc":"2.0","id":1,"method":"_probe"'),
    mixed("an object that is closed twice", `${request("1", "_do", "{}")}}`),
    mixed("two messages on one line", request("1", "_do", "{}") + request("2", "_do", "{}"), ["1", "2"]),
    mixed("a message behind a title of the terminal", `\u001b]0;hunter2\u0007${request("1", "_do", "{}")}`),
    mixed("a message between colours", `\u001b[31m${request("1", "_do", "{}")}\u001b[0m`),
    mixed("a message behind a spinner", `| hunter2\r/ hunter2\r${request("1", "_do", "{}")}`),
    mixed("a message behind a log prefix with braces", `[debug] {"a":{}} {b ${request("1", "_do", "{}")}`),
    broken("a string that is not closed", '{"jsonrpc":"2.0","id":1,"method":"_do'),
    broken("single quotes", "{'jsonrpc':'2.0','id':1,'method':'_do'}"),
    broken("a trailing comma", '{"jsonrpc":"2.0","id":1,"method":"_do",}'),
    mixed("a comment", `${request("1", "_do", "{}")} // hunter2`),
    broken("NaN", '{"jsonrpc":"2.0","id":NaN,"method":"_do"}'),
    broken("an id with a leading zero", '{"jsonrpc":"2.0","id":01,"method":"_do"}'),
    broken("an id with a minus and nothing more", '{"jsonrpc":"2.0","id":-,"method":"_do"}'),
    broken("a raw tab in a string", '{"jsonrpc":"2.0","id":1,"method":"_\tdo"}'),
    broken("a NUL character", '{"jsonrpc":"2.0","id":1,\u0000"method":"_do"}'),
    broken("an escape that there is not", '{"jsonrpc":"2.0","id":1,"method":"\\x5fdo"}'),
    broken("an escape that is cut off", '{"jsonrpc":"2.0","id":1,"method":"\\u12"}'),
    broken("a log line", "hunter2: connecting to upstream"),
    broken("a log line that ends in braces", "[debug] state {}"),
    broken("a log line with a message inside an object", `[debug] {"sent":${request("1", "_do", "{}")}}`),
    broken("a stack trace", "    at Object.<anonymous> (/home/me/index.js:1:7)"),
    broken("a prompt of a shell", "$ "),
    broken("terminal colours", "\u001b[31mred\u001b[0m"),
    broken("an HTTP request", "GET / HTTP/1.1"),
    broken("half a pair of brackets", "["),
    noObject("a number", "42"),
    noObject("a string", '"hunter2"'),
    noObject("true", "true"),
    noObject("null", "null"),
    { name: "an empty array", rules: ["TRAN-18"], sends: ["[]"], agent: batchRefused, client: noise },
    {
      name: "an array of scalars",
      rules: ["TRAN-18"],
      sends: ['[1,"hunter2",null]'],
      agent: batchRefused,
      client: noise,
    },
    {
      name: "a batch of requests",
      rules: ["TRAN-18"],
      sends: [`[${request("1", "_do", "{}")},${request("2", "_do", "{}")}]`],
      agent: batchRefused,
      client: batchRefused,
    },
    {
      name: "a batch of answers",
      rules: ["TRAN-18"],
      sends: [`[${answered("1", "{}")},${failed("2", -32603)}]`],
      agent: noise,
      client: noise,
    },
    {
      name: "a batch of notifications",
      rules: ["TRAN-18", "RPC-03"],
      sends: ['[{"jsonrpc":"2.0","method":"_note"}]'],
      agent: noise,
      client: noise,
    },
    { name: "a blank line", sends: ["", "   ", "\t"], agent: {}, client: {} },
    {
      name: "a byte order mark before a message",
      sends: [`\ufeff${request("1", "_do", '{"what":"null"}')}`],
      agent: { answers: [answered("1", "null")] },
      client: { answers: [answered("1", "null")] },
    },
    {
      name: "a carriage return after a message",
      sends: [`${request("1", "_do", '{"what":"null"}')}\r`],
      agent: { answers: [answered("1", "null")] },
      client: { answers: [answered("1", "null")] },
    },
    {
      name: "10,000 log lines",
      rules: ["TRAN-06"],
      sends: [{ flood: "line <n> of hunter2", times: 10_000 }],
      client: { diagnostics: Array.from({ length: 10_000 }, () => "noise") },
      framings: ["ndjson"],
    },
  ],
};
