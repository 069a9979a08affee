import { createClient, createMemoryTransportPair } from "@acp/core";
import { describe, expect, test } from "vitest";
import { nextUncaught } from "../../core/src/transport/testing/next-uncaught.ts";
import { createRawPeer } from "../../core/test/support/raw-peer.ts";
import { recordingSink } from "../../core/src/transport/testing/recording-sink.ts";
import { type RecordedMessage, recordTraffic, recordTransport, redactCredentials } from "./index.ts";

const macrotask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("redactCredentials()", () => {
  test("removes the values of environments, headers and options, and keeps their names", () => {
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

  test("removes text in the form of a credential, anywhere", () => {
    const text = "curl -H 'Authorization: Bearer abcdef0123456789abcdef' sk-abcdefghijkl0123 ghp_abcdefghijkl0123";
    expect(redactCredentials({ text })).toEqual({
      text: "curl -H 'Authorization: Bearer [redacted]' [redacted] [redacted]",
    });
  });

  test.each([
    [
      ["run", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN=hunter2", "-e", "HOME"],
      ["run", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN=[redacted]", "-e", "HOME"],
    ],
    [
      ["--env", "PIN=hunter2", "--env=PIN=hunter2"],
      ["--env", "PIN=[redacted]", "--env=PIN=[redacted]"],
    ],
    [
      ["--header", "Authorization: Basic hunter2"],
      ["--header", "Authorization:[redacted]"],
    ],
    [
      ["-H", "X-Acme: hunter2", "--header=X-API-Key: hunter2"],
      ["-H", "X-Acme:[redacted]", "--header=X-API-Key:[redacted]"],
    ],
    [
      ["API_KEY=hunter2", "--basic-auth=hunter2"],
      ["API_KEY=[redacted]", "--basic-auth=[redacted]"],
    ],
    [
      ["--password", "--token", "serve"],
      ["--password", "[redacted]", "serve"],
    ],
    [['--config={"apiKey":"hunter2"}'], ['--config={"apiKey"[redacted]']],
    [
      ["-p", "80:80", "--author=me", "/tokens/a"],
      ["-p", "80:80", "--author=me", "/tokens/a"],
    ],
  ])("takes the secrets out of the arguments %j", (args, expected) => {
    expect(redactCredentials({ args })).toEqual({ args: expected });
  });

  test("takes out numbers, unless they count something", () => {
    const message = { password: 12345678, token: [987654], env: { PIN: 1234 }, on: { token: true } };
    const hidden = { password: "[redacted]", token: ["[redacted]"], env: { PIN: "[redacted]" }, on: { token: true } };
    expect(redactCredentials(message)).toEqual(hidden);
    const usage = { totalTokens: 7, token_count: 7, tokenLimit: 7, tokens: { input: 7 } };
    expect(redactCredentials(usage)).toEqual(usage);
  });

  test.each([
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "hf_abcdefghijklmnopqrstuvwxyz",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "sk_live_abcdefghijklmnop",
    "rk_test_abcdefghijklmnop",
  ])("takes %s out of any text", (token) => {
    expect(redactCredentials([`with ${token}, please`])).toEqual(["with [redacted], please"]);
  });

  test.each([
    ["Authorization: Basic aHVudGVyMg==", "Authorization: Basic [redacted]"],
    ["Authorization: Bearer onlyletters", "Authorization: Bearer [redacted]"],
    ["https://a.example/?api-key=hunter2&b=1", "https://a.example/?api-key=[redacted]&b=1"],
    ["https://a.example/?X-Amz-Signature=hunter2", "https://a.example/?X-Amz-Signature=[redacted]"],
    ["https://a.example/cb#access_token=hunter2", "https://a.example/cb#access_token=[redacted]"],
    ["https://me:hunter2@hunter2@a.example/", "https://[redacted]@a.example/"],
    ["npm_package_version_of_something npm_config_user_agent", undefined],
    ["https://a.example/?page=2&country=de&tokens=7#code", undefined],
  ])("reads the text %s", (text, expected = text) => {
    expect(redactCredentials({ text })).toEqual({ text: expected });
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

  test("leaves out a text that is too much for the runtime's matcher", () => {
    // The base64 of a JSON file.
    const blob = `eyJ${"a".repeat(2 ** 23)}`;
    expect([blob, "[redacted]"]).toContain(redactCredentials(blob));
    expect([`Bearer 1${blob}`, "Bearer [redacted]", "[redacted]"]).toContain(redactCredentials(`Bearer 1${blob}`));
  });

  test("reads texts of a megabyte that only start like credentials", () => {
    const parts = [
      "a.",
      "Bearer ",
      "x://",
      "a:b",
      "x://a:",
      "--token",
      "-",
      "?token=",
      "?a",
      "#token",
      "sk-",
      "eyJ",
      "-eyJ",
    ];
    for (const part of [
      ...parts,
      "eyJaaaaaaaa.",
      "npm_",
      "authorization: basic ",
      "authorization",
      "token ",
      '"env',
      " ",
    ]) {
      const text = part.repeat(2 ** 20 / part.length);
      expect(typeof (redactCredentials({ args: [text], text }) as { text: unknown }).text).toBe("string");
      recordTraffic(({ message }) => expect(typeof message).toBe("string"))("received", `{${text}`);
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

  test("records and carries a message of an unknown kind unchanged, whoever reads it", async () => {
    const entries: RecordedMessage[] = [];
    const update = { sessionUpdate: "_acme/mood", mood: [1] };
    const tag = { sessionUpdate: "unknown variant", received: { sessionUpdate: "plan", entries: [] } };
    const messages = [update, tag].map((one) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", update: one },
    }));
    const received: unknown[] = [];
    const client = createClient({
      info: { name: "client", version: "1.0.0" },
      handlers: { "session/update": (params) => void received.push(params) },
    });
    let connecting: ReturnType<typeof client.connect> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(recordTransport(transport, (entry) => entries.push(entry)));
    });
    const answer = async (method: string, result: object): Promise<void> => {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, result });
    };
    await answer("initialize", { protocolVersion: 1 });
    const agent = await connecting;
    const opening = agent?.newSession({ cwd: "/" });
    await answer("session/new", { sessionId: "s" });
    await opening;
    for (const message of messages) peer.send(message);
    await expect.poll(() => received.length).toBe(2);
    expect(entries.slice(-2).map(({ message }) => JSON.stringify(message))).toEqual(
      messages.map((message) => JSON.stringify(message)),
    );
    expect(JSON.stringify(received)).toBe(JSON.stringify(messages.map(({ params }) => params)));
    await agent?.close();
  });

  test("does not record messages that could not be sent", async () => {
    const [left] = createMemoryTransportPair();
    const entries: RecordedMessage[] = [];
    const transport = recordTransport(left, (entry) => entries.push(entry));
    await transport.close();
    expect(() => transport.send("{}", "soon")).toThrow("closed");
    expect(entries).toEqual([]);
  });

  test("continues when the sink throws, whose error is not swallowed", async () => {
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

test.each([
  ['{"method":"_x","params":{"apiKey":"hunter2"}} {"a":1', '{"method":"_x","params":{"apiKey"[redacted]'],
  ['{"params":{"env":[{"name":"A","value":"hunter2"', '{"params":{"env"[redacted]'],
  ['"{\\"password\\":12345678}"', '{"password":"[redacted]"}'],
  ["connecting with API_KEY=hunter2", "connecting with API_KEY=[redacted]"],
  ["the token has expired; author: me", "the token has expired; author: me"],
])("recordTraffic() removes the value after the name of a secret in %s, which is not a message", (text, expected) => {
  const entries: unknown[] = [];
  recordTraffic(({ message }) => entries.push(message))("received", text);
  expect(entries).toEqual([expected]);
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

  test("and keeps values of 500 levels unchanged", () => {
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
