import { answered, failed, invalid, notification, refused, request, unknown } from "../message.ts";
import type { Row, Theme } from "../row.ts";

const early = refused("1", "initialize must be called first");

/** Something an agent gets before `initialize`. */
function toAgent(
  name: string,
  sends: readonly string[],
  agent: Row["agent"],
  rules: readonly string[] = ["INIT-01"],
): Row {
  return { name, rules, process: "opening", framings: ["ndjson"], sends, ...(agent === undefined ? {} : { agent }) };
}

/** An `initialize` that an agent refuses; a proper one after it is answered. */
function badInitialize(params: string, path: string): Row {
  const agent = {
    answers: [invalid("1", path)],
    diagnostics: [`invalid-message initialize${path === "" ? "" : ` ${path}`}`],
  };
  return toAgent(`initialize with params ${params}`, [request("1", "initialize", params)], agent, [
    "INIT-02",
    "CONV-05",
  ]);
}

/** What an agent answers to a version, whatever it is: its own. */
function version(params: string, rules: readonly string[], diagnostics: readonly string[] = []): Row {
  const answer =
    '{"protocolVersion":1,"agentCapabilities":"<any>","agentInfo":{"name":"attacked-agent","version":"1"},"authMethods":[{"id":"login","name":"Log in"}]}';
  return toAgent(
    `initialize with params ${params}`,
    [request("1", "initialize", params)],
    { answers: [answered("1", answer)], diagnostics },
    rules,
  );
}

/** What a client gets before its `initialize` is answered properly. */
function toClient(name: string, sends: readonly string[], client: Row["client"], rules: readonly string[]): Row {
  return { name, rules, process: "opening", framings: ["ndjson"], sends, ...(client === undefined ? {} : { client }) };
}

/** An answer to `initialize` with which a client goes no further. */
function badAnswer(
  result: string,
  outcome: string,
  diagnostics: readonly string[] = ["invalid-message initialize /result/protocolVersion"],
): Row {
  return toClient(
    `the answer ${result} to initialize`,
    [`{"jsonrpc":"2.0","id":<id>,${result}}`],
    { diagnostics, outcome, exit: 0 },
    ["INIT-05", "INIT-10"],
  );
}

export const lifecycle: Theme = {
  title: "Before the handshake",
  text: "Before `initialize` an agent does nothing that it is asked to, and a client lets nobody in.",
  rows: [
    toAgent("session/new before initialize", [request("1", "session/new", '{"cwd":"/","mcpServers":[]}')], {
      answers: [early],
      diagnostics: ["invalid-message session/new"],
    }),
    toAgent("an extension before initialize", [request("1", "_do", '{"what":"null"}')], {
      answers: [early],
      diagnostics: ["invalid-message _do"],
    }),
    toAgent(
      "an unknown method before initialize",
      [request("1", "x/y")],
      { answers: [unknown("1", "x/y")], diagnostics: ["unknown-request"] },
      ["RPC-07"],
    ),
    toAgent("session/cancel before initialize", [notification("session/cancel", '{"sessionId":"s"}')], {}, ["CANC-10"]),
    toAgent(
      "an answer before anything was asked",
      [answered("1", '{"hunter2":1}')],
      { diagnostics: ["unexpected-response"] },
      ["RPC-02"],
    ),
    toAgent(
      "a log line before initialize",
      ["hunter2"],
      { answers: [failed("null", -32700)], diagnostics: ["noise"] },
      ["RPC-09"],
    ),
    badInitialize("null", ""),
    badInitialize("[]", ""),
    badInitialize('"hunter2"', ""),
    badInitialize("{}", "/protocolVersion"),
    badInitialize('{"protocolVersion":null}', "/protocolVersion"),
    badInitialize('{"protocolVersion":"1"}', "/protocolVersion"),
    badInitialize('{"protocolVersion":1.5}', "/protocolVersion"),
    badInitialize('{"protocolVersion":-1}', "/protocolVersion"),
    badInitialize('{"protocolVersion":65536}', "/protocolVersion"),
    badInitialize('{"protocolVersion":1e400}', "/protocolVersion"),
    version('{"protocolVersion":0}', ["INIT-09"]),
    version('{"protocolVersion":65535}', ["INIT-09"]),
    version(
      '{"protocolVersion":1,"clientCapabilities":null}',
      ["INIT-03", "COMPAT-01"],
      ["tolerated initialize /clientCapabilities"],
    ),
    version(
      '{"protocolVersion":1,"clientCapabilities":"hunter2"}',
      ["COMPAT-01"],
      ["tolerated initialize /clientCapabilities"],
    ),
    version(
      '{"protocolVersion":1,"clientCapabilities":{"fs":true,"terminal":"yes","hunter2":{}}}',
      ["COMPAT-01", "INIT-19"],
      ["tolerated initialize /clientCapabilities/fs /clientCapabilities/terminal"],
    ),
    version('{"protocolVersion":1,"clientInfo":[]}', ["COMPAT-01"], ["tolerated initialize /clientInfo"]),
    {
      name: "initialize a second time",
      rules: ["INIT-20"],
      sends: [request("1", "initialize", '{"protocolVersion":1}')],
      agent: {
        answers: [refused("1", "initialize was called already")],
        diagnostics: ["invalid-message initialize"],
      },
    },
    toClient(
      "log lines before the answer to initialize",
      ["hunter2", '{"level":"info"}', "[]"],
      { diagnostics: ["noise", "noise", "noise"] },
      ["TRAN-06"],
    ),
    toClient(
      "a request before the answer to initialize",
      [request("1", "x/y")],
      { answers: [unknown("1", "x/y")], diagnostics: ["unknown-request"] },
      ["RPC-07"],
    ),
    toClient(
      "a file to be written before the answer to initialize",
      [request("1", "fs/write_text_file", '{"sessionId":"s","path":"/hunter2","content":""}')],
      {
        answers: [refused("1", "initialize has not been answered")],
        diagnostics: ["invalid-message fs/write_text_file"],
      },
      ["INIT-01"],
    ),
    badAnswer('"result":null', "protocol_violation /result/protocolVersion"),
    badAnswer('"result":{}', "protocol_violation /result/protocolVersion"),
    badAnswer('"result":[]', "protocol_violation /result", ["invalid-message initialize /result"]),
    badAnswer('"result":{"protocolVersion":"1"}', "protocol_violation /result/protocolVersion"),
    badAnswer('"result":{"protocolVersion":65536}', "protocol_violation /result/protocolVersion"),
    badAnswer('"result":{"protocolVersion":2}', "protocol_violation /result/protocolVersion", []),
    badAnswer('"result":{"protocolVersion":0}', "protocol_violation /result/protocolVersion", []),
    badAnswer('"error":{"code":-32603,"message":"hunter2"}', "request_failed -32603", []),
    badAnswer('"error":"hunter2"', "protocol_violation /error", ["invalid-message initialize /error"]),
  ],
};
