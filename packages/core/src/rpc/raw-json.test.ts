import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawValue, recoverEnvelope } from "./raw-json.ts";

describe("rawValue()", () => {
  it("copies an id above 2^53 unchanged (RPC-04/both)", () => {
    expect(rawValue('{"jsonrpc":"2.0","id": 9007199254740993 ,"method":"x"}', ["id"])).toBe("9007199254740993");
  });

  it("is not misled by the same name deeper down, in strings or escaped", () => {
    const text = '{"params":{"id":1,"s":"\\"id\\":2"},"a":["id",{"id":3}],"\\u0069d":4.50}';
    expect(rawValue(text, ["id"])).toBe("4.50");
    expect(rawValue(text, ["params", "id"])).toBe("1");
    expect(rawValue(text, ["none"])).toBeUndefined();
  });

  it("takes the last of repeated members, as JSON.parse does", () => {
    expect(rawValue('{"id":1,"id":2}', ["id"])).toBe("2");
  });

  it("agrees with JSON.parse on any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (object, space) => {
        const text = JSON.stringify(object, null, space);
        for (const [key, value] of Object.entries(JSON.parse(text) as object)) {
          expect(JSON.parse(rawValue(text, [key]) ?? "")).toEqual(value);
        }
      }),
    );
  });
});

describe("recoverEnvelope()", () => {
  const whole = (message: object, head: number, tail: number): [string, string] => {
    const text = JSON.stringify(message);
    return [text.slice(0, head), text.slice(Math.max(head, text.length - tail))];
  };
  const body = { text: `"id":7,"method":"no"${"x".repeat(500)}` };

  it.each(["1x", "01", "-", "tru", '"a\nb"', '"\\x"', "{}", "[1]", "true"])(
    "takes %s for no id: it cannot be sent back",
    (id) => {
      expect(recoverEnvelope(`{"jsonrpc":"2.0","id":${id},"method":"m","params":"`, "")).toMatchObject({
        id: undefined,
        method: "m",
      });
    },
  );

  it("finds id and method of a request in the first bytes", () => {
    const [head, tail] = whole({ jsonrpc: "2.0", id: "a b", method: "session/prompt", params: body }, 80, 40);
    expect(recoverEnvelope(head, tail)).toEqual({
      id: '"a b"',
      method: "session/prompt",
      isResponse: false,
      isJsonRpc: true,
    });
  });

  it("finds members after a large one in the last bytes", () => {
    const [head, tail] = whole(
      { result: { ...body, nested: { id: 8 } }, jsonrpc: "2.0", id: 9007199254740991 },
      30,
      60,
    );
    expect(recoverEnvelope(head, tail)).toEqual({
      id: "9007199254740991",
      method: undefined,
      isResponse: true,
      isJsonRpc: true,
    });
  });

  it("does not take a nested id for the message's own", () => {
    const [head, tail] = whole({ jsonrpc: "2.0", method: "x", params: { a: "y".repeat(200), id: 5 } }, 40, 20);
    expect(recoverEnvelope(head, tail).id).toBeUndefined();
  });

  it("finds the id at any position, however the text is cut", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(["jsonrpc", "id", "method", "params"], { minLength: 4 }), (order) => {
        const values = { jsonrpc: "2.0", id: 12, method: "m", params: { deep: [{ id: 3 }], long: "z".repeat(300) } };
        const text = JSON.stringify(Object.fromEntries(order.map((key) => [key, values[key as keyof typeof values]])));
        expect(recoverEnvelope(text.slice(0, 120), text.slice(-120))).toMatchObject({ id: "12", method: "m" });
      }),
    );
  });
});
