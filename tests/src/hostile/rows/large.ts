import { answered, internal, notification, refused, request } from "../message.ts";
import { type Act, both, type Expectation, type Row, type Theme } from "../row.ts";

const limit = 64 * 1024 * 1024;
/** What a process that leaves out messages may ever take, in MiB. */
const memory = 512;
/** The same for one that takes them. */
const memoryToTake = 1536;

/** A message of so many bytes, filled up with `x` between its two parts. */
function sized(bytes: number, before: string, after: string): Act {
  return [before, { repeat: "x", times: bytes - Buffer.byteLength(before + after) }, after];
}

const tooLarge = "framing message-too-large";

function overByOne(name: string, before: string, after: string, what: Pick<Row, "agent" | "client" | "rules">): Row {
  return { name, sends: [sized(limit + 1, before, after)], memory, framings: ["ndjson"], ...what };
}

function answer(name: string, before: string, after: string): Row {
  return {
    name,
    rules: ["RPC-02"],
    call: { method: "_ask" },
    sends: [sized(limit + 8, before, after)],
    framings: ["ndjson"],
    memory,
    ...both({ diagnostics: [tooLarge], outcome: "protocol_violation" }),
  };
}

/** The places that are listed of a message that is broken everywhere. */
const places = Array.from({ length: 100 }, (_, index) => `/update/entries/${index}`).join(" ");

/** The same in both framings. */
function inBoth(row: Row): Row {
  return { ...row, framings: ["ndjson", "content-length"] };
}

const left = `Left out a message of ${limit + 1} bytes, the limit is ${limit}`;
const answeredTooLarge: Expectation = { answers: [refused("1", left)], diagnostics: [tooLarge] };
const silent: Expectation = { diagnostics: [tooLarge] };

export const large: Theme = {
  title: "Messages over 64 MiB",
  text: `A message over the limit costs that message and not the connection: a request is answered, a response settles its request, and what is kept of it is a few KiB. None of those that are left out may take the process over ${memory} MiB, none of those that are taken over ${memoryToTake} MiB.`,
  rows: [
    inBoth(
      overByOne(
        "a request of 64 MiB + 1",
        '{"jsonrpc":"2.0","id":1,"method":"_do","params":"',
        '"}',
        both(answeredTooLarge),
      ),
    ),
    overByOne(
      "a request whose id comes last",
      '{"jsonrpc":"2.0","method":"_do","params":"',
      '","id":1}',
      both(answeredTooLarge),
    ),
    overByOne(
      "a request for a session's method",
      '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"',
      '"}]}}',
      {
        agent: answeredTooLarge,
      },
    ),
    overByOne("a request under a string id", '{"jsonrpc":"2.0","id":"\\u0061","method":"_do","params":"', '"}', {
      agent: { answers: [refused('"a"', left)], diagnostics: [tooLarge] },
    }),
    overByOne("a request under id null", '{"jsonrpc":"2.0","id":null,"method":"_do","params":"', '"}', {
      agent: { answers: [refused("null", left)], diagnostics: [tooLarge] },
    }),
    overByOne("a request under 2^53 + 1", '{"jsonrpc":"2.0","id":9007199254740993,"method":"_do","params":"', '"}', {
      agent: { answers: [refused("9007199254740993", left)], diagnostics: [tooLarge] },
    }),
    overByOne(
      "a request whose params hold another id",
      '{"jsonrpc":"2.0","method":"_do","params":{"id":7,"a":"',
      '","id":8},"id":1}',
      { agent: answeredTooLarge },
    ),
    overByOne("a request under an object", '{"jsonrpc":"2.0","id":{"id":1},"method":"_do","params":"', '"}', {
      agent: silent,
    }),
    overByOne(
      "a request under what is no JSON",
      '{"jsonrpc":"2.0","id":1hunter2,"method":"_do","params":"',
      '"}',
      both(silent),
    ),
    overByOne("an answer under what is no JSON", '{"jsonrpc":"2.0","id":1hunter2,"result":"', '"}', both(silent)),
    overByOne("a request without jsonrpc", '{"id":1,"method":"_do","params":"', '"}', { agent: silent }),
    inBoth(
      overByOne("a notification of 64 MiB + 1", '{"jsonrpc":"2.0","method":"_note","params":"', '"}', {
        rules: ["RPC-03"],
        ...both(silent),
      }),
    ),
    overByOne(
      "an update of 64 MiB + 1",
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","hunter2":"',
      '"}}}',
      { rules: ["RPC-03"], client: silent },
    ),
    inBoth(answer("a result of 64 MiB and more", '{"jsonrpc":"2.0","id":<id>,"result":"', '"}')),
    answer("a result whose id comes last", '{"jsonrpc":"2.0","result":"', '","id":<id>}'),
    answer("an error of 64 MiB and more", '{"jsonrpc":"2.0","id":<id>,"error":{"code":1,"message":"', '"}}'),
    overByOne("an answer that nobody waits for", '{"jsonrpc":"2.0","id":4242,"result":"', '"}', { client: silent }),
    overByOne("text that is no JSON", "hunter2", "", { agent: silent }),
    overByOne("an object that never ends", '{"jsonrpc":"2.0","id":1', "", { agent: silent }),
    {
      name: "a request of 64 MiB to the byte",
      sends: [sized(limit, '{"jsonrpc":"2.0","id":1,"method":"_any","params":"', '"}')],
      memory: memoryToTake,
      ...both({ answers: [answered("1", "{}")] }),
    },
    {
      name: "a request of 64 MiB whose id takes so much of it that no answer fits",
      rules: ["RPC-04"],
      sends: [sized(limit, '{"jsonrpc":"2.0","id":"', '","method":"x"}')],
      memory: memoryToTake,
      framings: ["ndjson"],
      ...both({ diagnostics: ["unknown-request", "unsendable an error answer"] }),
    },
    {
      name: "a handler's result of 64 MiB",
      sends: [request("1", "_do", `{"what":"large","size":${limit}}`)],
      memory: memoryToTake,
      framings: ["ndjson"],
      ...both({ answers: [internal("1")], diagnostics: ["unsendable _do"] }),
    },
    {
      name: "a call with params of 64 MiB",
      sends: [notification("_try", `{"what":"large","size":${limit}}`)],
      memory: memoryToTake,
      framings: ["ndjson"],
      ...both({ diagnostics: ["handler-failed _try"] }),
    },
    {
      name: "64 MiB of blank lines",
      sends: [{ bytesOf: [{ repeat: "\n", times: limit }] }],
      memory: memoryToTake,
      framings: ["ndjson"],
      ...both({}),
    },
    {
      name: "a list of 8 million items of which none can be read",
      rules: ["COMPAT-02"],
      sends: [
        [
          '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"<session>","update":{"sessionUpdate":"plan","entries":[0',
          { repeat: ",0", times: 8_000_000 },
          "]}}}",
        ],
      ],
      memory: memoryToTake,
      framings: ["ndjson"],
      client: { diagnostics: [`tolerated session/update ${places}`] },
    },
  ],
};
