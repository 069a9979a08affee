import { answered, notification, request, unknown } from "../message.ts";
import { both, type Theme } from "../row.ts";

function many<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

const update = '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hunter2"}}';

const unread = [...many(3, () => "backlog"), ...many(2, () => "unsendable _do")];

export const floods: Theme = {
  title: "Too much of it",
  text: "What piles up has a bound, and whatever is given up for it is named.",
  rows: [
    {
      name: "5,000 requests for an unknown method",
      rules: ["RPC-07"],
      sends: [{ flood: request("<n>", "x/y"), times: 5_000 }],
      framings: ["ndjson"],
      ...both({
        answers: many(5_000, (n) => unknown(String(n), "x/y")),
        diagnostics: many(5_000, () => "unknown-request"),
      }),
    },
    {
      name: "5,000 requests at once, each with its answer",
      rules: ["RPC-11"],
      sends: [{ flood: request("<n>", "_do", '{"what":"null"}'), times: 5_000 }],
      framings: ["ndjson"],
      ...both({ answers: many(5_000, (n) => answered(String(n), "null")) }),
    },
    {
      name: "5,000 cancels of nothing",
      rules: ["RCAN-01"],
      sends: [{ flood: notification("$/cancel_request", '{"requestId":<n>}'), times: 5_000 }],
      framings: ["ndjson"],
      ...both({}),
    },
    {
      name: "6 requests for 60 MiB each, of which no answer is read: above 128 MiB the answers become errors",
      process: "alone",
      sends: [
        { unread: { flood: request("<n>", "_do", '{"what":"large","size":62914560}'), times: 6 }, told: 3 + 2 },
        { ends: "output" },
        { ends: "input" },
      ],
      framings: ["ndjson"],
      // The first one is in the pipe, and three wait.
      agent: { diagnostics: unread, exit: 0 },
      client: { diagnostics: [...unread, "closed"], exit: 0 },
    },
    {
      name: "1,001 updates of a session that nobody has opened: the handler gets them",
      process: "alone",
      sends: [{ flood: notification("session/update", `{"sessionId":"hunter2","update":${update}}`), times: 1_001 }],
      framings: ["ndjson"],
      client: { diagnostics: ["unclaimed-session"] },
    },
    {
      name: "updates of 1 MiB for 100 sessions that nobody has opened: the handler gets those of 64, and 31 of the others are kept",
      process: "alone",
      memory: 512,
      sends: [
        {
          flood: notification(
            "session/update",
            `{"sessionId":"<n>","update":${update},"more":"${"x".repeat(1_048_576)}"}`,
          ),
          times: 100,
        },
      ],
      framings: ["ndjson"],
      client: { diagnostics: many(64 + 1 + 5, () => "unclaimed-session") },
    },
  ],
};
