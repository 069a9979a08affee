import { describe, expect, test } from "vitest";
import { readModel } from "../model/read-model.ts";
import { parseSchemaDocument } from "../model/schema-document.ts";
import { readSchema, schemaNames } from "../testing/index.ts";
import { inferExtensions } from "./infer-extensions.ts";
import { readRecording, type Recorded } from "./recording.ts";
import { collectSamples, type SampleOptions, type Samples } from "./samples.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (...entries: readonly unknown[]): string => entries.map((entry) => JSON.stringify(entry)).join("\n");
const read = (...entries: readonly unknown[]): readonly Recorded[] =>
  readRecording(bytes(lines(...entries)), "r").messages;

const rpc = (message: object): object => ({ jsonrpc: "2.0", ...message });
const sent = (message: object): object => ({ direction: "sent", message: rpc(message) });
const received = (message: object): object => ({ direction: "received", message: rpc(message) });
/** Tells the reader that a client made the recording. */
const opening = sent({ id: "i", method: "initialize", params: {} });

const collect = (entries: readonly unknown[], options: SampleOptions = {}): Samples =>
  collectSamples([read(...entries)], options);
const seen = ({ methods }: Samples): readonly string[] =>
  methods.map(({ side, method, kind, params, results }) =>
    [side, method, kind, JSON.stringify(params), JSON.stringify(results)].join(" "),
  );
async function typesOf(...entries: readonly unknown[]): Promise<string> {
  return (await inferExtensions(collect([opening, ...entries]))).files["extensions.ts"];
}

describe("readRecording()", () => {
  const message = rpc({ id: 1, method: "_a/b" });

  test.each([
    ["a bare message", message, undefined],
    ["an entry of @acp/record", { time: "t", direction: "sent", message }, "recorder"],
    ["the other direction", { direction: "received", message }, "its peer"],
    ["a named sender", { from: "agent", message }, "agent"],
    ["a message as text", { direction: "sent", text: JSON.stringify(message) }, "recorder"],
    ["a diagnostic", { type: "unknown-notification", received: message }, undefined],
  ])("reads %s", (_, entry, from) => {
    expect(readRecording(bytes(lines(entry)), "r")).toEqual({
      messages: [{ place: "r:1", message, from }],
      unreadable: [],
      noise: 0,
    });
  });

  test("names the lines it cannot read, and continues after them", () => {
    const text = `${lines(message)}\r\n{"jsonrpc"\n\n7\n{"a":1}\n${lines({ direction: "received", message: "a log line" }, message)}`;
    const { messages, unreadable, noise } = readRecording(bytes(text), "r.ndjson");
    expect(messages.map(({ place }) => place)).toEqual(["r.ndjson:1", "r.ndjson:7"]);
    expect(unreadable.map((line) => line.replace(/JSON: .*/, "JSON"))).toEqual([
      "r.ndjson:2: no JSON",
      "r.ndjson:4: expected a JSON object: a message, or an entry with a message in it",
      "r.ndjson:5: expected a JSON-RPC message, or an entry that has one as message or received or text",
    ]);
    expect(noise).toBe(1);
  });

  test.each([100, 5_000])("leaves out values that are nested too deeply to examine (%s levels)", async (levels) => {
    // The message is a level, too.
    const deep = (count: number): string =>
      `{"jsonrpc":"2.0","method":"_a","params":${'{"a":'.repeat(count)}1${"}".repeat(count)}}`;
    const entries = [deep(99), deep(levels), lines({ direction: "sent", text: deep(levels) }), lines(message)];
    const { messages, unreadable } = readRecording(bytes(entries.join("\n")), "r");
    expect(messages.map(({ place }) => place)).toEqual(["r:1", "r:4"]);
    const reason = "it is nested more than 100 levels deep";
    expect(unreadable).toEqual([`r:2: ${reason}`, `r:3: ${reason}`]);
    expect((await inferExtensions(collectSamples([messages], {}))).files["schema.json"]).toContain("_a");
  });

  test("reads Content-Length frames", () => {
    const frame = (body: string): string => `Content-Length: ${bytes(body).length}\r\n\r\n${body}`;
    const text = frame(JSON.stringify(message)) + frame("{") + frame(lines({ ...message, é: 1 }));
    const { messages, unreadable } = readRecording(bytes(text), "r.bin");
    expect(messages.map(({ place }) => place)).toEqual(["r.bin, message 1", "r.bin, message 3"]);
    expect(unreadable).toEqual([expect.stringMatching(/^r\.bin, message 2: no JSON/)]);
  });
});

