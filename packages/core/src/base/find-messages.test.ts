import { describe, expect, test } from "vitest";
import { findMessages, splitMessages, textOutside } from "./find-messages.ts";

const one = '{"jsonrpc":"2.0","id":1,"method":"_a","params":{"text":"}{\\"{"}}';
const two = '{ "id": 2, "result": null, "jsonrpc": "2.0" }';
const three = '{"jsonrpc":"2.0","method":"_note"}';

function messagesIn(text: string): readonly string[] {
  return findMessages(text).map(({ start, end }) => text.slice(start, end));
}

describe("findMessages()", () => {
  test.each<[string, string, readonly string[], string]>([
    ["a title of the terminal", `\u001b]0;agent {"x\u0007${one}`, [one], '\u001b]0;agent {"x\u0007'],
    ["a title that ends with a string terminator", `\u001b]2;agent\u001b\\${one}`, [one], "\u001b]2;agent\u001b\\"],
    ["colours around it", `\u001b[32m${one}\u001b[0m`, [one], "\u001b[32m\u001b[0m"],
    ["colours behind it", `${one}\u001b[0m\u001b[K`, [one], "\u001b[0m\u001b[K"],
    ["a spinner", `⠋ thinking\r⠙ thinking\r\u001b[2K${one}`, [one], "⠋ thinking\r⠙ thinking\r\u001b[2K"],
    ["a log prefix", `2026-11-25 INFO [rpc] ${one}`, [one], "2026-11-25 INFO [rpc] "],
    [
      "a log prefix with braces",
      `[debug] state {} {"a":{"b":1}} {c: {"d ${one}`,
      [one],
      '[debug] state {} {"a":{"b":1}} {c: {"d ',
    ],
    ["a prompt", `> ${one}`, [one], "> "],
    ["a byte order mark inside the line", `${one}\ufeff${two}`, [one, two], "\ufeff"],
    ["two messages", one + two, [one, two], ""],
    ["three messages and a comma", `${one},${two} ${three}`, [one, two, three], ", "],
    [
      "a message that was cut off",
      `{"jsonrpc":"2.0","method":"_a","par${three}`,
      [three],
      '{"jsonrpc":"2.0","method":"_a","par',
    ],
    ["a brace too many", `${one}}`, [one], "}"],
  ])("finds the messages behind %s", (_name, text, messages, rest) => {
    expect(messagesIn(text)).toEqual(messages);
    expect(textOutside(text, findMessages(text))).toBe(rest);
    expect(splitMessages(text).join("")).toBe(text);
    expect(splitMessages(text).flatMap(messagesIn)).toEqual(messages);
  });

  test.each([
    ["a log line", "starting up {}"],
    ["an object that logs a message", `info {"level":30,"sent":${one}}`],
    ["a message in a string", `info ${JSON.stringify(one)}`],
    ["another version", 'log {"jsonrpc":"1.0","id":1,"method":"a"}'],
    ["neither method nor id", 'log {"jsonrpc":"2.0"}'],
    ["a message that is not closed", one.slice(0, -1)],
    ["single quotes", "{'jsonrpc':'2.0','id':1,'method':'_do'}"],
  ])("finds none in %s", (_name, text) => {
    expect(messagesIn(text)).toEqual([]);
    expect(splitMessages(text)).toEqual([text]);
  });

  test("takes linear time for text that looks like messages", () => {
    const size = 200_000;
    for (const piece of ['{"a":', '{"', '{"}', '{"a":}', "{ ", '{"jsonrpc":"2.0",']) {
      const text = `x"jsonrpc"${piece.repeat(size)}`;
      // In quadratic time this would take minutes.
      expect(messagesIn(text)).toEqual([]);
    }
  });

  test("splitMessages() leaves JSON alone", () => {
    expect(splitMessages(`[${one},${two}]`)).toEqual([`[${one},${two}]`]);
    expect(splitMessages("null")).toEqual(["null"]);
  });
});
