import { describe, expect, test } from "vitest";
import { createMemoryTransportPair } from "../transport/memory-transport.ts";
import { nextUncaught } from "../transport/testing/next-uncaught.ts";
import { recordingSink } from "../transport/testing/recording-sink.ts";
import { type RecordedMessage, recordTraffic, recordTransport, redactCredentials } from "./record.ts";

const macrotask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("redactCredentials()", () => {
  test("takes out the values of environments, headers and options, and leaves what they are called", () => {
    const servers = [
      {
        name: "github",
        command: "/bin/mcp",
        args: ["--port", "80", "--api-key", "hunter2", "--token=abc", "--author", "me"],
        env: [{ name: "GITHUB_TOKEN", value: "hunter2", _meta: { a: 1 } }],
      },
      {
        type: "http",
        name: "web",
        url: "https://me:hunter2@example.com/?a=1&token=hunter2",
        headers: [{ name: "X", value: "hunter2" }],
      },
    ];
    const params = {
      cwd: "/project",
      mcpServers: servers,
      env: { KEY: "hunter2", DEEP: ["hunter2", { a: "hunter2" }] },
    };
    const redacted = redactCredentials({ jsonrpc: "2.0", id: 1, method: "session/new", params });
    expect(JSON.stringify(redacted)).not.toMatch(/hunter2|abc/);
    expect(redacted).toMatchObject({
      id: 1,
      params: {
        cwd: "/project",
        mcpServers: [
          {
            name: "github",
            args: ["--port", "80", "--api-key", "[redacted]", "--token=[redacted]", "--author", "me"],
            env: [{ name: "GITHUB_TOKEN", value: "[redacted]" }],
          },
          {
            url: "https://[redacted]@example.com/?a=1&token=[redacted]",
            headers: [{ name: "X", value: "[redacted]" }],
          },
        ],
        env: { KEY: "[redacted]" },
      },
    });
  });

  test.each([
    "authorization",
    "Authorization",
    "x-api-key",
    "apiKey",
    "accessToken",
    "client_secret",
    "password",
    "cookie",
  ])("takes out %s, in _meta as anywhere", (name) => {
    const redacted = redactCredentials({ params: { _meta: { [name]: "hunter2", acme: { [name]: ["hunter2"] } } } });
    expect(redacted).toEqual({ params: { _meta: { [name]: "[redacted]", acme: { [name]: ["[redacted]"] } } } });
  });

  test("takes out what has the form of a credential, in any text", () => {
    const text = "curl -H 'Authorization: Bearer abcdef0123456789abcdef' sk-abcdefghijkl0123 ghp_abcdefghijkl0123";
    expect(redactCredentials({ text })).toEqual({
      text: "curl -H 'Authorization: Bearer [redacted]' [redacted] [redacted]",
    });
  });

  test("leaves everything else as it is", () => {
    const message = {
      method: "session/update",
      params: {
        sessionId: "sess-1",
        usage: { totalTokens: 7 },
        text: "the bearer of bad news, risk-free",
        list: [1, null, true],
      },
    };
    expect(redactCredentials(message)).toEqual(message);
  });

  test("reads texts of a megabyte that only begin like credentials", () => {
    for (const part of ["a.", "Bearer ", "x://", "a:b", "--token", "?token=", "sk-"]) {
      const text = part.repeat(2 ** 20 / part.length);
      expect(typeof (redactCredentials({ args: [text], text }) as { text: unknown }).text).toBe("string");
    }
  });
});

describe("recordTransport()", () => {
  test("hands on each message with its direction and time, without credentials, and carries it unchanged", async () => {
    const [left, right] = createMemoryTransportPair();
    const entries: RecordedMessage[] = [];
    const transport = recordTransport(left, (entry) => entries.push(entry));
    const [sink, peer] = [recordingSink(), recordingSink()];
    transport.start(sink);
    right.start(peer);
    const secret = '{"a":{"token":"hunter2"}}';
    await transport.send(secret, "soon");
    await right.send('{"b":9007199254740993}', "soon");
    await right.send("a log line", "soon");
    await macrotask();
    expect([peer.messages, sink.messages]).toEqual([[secret], ['{"b":9007199254740993}', "a log line"]]);
    expect(entries.map(({ direction, message }) => [direction, message])).toEqual([
      ["sent", { a: { token: "[redacted]" } }],
      ["received", { b: 9007199254740992 }],
      ["received", "a log line"],
    ]);
    for (const { time } of entries) expect(new Date(time).toISOString()).toBe(time);
    await transport.close();
    expect(sink.events.at(-1)).toBe("closed");
  });

  test("does not record what could not be sent", async () => {
    const [left] = createMemoryTransportPair();
    const entries: RecordedMessage[] = [];
    const transport = recordTransport(left, (entry) => entries.push(entry));
    await transport.close();
    expect(() => transport.send("{}", "soon")).toThrow("closed");
    expect(entries).toEqual([]);
  });

  test("goes on when the sink throws, whose error is not swallowed", async () => {
    const [left, right] = createMemoryTransportPair();
    const failure = new Error("disk full");
    const transport = recordTransport(left, () => {
      throw failure;
    });
    const sink = recordingSink();
    transport.start(sink);
    const uncaught = nextUncaught();
    await right.send("{}", "soon");
    expect(await uncaught).toBe(failure);
    expect(sink.messages).toEqual(["{}"]);
  });
});

describe("recordTraffic() records a message nested 100,000 levels, so that JSON can be written of it", () => {
  const nested = (before: string, after: string): string => {
    const levels = 100_000;
    return `{"method":"_x","token":"hunter2","params":${before.repeat(levels)}"deep"${after.repeat(levels)}}`;
  };

  test.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
    ["secrets", '{"token":', "}"],
    ["environments", '{"env":', "}"],
    ["values of pairs", '{"env":[{"value":', "}]}"],
    ["what stands beside a value", '{"env":[{"value":1,"_meta":', "}]}"],
    ["arguments", '{"args":[', "]}"],
  ])("%s", (_, before, after) => {
    const entries: RecordedMessage[] = [];
    const text = nested(before, after);
    recordTraffic((entry) => entries.push(entry))("received", text);
    expect(entries).toMatchObject([{ message: { method: "_x", token: "[redacted]" } }]);
    expect(JSON.stringify(entries[0])).toContain("[nested too deep]");
    recordTraffic((entry) => entries.push(entry), { redact: false })("received", text);
    expect(entries[1]?.message).toBe(text);
  });

  test("and leaves what has 500 levels as it is", () => {
    const message: unknown = JSON.parse(`${"[".repeat(500)}"x"${"]".repeat(500)}`);
    expect(JSON.stringify(redactCredentials(message))).toBe(JSON.stringify(message));
  });
});

test("recordTraffic() takes another way to redact, or none", () => {
  const entries: unknown[] = [];
  const text = '{"token":"hunter2"}';
  recordTraffic(({ message }) => entries.push(message), { redact: false })("sent", text);
  recordTraffic(({ message }) => entries.push(message), { redact: () => "nothing" })("sent", text);
  expect(entries).toEqual([{ token: "hunter2" }, "nothing"]);
});