describe("collectSamples()", () => {
  test("finds out who handles which methods, and pairs answers by sender and id", () => {
    const entries = [
      received({ id: 1, method: "_early" }),
      sent({ id: 1, method: "_a/ping", params: 1 }),
      received({ id: 1, method: "_b/ask", params: 2 }),
      received({ id: 1, result: "of ping" }),
      sent({ id: 1, result: "of ask" }),
      received({ method: "_b/event", params: 3 }),
      received({ id: 9, result: "of nothing" }),
    ];
    const asClient = [
      "client _early request [null] []",
      'agent _a/ping request [1] ["of ping"]',
      'client _b/ask request [2] ["of ask"]',
      "client _b/event notification [3] []",
    ];
    expect(seen(collect([...entries, opening])).toSorted()).toEqual(asClient.toSorted());
    const agents = received({ id: 7, method: "session/prompt" });
    expect(seen(collect([...entries, agents])).toSorted()).toEqual(
      asClient.map((line) => line.replace(/^\w+/, (side) => (side === "agent" ? "client" : "agent"))).toSorted(),
    );
    expect(seen(collect(entries, { recordedBy: "client" })).toSorted()).toEqual(asClient.toSorted());
  });

  test.each(schemaNames)("knows the recorder from any method of %s that one side handles", (name) => {
    for (const { name: method, kind, side } of readModel(readSchema(name)).methods) {
      const first = sent({ method, ...(kind === "request" && { id: 1 }) });
      // What both may handle, or neither, says nothing; then what follows does.
      const isTelling = side === "agent" || side === "client";
      const recorder = side === "client" ? "agent" : "client";
      const entries = [first, ...(isTelling ? [] : [opening]), received({ id: 1, method: "_a" })];
      expect(seen(collect(entries)), `${method} (${kind})`).toEqual([`${recorder} _a request [null] []`]);
    }
  });

  test("takes the agent for the handler where no direction is recorded, and reports it", () => {
    const entries = [rpc({ id: 1, method: "_a/ping" }), rpc({ id: 1, result: 5 })];
    const { notes } = collect(entries);
    expect(seen(collect(entries))).toEqual(["agent _a/ping request [null] [5]"]);
    expect(notes).toEqual([expect.stringContaining("--handled-by")]);
    expect(seen(collect(entries, { handledBy: "client" }))).toEqual(["client _a/ping request [null] [5]"]);
    expect(collect(entries, { handledBy: "client" }).notes).toEqual([]);
  });

  test("keeps the ids of one recording apart from those of another", () => {
    const first = read(opening, sent({ id: 1, method: "_a" }));
    const second = read(opening, received({ id: 1, result: "of something else" }));
    expect(seen(collectSamples([first, second], {}))).toEqual(["agent _a request [null] []"]);
  });

  test("takes an answer for that of the latest request with its id, where no direction is recorded", () => {
    const answer = (result: string): object => rpc({ id: 1, result });
    const ask = (method: string): object => rpc({ id: 1, method, params: {} });
    // One is asked by the client, the other by the agent.
    const [first, second] = [ask("_a"), ask("fs/read_text_file")];
    const ofFirst = "agent _a request [{}]";
    expect(seen(collect([first, second, answer("b"), answer("a")]))).toEqual([`${ofFirst} ["a"]`]);
    expect(seen(collect([second, first, answer("a"), answer("b")]))).toEqual([`${ofFirst} ["a"]`]);
  });

  test("pairs many answers with requests that all wait", () => {
    const ids = Array.from({ length: 40_000 }, (_, id) => id);
    const of = (from: Recorded["from"], message: object): Recorded => ({ place: "r", from, message: { ...message } });
    const asked = ids.map((id) => of("client", { id, method: "_a" }));
    const answers = ids.map((id) => of("agent", { id, result: id }));
    expect(collectSamples([[...asked, ...answers]], {}).methods[0]?.results).toEqual(ids);
  });

  test("has no result from an error answer, and lists requests without an answer", () => {
    const samples = collect([
      opening,
      sent({ id: 1, method: "_a/fails" }),
      received({ id: 1, error: { code: 1, message: "no" } }),
      sent({ id: 2, method: "_a/hangs" }),
    ]);
    expect(samples.notes).toEqual([
      "_a/fails: no result was recorded, so its type is unknown",
      "_a/hangs: no result was recorded, so its type is unknown",
    ]);
  });

  test("finds _meta in messages of the protocol, by method and place", () => {
    const content = [{ type: "content", content: { type: "text", text: "", _meta: { c: 1 } } }];
    const { metas } = collect([
      sent({ id: 1, method: "initialize", params: { _meta: { a: 1 } } }),
      received({ id: 1, result: { _meta: { b: 1 }, agentCapabilities: { _meta: null } } }),
      received({ method: "session/update", params: { update: { sessionUpdate: "tool_call", content } } }),
    ]);
    expect(
      metas.map(({ method, part, path, values }) => [method, part, path.join("."), JSON.stringify(values)]),
    ).toEqual([
      ["initialize", "request", "", '[{"a":1}]'],
      ["initialize", "response", "", '[{"b":1}]'],
      ["session/update", "notification", "tool_call.content.content.content.text", '[{"c":1}]'],
    ]);
  });
});

