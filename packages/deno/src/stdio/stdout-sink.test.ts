import { describe, expect, test } from "vitest";

import { stdoutSink } from "./stdout-sink.ts";

/** A stdout whose other thread writes what it was given when it is told to. */
function slowStdout() {
  const written: string[] = [];
  const pending: (() => void)[] = [];
  const put = (bytes: Uint8Array): number => written.push(new TextDecoder().decode(bytes)) && bytes.length;
  return {
    written,
    text: () => written.join(""),
    finishOne: () => pending.shift()?.(),
    write: (bytes: Uint8Array) => new Promise<number>((resolve) => pending.push(() => resolve(put(bytes)))),
    writeSync: put,
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nothing = (): void => {};

describe("stdoutSink()", () => {
  test("holds the writer back until all is written, in order", async () => {
    const stdout = slowStdout();
    const sink = stdoutSink(stdout, nothing);
    const written = Promise.all([sink.write(bytes("one ")), sink.write(bytes("two "))]);
    expect(stdout.text()).toBe("");
    stdout.finishOne();
    await expect.poll(stdout.text).toBe("one ");
    stdout.finishOne();
    await written;
    expect(stdout.text()).toBe("one two ");
  });

  test("writes at the end of the process the text that another thread would lose", async () => {
    const stdout = slowStdout();
    const sink = stdoutSink(stdout, nothing);
    const large = "x".repeat(200_000);
    for (const text of [`${large} `, "two "]) void sink.write(bytes(text));
    // This much the other thread does meanwhile.
    stdout.finishOne();
    sink.now(() => void sink.write(bytes("three")));
    expect(stdout.text()).toBe(`${large} two three`);
    // And it has nothing left to do, where the process lives on.
    const later = sink.write(bytes(", four"));
    await expect.poll(() => stdout.finishOne() === undefined && stdout.text()).toBe(`${large} two three, four`);
    await later;
  });

  test("reports once that nobody reads it any more, and leaves out the rest", async () => {
    const failures: unknown[] = [];
    const gone = new Error("EPIPE");
    const sink = stdoutSink(
      { write: () => Promise.reject(gone), writeSync: () => 0 },
      (error) => void failures.push(error),
    );
    await Promise.all([sink.write(bytes("one")), sink.write(bytes("two"))]);
    sink.now(() => expect(sink.write(bytes("three"))).toBeUndefined());
    expect(failures).toEqual([gone]);
  });
});
