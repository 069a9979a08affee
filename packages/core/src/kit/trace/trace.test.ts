import { describe, expect, test } from "vitest";
import { createAgent } from "../../v1/agent.ts";
import { createClient } from "../../v1/client.ts";
import { createMemoryTransportPair } from "../../transport/memory-transport.ts";
import { UsageError } from "../../base/errors.ts";
import {
  childTrace,
  formatTraceparent,
  parseTraceparent,
  readTrace,
  startTrace,
  type Trace,
  withTrace,
} from "./trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${spanId}-01`;

describe("parseTraceparent()", () => {
  test("takes a traceparent apart (EXT-04/both)", () => {
    expect(parseTraceparent(traceparent)).toEqual({ traceId, spanId, sampled: true });
    expect(parseTraceparent(`00-${traceId}-${spanId}-00`)?.sampled).toBe(false);
    expect(parseTraceparent(`00-${traceId}-${spanId}-03`)?.sampled).toBe(true);
  });

  test("reads the known fields of later versions", () => {
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toEqual({ traceId, spanId, sampled: true });
  });

  test.each([
    undefined,
    null,
    7,
    {},
    "",
    traceparent.toUpperCase(),
    ` ${traceparent}`,
    `${traceparent}-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-0g`,
  ])("finds none in %j", (value) => {
    expect(parseTraceparent(value)).toBeUndefined();
    expect(readTrace({ traceparent: value })).toBeUndefined();
  });

  test("is undone by formatTraceparent()", () => {
    expect(formatTraceparent({ traceId, spanId, sampled: true })).toBe(traceparent);
  });
});

describe("startTrace() and childTrace()", () => {
  test("make ids of the right form, new ones each time", () => {
    const traces = Array.from({ length: 50 }, () => startTrace());
    expect(traces.map((trace) => parseTraceparent(trace.traceparent))).toEqual(
      traces.map((trace) => ({ traceId: trace.traceId, spanId: trace.spanId, sampled: true })),
    );
    expect(new Set(traces.map((trace) => trace.traceId)).size).toBe(50);
    expect(startTrace({ sampled: false }).traceparent).toMatch(/-00$/);
  });

  test("keep the trace, its flags and its baggage, with a span of their own", () => {
    const parent = { traceparent, tracestate: "acme=1", baggage: "user=7" };
    const child = childTrace(parent);
    expect(child).toMatchObject({ traceId, sampled: true, tracestate: "acme=1", baggage: "user=7" });
    expect(child.spanId).not.toBe(spanId);
    expect(readTrace(withTrace(child))).toEqual(child);
    expect(parseTraceparent(childTrace(undefined).traceparent)).toBeDefined();
    expect(childTrace({ traceparent: "broken" }).traceId).not.toBe(traceId);
  });
});

describe("withTrace() and readTrace()", () => {
  test("put the three members at the root of _meta and read them there (EXT-04/both)", () => {
    const trace: Trace = {
      traceparent,
      tracestate: "rojo=00f067aa,congo@vendor=t61",
      baggage: "user=7;secret, b=%20c",
    };
    const meta = withTrace(trace, { acme: { a: 1 }, baggage: "old=1" });
    expect(meta).toEqual({ acme: { a: 1 }, ...trace });
    expect(readTrace(meta)).toEqual({ ...trace, traceId, spanId, sampled: true });
    expect(withTrace({ traceparent }, null)).toEqual({ traceparent });
  });

  test("take the longest tracestate that is allowed", () => {
    const keys = Array.from({ length: 32 }, (_, n) => `k${n}`.padEnd(256, "x"));
    const tracestate = keys.map((key) => `${key}=${"v".repeat(256)}`).join();
    expect(readTrace({ traceparent, tracestate })).toMatchObject({ tracestate });
  });

  test("leave a bad tracestate or baggage of the peer out, and refuse to send one", () => {
    const bad = {
      tracestate: [
        "",
        "a",
        "A=1",
        "a=1,a=2",
        "a=b=c",
        "a=é",
        7,
        Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(),
        `a=1${",".repeat(20_000)}`,
      ],
      baggage: ["", "a", "=1", "a b=1", 'a="1"', "a=1,,b=2", "a=é", 7, `a=${"x".repeat(9000)}`],
    };
    for (const [member, values] of Object.entries(bad)) {
      for (const value of values) {
        expect(readTrace({ traceparent, [member]: value }), `${member} ${value}`).toEqual({
          traceparent,
          traceId,
          spanId,
          sampled: true,
        });
        expect(() => withTrace({ traceparent, [member]: value })).toThrow(UsageError);
      }
    }
    expect(() => withTrace({ traceparent: "broken" })).toThrow("traceparent");
  });

  test.each([undefined, null, [], 7, "text"])("find nothing in %j", (meta) => {
    expect(readTrace(meta as never)).toBeUndefined();
  });

  test("carry a trace from a client through a prompt to its agent, and on to further calls (EXT-05)", async () => {
    const agent = createAgent({
      info: { name: "agent", version: "1" },
      handlers: {
        "session/prompt": async ({ _meta }, { client }) => {
          const trace = childTrace(readTrace(_meta));
          await client.request("fs/read_text_file", { path: "/project/a", _meta: withTrace(trace) });
          return { stopReason: "end_turn", _meta: withTrace(trace) };
        },
      },
    });
    const seen: unknown[] = [];
    const client = createClient({
      info: { name: "client", version: "1" },
      handlers: {
        "fs/read_text_file": ({ _meta }) => {
          seen.push(readTrace(_meta));
          return { content: "" };
        },
      },
    });
    const [ours, theirs] = createMemoryTransportPair();
    agent.connect(theirs);
    const connected = await client.connect(ours);
    const session = await connected.newSession({ cwd: "/project" });
    const trace = startTrace();
    const { _meta } = await session.prompt("go", { _meta: withTrace(trace) }).response;
    await connected.close();
    expect(seen).toEqual([readTrace(_meta)]);
    expect(readTrace(_meta)?.traceId).toBe(trace.traceId);
    expect(readTrace(_meta)?.spanId).not.toBe(trace.spanId);
  });
});
