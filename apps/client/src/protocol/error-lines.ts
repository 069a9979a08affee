import { createRedactor, type Redactor } from "@acp/record";
import { printable } from "@acp/render/text";

import type { Streams } from "../cli/streams.ts";
import { type Failure, failureText } from "./failure.ts";
import { createStyle, type Style } from "../text/style.ts";

/** A text of the agent as it is, but safe for a terminal if it goes to one. */
export function forOutput({ isTTY }: { readonly isTTY?: boolean }, text: string): string {
  return isTTY === true ? printable(text) : text;
}

/** Writes lines to stderr, without secrets: it often ends up in a log. */
export class ErrorLines {
  readonly style: Style;
  readonly #error: Streams["error"];
  readonly #redactor: Redactor | undefined;
  /** Called before each line. */
  before: () => void = () => {};

  constructor({ error, env }: Streams, withSecrets: boolean) {
    this.#error = error;
    this.style = createStyle(error.isTTY === true, env);
    this.#redactor = withSecrets ? undefined : createRedactor();
  }

  /** Something that does not work. */
  complain(message: string): void {
    this.fail({ message, details: [] });
  }

  /** A failure: what is wrong, what to do, and what the agent says. */
  fail(failure: Omit<Failure, "code" | "exitCode" | "advice"> & { readonly advice?: string | undefined }): void {
    const text = failureText({ ...failure, advice: failure.advice });
    this.#write("failure", text.split("\n"), (line, index) =>
      index === 0 ? `${this.style("red", "✗")} ${line}` : line,
    );
  }

  /** Something that the agent does; `source` says what it is. */
  line(source: string, text: string, format: Parameters<Style>[0] = "dim"): void {
    this.#write(source, text.split("\n"), (line) => this.style(format, line));
  }

  /** A detail for `--verbose`. */
  detail(label: string, line: string): void {
    this.#write(label, [line], (text) => this.style("dim", forOutput(this.#error, `${label} ${text}`)));
  }

  /** Redacts line by line. A key that has several lines is redacted as a whole. */
  #write(source: string, lines: readonly string[], format: (line: string, index: number) => string): void {
    this.before();
    const safe = lines.map((line, index) => format(this.#redactor?.line(source, line) ?? line, index));
    this.#error.write(safe.map((line) => `${line}\n`).join(""));
  }
}
