import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { render } from "ink";
import type { ReactNode } from "react";

/** A component on a screen that exists in memory only, for tests of what keys do. */
export interface TypedScreen {
  /** The last frame, without colours. */
  readonly frame: string;
  /** The last frame as it is written. */
  readonly rawFrame: string;
  /** Types this as one chunk. */
  type(chunk: string): Promise<void>;
  show(node: ReactNode): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Nothing but control sequences, such as those of modes. */
// oxlint-disable-next-line no-control-regex -- they begin with a control character
const modesOnly = /^(?:\u001B\[\??[\d;]*[a-zA-Z])*$/u;

export async function openTypedScreen(node: ReactNode, columns = 80, rows = 24): Promise<TypedScreen> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input, ref() {}, unref() {} });
  let last = "";
  const output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        if (!modesOnly.test(text)) last = text;
        done();
      },
    }),
    { columns, rows, isTTY: true },
  );
  const ink = render(node, {
    stdin: input as unknown as NodeJS.ReadStream,
    stdout: output as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  // The reactions to a chunk: microtasks, and what React schedules.
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await ink.waitUntilRenderFlush();
  };
  await settle();
  return {
    get frame() {
      return stripVTControlCharacters(last).replaceAll(/ +$/gmu, "");
    },
    get rawFrame() {
      return last;
    },
    async type(chunk) {
      input.write(chunk);
      await settle();
    },
    async show(next) {
      ink.rerender(next);
      await settle();
    },
    async [Symbol.asyncDispose]() {
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