describe("inferExtensions()", () => {
  test("makes members optional that some samples lack, and makes a union of differing types", async () => {
    const types = await typesOf(
      sent({
        method: "_a/event",
        params: { all: 1, some: "x", either: 1, nil: null, list: [], items: [{ id: 1 }, { id: "2", more: true }] },
      }),
      sent({
        method: "_a/event",
        params: { all: 2.5, either: "1", nil: { a: 1 }, list: [], items: [], "odd-key": {} },
      }),
    );
    expect(types).toContain(`export interface AEventNotification {
  all: number;
  either: number | string;
  items: AEventNotificationItemsItem[];
  list: unknown[];
  nil: AEventNotificationNil | null;
  "odd-key"?: Record<string, unknown>;
  some?: string;
}
`);
    expect(types).toContain(`export interface AEventNotificationItemsItem {
  id: number | string;
  more?: boolean;
}
`);
  });

  test("takes objects with many keys of one kind for maps", async () => {
    const sizes = { "f81d4fae-7dec": 1, "b2d4fae9-0c1e": 2, "c3aa0011-99ff": 3, "d0e1f2a3-4455": 4 };
    expect(await typesOf(sent({ method: "_a/sizes", params: { sizes } }))).toContain("sizes: Record<string, number>;");
  });

  test("has unknown results for unanswered requests, and undefined for missing params", async () => {
    const types = await typesOf(
      sent({ id: 1, method: "_a/slow" }),
      sent({ id: 2, method: "_a/maybe", params: { a: 1 } }),
      sent({ id: 3, method: "_a/maybe" }),
      received({ id: 3, result: null }),
    );
    expect(types).toContain('"_a/slow": request<undefined, unknown>(),');
    expect(types).toContain('"_a/maybe": request<AMaybeRequest | undefined, AMaybeResponse>(),');
    expect(types).toContain("export type AMaybeResponse = null;");
  });

  test("gives names that collide a number, and the client's side of a method its own", async () => {
    const types = await typesOf(
      ...["_acme/read_notes", "_acme/readNotes", "_acme.read-notes"].map((method) =>
        sent({ method, params: { method } }),
      ),
      received({ method: "_acme/readNotes", params: { client: true } }),
      sent({ method: "_2fa/_Ω", params: { a: { b: 1 }, A: { b: "x" }, généré: { b: 1 }, 検: { b: 1 } } }),
    );
    const names = [...types.matchAll(/export interface (\S+)/g)].map(([, name]) => name);
    expect(names).toEqual([
      "Type2FaNotification",
      "Type2FaNotificationA",
      "Type2FaNotificationA2",
      "Type2FaNotificationGenere",
      "Type2FaNotification2",
      "AcmeReadNotesNotification",
      "AcmeReadNotes2Notification",
      "AcmeReadNotesClientNotification",
      "AcmeReadNotes3Notification",
    ]);
  });

  test("names a method's params after it, even if another's params hold an object of that name", async () => {
    const { files } = await inferExtensions(
      collect([
        opening,
        sent({ id: 1, method: "_a", params: { options: { request: { inner: 1 } } } }),
        sent({ id: 2, method: "_a/request/options", params: { own: 1 } }),
      ]),
    );
    expect(files["extensions.ts"]).toContain("export interface ARequestOptionsRequest {\n  own: number;\n}");
    expect(files["extensions.ts"]).toContain("export interface ARequestOptionsRequest2 {\n  inner: number;\n}");
    const { methods } = readModel(parseSchemaDocument(files["schema.json"], "schema.json"));
    expect(methods.map(({ params }) => params)).toContain("ARequestOptionsRequest");
  });

  test("writes a schema for bindings, with any names and with gaps in the recording", async () => {
    const samples = collect([
      opening,
      sent({ id: 1, method: "_日本/検索", params: { é: { b: 1 } } }),
      sent({ id: 2, method: "_a/plain" }),
      received({ id: 2, result: { a: 1 } }),
      sent({ method: "_a/event" }),
      received({ method: "__proto__", params: JSON.parse('{ "__proto__": { "a": 1 } }') }),
    ]);
    const { files } = await inferExtensions(samples);
    const { methods } = readModel(parseSchemaDocument(files["schema.json"], "schema.json"));
    expect(methods.map(({ name }) => name).toSorted()).toEqual(samples.methods.map(({ method }) => method).toSorted());
    expect(files["extensions.ts"]).toContain('    ["__proto__"]: notification<ProtoNotification>(),');
  });

  test("gives the same result for the same messages, in any order of methods", async () => {
    const entries = [
      sent({ method: "_a/one", params: { x: { y: 1 } } }),
      sent({ method: "_a/two", params: { x: { y: "1" } } }),
      received({ method: "_a/three", params: { x: [{ y: true }] } }),
    ];
    expect(await typesOf(...entries)).toBe(await typesOf(...entries.toReversed()));
  });

  test("keeps comments closed to names that come from a peer", async () => {
    const types = await typesOf(sent({ method: "_a*/ export const broken = 1; /*", params: { "*/": 1, "a\nb": 2 } }));
    expect(types).not.toMatch(/^export const broken/m);
    expect(types).toContain("/** The params of `_a* / export const broken = 1; /*`");
    expect(types).toContain('"a\\nb": number;');
  });
});
