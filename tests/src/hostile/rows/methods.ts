import { failed, notification, request, unknown } from "../message.ts";
import { both, type Row, type Theme } from "../row.ts";

/** A method that nobody handles; its name comes back if it is fit to be shown. */
function unknownMethod(name: string, method: string, shown: boolean): Row[] {
  const text = JSON.stringify(method);
  return [
    {
      name: `${name}, as request`,
      rules: ["RPC-07", "EXT-08"],
      sends: [`{"jsonrpc":"2.0","id":1,"method":${text}}`],
      ...(shown ? { echoes: "the method's name" as const } : {}),
      ...both({
        answers: [shown ? unknown("1", method) : failed("1", -32601)],
        diagnostics: ["unknown-request"],
      }),
    },
    {
      name: `${name}, as notification`,
      rules: ["RPC-03", "EXT-09"],
      sends: [`{"jsonrpc":"2.0","method":${text}}`],
      ...(shown ? { echoes: "the method's name" as const } : {}),
      ...both({ diagnostics: ["unknown-notification"] }),
    },
  ];
}

const objectMembers = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"];

export const methods: Theme = {
  title: "Methods",
  text: "A request that nobody handles is answered -32601, with the name of the method as long as that is printable and of sane length. A notification is not answered.",
  rows: [
    ...unknownMethod("an unknown method", "x/y", true),
    ...unknownMethod("an unknown extension", "_acme/ping", true),
    ...unknownMethod("a method in capitals", "SESSION/NEW", true),
    ...unknownMethod("a method with a space behind it", "session/new ", true),
    ...unknownMethod("a method of 128 characters", "m".repeat(128), true),
    ...unknownMethod("a method of 129 characters", `hunter2${"m".repeat(122)}`, false),
    ...unknownMethod("a method of a million characters", `hunter2${"m".repeat(1_000_000)}`, false),
    ...unknownMethod("a method with a line break", "hunter2\nforged: log line", false),
    ...unknownMethod("a method with terminal colours", "\u001b[31mhunter2", false),
    ...unknownMethod("a method with a lone surrogate", "hunter2\ud800", false),
    ...unknownMethod("a method that turns the direction of text", "hunter2\u202e", false),
    ...objectMembers.flatMap((name) => unknownMethod(`the method ${name}`, name, true)),
    ...unknownMethod("an unknown method of the $/ family", "$/hunter2", true),
    {
      name: "a request where the protocol has a notification",
      rules: ["RPC-07"],
      sends: [request("1", "session/cancel", '{"sessionId":"s"}')],
      agent: { answers: [unknown("1", "session/cancel")], diagnostics: ["unknown-request"] },
    },
    {
      name: "a request where the protocol has a notification",
      rules: ["RPC-07"],
      sends: [request("1", "session/update", "{}")],
      client: { answers: [unknown("1", "session/update")], diagnostics: ["unknown-request"] },
    },
    {
      name: "$/cancel_request as a request",
      rules: ["RPC-07"],
      sends: [request("1", "$/cancel_request", '{"requestId":1}')],
      ...both({ answers: [unknown("1", "$/cancel_request")], diagnostics: ["unknown-request"] }),
    },
    {
      name: "a notification where the protocol has a request",
      rules: ["RPC-03"],
      sends: [notification("session/new", '{"cwd":"/","mcpServers":[]}')],
      agent: { diagnostics: ["unknown-notification"] },
    },
    {
      name: "a notification where the protocol has a request",
      rules: ["RPC-03"],
      sends: [notification("fs/read_text_file", '{"sessionId":"s","path":"/"}')],
      client: { diagnostics: ["unknown-notification"] },
    },
    {
      name: "a method of the other role",
      rules: ["RPC-07"],
      sends: [request("1", "fs/read_text_file", '{"sessionId":"s","path":"/"}')],
      agent: { answers: [unknown("1", "fs/read_text_file")], diagnostics: ["unknown-request"] },
    },
    {
      name: "a method of the other role",
      rules: ["RPC-07"],
      sends: [request("1", "session/new", '{"cwd":"/","mcpServers":[]}')],
      client: { answers: [unknown("1", "session/new")], diagnostics: ["unknown-request"] },
    },
  ],
};
