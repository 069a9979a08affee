import { answered, failed, internal, invalid, refused } from "../message.ts";
import { both, type Piece, type Row, type Theme } from "../row.ts";

const levels = 100_000;
const arrays: readonly Piece[] = [
  { repeat: "[", times: levels },
  { repeat: "]", times: levels },
];
const objects: readonly Piece[] = [{ repeat: '{"a":', times: levels }, "1", { repeat: "}", times: levels }];

/** A message with 100,000 levels of arrays, and of objects, in one place. */
function deep(
  name: string,
  before: string,
  after: string,
  what: Pick<Row, "agent" | "client" | "call" | "rules">,
): Row[] {
  return [
    { name: `${name}: arrays`, sends: [[before, ...arrays, after]], ...what },
    { name: `${name}: objects`, sends: [[before, ...objects, after]], ...what },
  ];
}

const start = '{"jsonrpc":"2.0","id":1,"method":';
const newSession = `${start}"session/new","params":{"cwd":"/","mcpServers":[]`;
const update =
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"<session>","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"x"';
const form = `${start}"elicitation/create","params":{"sessionId":"<session>","mode":"form","message":"","requestedSchema":{"type":"object","properties":`;

export const nesting: Theme = {
  title: "100,000 levels of nesting",
  text: "Nothing here recurses over what it has not looked at: deep values are kept where the protocol takes any value, and refused or left out where it does not.",
  rows: [
    ...deep("the whole message", "", "", {
      agent: { answers: ["<row>"], diagnostics: ["noise"] },
      client: { diagnostics: ["noise"] },
    }).map((row, index): Row => {
      if (index === 0)
        return {
          ...row,
          agent: { answers: [refused("null", "batches are not part of the protocol")], diagnostics: ["noise"] },
        };
      const reason = '/jsonrpc: expected "2.0"';
      return { ...row, agent: { answers: [refused("null", reason)], diagnostics: ["invalid-message /jsonrpc"] } };
    }),
    {
      name: "brackets that never close",
      sends: [[{ repeat: "[", times: levels }]],
      agent: { answers: [failed("null", -32700)], diagnostics: ["noise"] },
      client: { diagnostics: ["noise"] },
    },
    {
      name: "braces that never close",
      sends: [[{ repeat: '{"a":', times: levels }]],
      agent: { answers: [failed("null", -32700)], diagnostics: ["noise"] },
      client: { diagnostics: ["noise"] },
    },
    ...deep("the id", '{"jsonrpc":"2.0","id":', ',"method":"_do"}', {
      ...both({
        answers: [refused("null", "/id: expected a string, a number or null")],
        diagnostics: ["invalid-message _do /id"],
      }),
    }),
    ...deep("the method", start, "}", {
      ...both({ answers: [refused("1", "/method: expected a string")], diagnostics: ["invalid-message /method"] }),
    }),
    ...deep("an unsafe id behind it", '{"jsonrpc":"2.0","method":"_any","params":', ',"id":9007199254740993}', {
      ...both({ answers: [answered("9007199254740993", "{}")] }),
    }),
    ...deep("the params of an extension", `${start}"_any","params":`, "}", {
      ...both({ answers: [answered("1", "{}")] }),
    }),
    ...deep("a notification's params", '{"jsonrpc":"2.0","method":"_any","params":', "}", { ...both({}) }),
    ...deep("params that come back as the result", `${start}"_echo","params":`, "}", {
      ...both({ answers: [internal("1")], diagnostics: ["unsendable _echo"] }),
    }),
    ...deep("a member that is a string", `${start}"session/new","params":{"mcpServers":[],"cwd":`, "}}", {
      agent: { answers: [invalid("1", "/cwd")], diagnostics: ["invalid-message session/new /cwd"] },
    }),
    ...deep("an item of a list", `${start}"session/new","params":{"cwd":"/","mcpServers":[`, "]}}", {
      agent: { answers: ['{"jsonrpc":"2.0","id":1,"error":"<any>"}'], diagnostics: ["<any>"] },
    }).map((row, index): Row => {
      const path = index === 0 ? "/mcpServers/0" : "/mcpServers/0/name";
      return { ...row, agent: { answers: [invalid("1", path)], diagnostics: [`invalid-message session/new ${path}`] } };
    }),
    ...deep("a member nobody knows", `${newSession},"more":`, "}}", {
      agent: { answers: [answered("1", '{"sessionId":"<any>"}')] },
    }),
    ...deep("_meta", `${newSession},"_meta":{"a":`, "}}}", {
      agent: { answers: [answered("1", '{"sessionId":"<any>"}')] },
    }),
    ...deep("the cancelled id", '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":', "}}", {
      ...both({ diagnostics: ["invalid-message $/cancel_request /params/requestId"] }),
    }),
    ...deep("a tool's raw input", `${update},"rawInput":`, "}}}", { client: {} }),
    ...deep("a tool's locations", `${update},"locations":[`, "]}}}", {
      client: { diagnostics: ["tolerated session/update /update/locations/0"] },
    }).map((row, index): Row => {
      const path = index === 0 ? "/update/locations/0" : "/update/locations/0/path";
      return { ...row, client: { diagnostics: [`tolerated session/update ${path}`] } };
    }),
    ...deep("a content block in a content block", `${update},"content":[{"type":"content","content":`, "}]}}}", {
      client: { diagnostics: ["<any>"] },
    }).map((row, index): Row => {
      const path = index === 0 ? "/update/content/0/content" : "/update/content/0/content/type";
      return { ...row, client: { diagnostics: [`tolerated session/update ${path}`] } };
    }),
    ...deep("a form's properties", form, "}}}", {}).map((row, index): Row => {
      const path = index === 0 ? "/requestedSchema/properties" : "/requestedSchema/properties/a/type";
      return {
        ...row,
        client: { answers: [invalid("1", path)], diagnostics: [`invalid-message elicitation/create ${path}`] },
      };
    }),
    ...deep("a result that may be anything", '{"jsonrpc":"2.0","id":<id>,"result":', "}", {
      call: { method: "_ask" },
      ...both({ outcome: "resolved" }),
    }),
    ...deep("a result that is to be an object with members", '{"jsonrpc":"2.0","id":<id>,"result":', "}", {
      call: { method: "session/new", params: { cwd: "/", mcpServers: [] } },
    }).map((row, index): Row => {
      const path = index === 0 ? "" : "/sessionId";
      return {
        ...row,
        client: {
          diagnostics: [`invalid-message session/new /result${path}`],
          outcome: `protocol_violation /result${path}`,
        },
      };
    }),
    ...deep("an error", '{"jsonrpc":"2.0","id":<id>,"error":', "}", {
      call: { method: "_ask" },
    }).map((row, index): Row => {
      // Arrays are no error object, and objects are one without a code.
      const path = index === 0 ? "/error" : "/error/code";
      return {
        ...row,
        ...both({ diagnostics: [`invalid-message _ask ${path}`], outcome: `protocol_violation ${path}` }),
      };
    }),
    ...deep("an error's data", '{"jsonrpc":"2.0","id":<id>,"error":{"code":1,"message":"","data":', "}}", {
      call: { method: "_ask" },
      ...both({ outcome: "request_failed 1" }),
    }),
    {
      name: "a handler's result with 100,000 levels",
      sends: [`${start}"_do","params":{"what":"nested"}}`],
      ...both({ answers: [internal("1")], diagnostics: ["unsendable _do"] }),
    },
  ],
};
