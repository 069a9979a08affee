import { answered, invalid, noSession, notClaimed, notification, request } from "../message.ts";
import { both, type Row, type Theme } from "../row.ts";

const names = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "toJSON", "then", "length"];

/** Members that objects inherit, where a program might take them for its own. */
function polluting(name: string): Row[] {
  const key = JSON.stringify(name);
  return [
    {
      name: `a member ${name} in the envelope`,
      sends: [`{"jsonrpc":"2.0","id":1,"method":"_do",${key}:{"result":1,"polluted":true},"params":{"what":"null"}}`],
      ...both({ answers: [answered("1", "null")] }),
    },
    {
      name: `the method's params in ${name}`,
      sends: [`{"jsonrpc":"2.0","id":1,"method":"session/new",${key}:{"params":{"cwd":"/","mcpServers":[]}}}`],
      agent: { answers: [invalid("1", "/cwd")], diagnostics: ["invalid-message session/new /cwd"] },
    },
    {
      name: `required members in ${name}`,
      sends: [request("1", "session/new", `{${key}:{"cwd":"/","mcpServers":[]}}`)],
      agent: { answers: [invalid("1", "/cwd")], diagnostics: ["invalid-message session/new /cwd"] },
    },
    {
      name: `${name} in _meta and next to known members`,
      rules: ["EXT-01"],
      sends: [
        request(
          "1",
          "session/new",
          `{"cwd":"/","mcpServers":[],${key}:{"polluted":true},"_meta":{${key}:{"polluted":true}}}`,
        ),
      ],
      agent: { answers: [answered("1", '{"sessionId":"<any>"}')] },
    },
    {
      name: `${name} as the id of a session`,
      rules: ["SESS-26"],
      sends: [request("1", "session/prompt", `{"sessionId":${key},"prompt":[]}`)],
      agent: { answers: [noSession], diagnostics: ["invalid-message session/prompt /sessionId"] },
    },
    {
      name: `${name} as the id of a session`,
      rules: ["SESS-26"],
      sends: [request("1", "fs/read_text_file", `{"sessionId":${key},"path":"/x"}`)],
      client: { answers: [notClaimed], diagnostics: ["invalid-message fs/read_text_file /sessionId"] },
    },
    {
      name: `${name} as the tag of a content block`,
      rules: ["PROM-03"],
      sends: [request("1", "session/prompt", `{"sessionId":"<session>","prompt":[{"type":${key}}]}`)],
      agent: {
        answers: [invalid("1", "/prompt/0/type")],
        diagnostics: ["invalid-message session/prompt /prompt/0/type"],
      },
    },
    {
      name: `${name} as the tag of an update`,
      rules: ["UPD-07"],
      sends: [notification("session/update", `{"sessionId":"<session>","update":{"sessionUpdate":${key}}}`)],
      client: { diagnostics: ["tolerated session/update /update/sessionUpdate"] },
    },
    {
      name: `${name} as the name of a property in a form`,
      rules: ["ELIC-06"],
      sends: [
        request(
          "1",
          "elicitation/create",
          `{"sessionId":"<session>","mode":"form","message":"","requestedSchema":{"type":"object","properties":{${key}:{"type":"string","title":5}}}}`,
        ),
      ],
      client: {
        answers: [answered("1", '{"action":"decline"}')],
        diagnostics: [`tolerated elicitation/create /requestedSchema/properties/${name}/title`],
      },
    },
  ];
}

const form = (property: string): string =>
  `{"sessionId":"<session>","mode":"form","message":"","requestedSchema":{"type":"object","properties":{${property}:5}}}`;

export const inheritedNames: Theme = {
  title: "Names that objects inherit",
  text: "Members, methods, ids and tags may be called `__proto__` or `constructor`. They are names like any other, and nothing is read from a prototype.",
  rows: [
    ...names.flatMap(polluting),
    {
      name: "a broken property whose name is printable",
      rules: ["RPC-08", "ERR-05"],
      sends: [request("1", "elicitation/create", form('"hunter2"'))],
      echoes: "the name of a member",
      client: {
        answers: [invalid("1", "/requestedSchema/properties/hunter2")],
        diagnostics: ["invalid-message elicitation/create /requestedSchema/properties/hunter2"],
      },
    },
    ...["hunter2\\nforged: log line", "\\u001b[31mhunter2", "hunter2\\ud800"].map((name): Row => ({
      name: "a broken property whose name is not printable",
      rules: ["RPC-08", "ERR-06"],
      sends: [request("1", "elicitation/create", form(`"${name}"`))],
      client: {
        answers: [invalid("1", "/requestedSchema/properties/*")],
        diagnostics: ["invalid-message elicitation/create /requestedSchema/properties/*"],
      },
    })),
    {
      name: "a broken property whose name has a million characters",
      rules: ["RPC-08", "ERR-06"],
      sends: [
        [
          '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"sessionId":"<session>","mode":"form","message":"","requestedSchema":{"type":"object","properties":{"hunter2',
          { repeat: "x", times: 1_000_000 },
          '":5}}}}',
        ],
      ],
      client: {
        answers: [invalid("1", "/requestedSchema/properties/*")],
        diagnostics: ["invalid-message elicitation/create /requestedSchema/properties/*"],
      },
    },
  ],
};
