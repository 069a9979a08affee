import { answered, failed, notification, request } from "../message.ts";
import type { Act, Expectation, Row, Theme } from "../row.ts";

const end: Act = { ends: "input" };
const good = request("1", "_do", '{"what":"null"}');

function agentAtEnd(
  name: string,
  sends: readonly Act[],
  agent: Expectation,
  rules: readonly string[] = ["TRAN-10"],
): Row {
  return { name, rules, process: "alone", framings: ["ndjson"], sends, agent: { exit: 0, ...agent } };
}

export const ends: Theme = {
  title: "Ends",
  text: "An agent whose stdin ends answers what it was asked, cancels what runs, and ends with 0. A client whose agent closes stdout and lives on settles its calls and ends the process; one whose agent reads no more still takes the answers.",
  rows: [
    agentAtEnd(
      "requests, then the end: the client still wants its answers",
      [good, request("2", "_do", '{"what":"soon"}'), end],
      {
        answers: [answered("1", "null"), answered("2", '"late"')],
      },
    ),
    agentAtEnd(
      "a request whose handler never returns, then the end",
      [request("1", "_do", '{"what":"never"}'), end],
      {
        answers: [failed("1", -32800)],
      },
      ["TRAN-10", "RCAN-06"],
    ),
    agentAtEnd(
      "a request whose handler stops at the end",
      [request("1", "_do", '{"what":"until cancelled"}'), end],
      {
        answers: [failed("1", -32800)],
      },
      ["TRAN-10", "RCAN-06"],
    ),
    agentAtEnd(
      "a request whose handler fails at the end",
      [request("1", "_do", '{"what":"cancelled, then throw"}'), end],
      {
        answers: [failed("1", -32800)],
        diagnostics: ["handler-failed _do"],
      },
      ["TRAN-10", "RCAN-06"],
    ),
    agentAtEnd(
      "a request whose handler answers after the connection has closed",
      [request("1", "_do", '{"what":"after the end"}'), end],
      {
        answers: [failed("1", -32800)],
      },
      ["TRAN-10", "RCAN-06"],
    ),
    agentAtEnd(
      "a turn that runs, then the end",
      [
        request("1", "session/prompt", '{"sessionId":"<session>","prompt":[{"type":"text","text":"until cancelled"}]}'),
        end,
      ],
      { answers: [failed("1", -32800)] },
      ["TRAN-10", "RCAN-06"],
    ),
    {
      ...agentAtEnd("a message without its line end, then the end", [{ bytes: good }, end], {
        answers: [answered("1", "null")],
      }),
      framings: ["ndjson"],
    },
    {
      ...agentAtEnd("half a message, then the end", [{ bytes: good.slice(0, 20) }, end], {
        answers: [failed("null", -32700)],
        diagnostics: ["noise"],
      }),
      framings: ["ndjson"],
    },
    {
      ...agentAtEnd(
        "half a message, then the end",
        [{ bytes: `Content-Length: 100\r\n\r\n${good.slice(0, 20)}` }, end],
        { diagnostics: ["framing truncated-message"] },
      ),
      framings: ["content-length"],
    },
    {
      ...agentAtEnd("half a header, then the end", [{ bytes: "Content-Len" }, end], {
        diagnostics: ["framing truncated-message"],
      }),
      framings: ["content-length"],
    },
    agentAtEnd("nothing, then the end", [end], {}),
    {
      ...agentAtEnd("a call of the agent's, then the end", [end], { outcome: "connection_closed" }),
      call: { method: "_ask" },
    },
    agentAtEnd(
      "a client that reads no more, and asks on",
      [{ ends: "output" }, good, good, { rests: 50 }, good, end],
      {},
    ),
    {
      name: "an agent that closes stdout and lives on",
      rules: ["TRAN-10"],
      process: "alone",
      framings: ["ndjson"],
      call: { method: "_ask" },
      sends: [end],
      client: { outcome: "connection_closed", exit: 0, diagnostics: ["closed"] },
    },
    {
      name: "an agent that closes stdout after a request",
      rules: ["TRAN-10"],
      process: "alone",
      framings: ["ndjson"],
      call: { method: "session/prompt", params: { sessionId: "<session>", prompt: [] } },
      sends: [good, end],
      client: { answers: [answered("1", "null")], outcome: "connection_closed", exit: 0, diagnostics: ["closed"] },
    },
    {
      name: "an agent that closes stdout while a handler of the client's runs on",
      rules: ["TRAN-10"],
      process: "alone",
      framings: ["ndjson"],
      sends: [request("1", "_do", '{"what":"after the end"}'), end],
      client: { exit: 0, diagnostics: ["closed"] },
    },
    {
      name: "an answer without its line end, then the end of stdout",
      rules: ["RPC-02"],
      process: "alone",
      framings: ["ndjson"],
      call: { method: "_ask" },
      sends: [{ bytes: answered("<id>", '"right"') }, end],
      client: { outcome: 'resolved "right"', exit: 0, diagnostics: ["closed"] },
    },
    {
      name: "an agent that reads no more, and still answers",
      rules: ["RPC-02"],
      process: "alone",
      framings: ["ndjson"],
      call: { method: "_ask" },
      sends: [
        { ends: "output" },
        { rests: 100 },
        notification("_any"),
        answered("<id>", '"right"'),
        { rests: 100 },
        end,
      ],
      client: { outcome: 'resolved "right"', exit: 0, diagnostics: ["closed"] },
    },
  ],
};
