import type { DiagnosticListener } from "@acp/core";
import { guardListener } from "@acp/core/internal";
import { isFields } from "@acp/schema";
import type { Json } from "./message.ts";

/** How many kinds of losses are reported on a connection: peers can send any number of names. */
const maxKinds = 1000;

/** Reports what a translation leaves out. */
export class Losses {
  readonly #report: DiagnosticListener;
  readonly #reported = new Set<string>();
  #hasReportedLimit = false;

  constructor(onDiagnostic: DiagnosticListener | undefined) {
    this.#report = guardListener(onDiagnostic);
  }

  /** Reports a loss in one message. `message` must not quote what was received. */
  report(method: string, message: string, lost: readonly string[] = []): void {
    this.#report({ type: "translation", level: "info", message: `${method}: ${message}`, method, lost });
  }

  /** Reports a loss that many messages have, once a connection for each `key`. */
  reportOnce(key: string, method: string, message: string, lost: readonly string[] = []): void {
    if (this.#isNew(key)) this.report(method, message, lost);
    this.#reportLimit(method);
  }

  /**
   * Reports the members of an object that contain something and are not among those that are kept, each once a connection.
   * `prefix` is their path.
   */
  reportOthers(method: string, holder: Json, kept: readonly string[], prefix = ""): void {
    const lost = Object.keys(holder)
      .filter((member) => !kept.includes(member) && hasContent(holder[member]))
      .map((member) => prefix + member)
      .filter((member) => this.#isNew(`${method} ${member}`));
    if (lost.length > 0) this.report(method, `the other dialect has no place for ${lost.join(", ")}`, lost);
    this.#reportLimit(method);
  }

  #isNew(key: string): boolean {
    if (this.#reported.size >= maxKinds || this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }

  #reportLimit(method: string): void {
    if (this.#reported.size < maxKinds || this.#hasReportedLimit) return;
    this.#hasReportedLimit = true;
    this.report(
      method,
      `the other dialect had no place for ${maxKinds} kinds of things; others are not reported any more`,
    );
  }
}

/** Whether a value contains more than empty values. At most `levels` nested objects are searched. */
export function hasContent(value: unknown, levels: number = 20): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isFields(value) || levels === 0) return true;
  return Object.values(value).some((member) => hasContent(member, levels - 1));
}
