import { isFields } from "@acp/schema";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import type { Json } from "./message.ts";

/** Tells what a translation leaves behind: nothing is lost in silence. */
export class Losses {
  readonly #report: DiagnosticListener;
  readonly #told = new Set<string>();

  constructor(onDiagnostic: DiagnosticListener | undefined) {
    this.#report = guardListener(onDiagnostic);
  }

  /** Something that happens to one message. `message` is a sentence without anything that was received. */
  tell(method: string, message: string, lost: readonly string[] = []): void {
    this.#report({ type: "translation", level: "info", message: `${method}: ${message}`, method, lost });
  }

  /** The same, once a connection for each `key`: what happens to every chunk need not be told for every chunk. */
  tellOnce(key: string, method: string, message: string, lost: readonly string[] = []): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.tell(method, message, lost);
  }

  /** Members that the other dialect has no place for, each told once a connection. */
  members(method: string, members: readonly string[]): void {
    const lost = members.filter((member) => !this.#told.has(`${method} ${member}`));
    if (lost.length === 0) return;
    for (const member of lost) this.#told.add(`${method} ${member}`);
    this.tell(method, `the other dialect has no place for ${lost.join(", ")}`, lost);
  }

  /** {@link members} of an object that say something and are not among the ones that are kept. */
  othersOf(method: string, holder: Json, kept: readonly string[], prefix = ""): void {
    const members = Object.keys(holder).filter((member) => !kept.includes(member) && saysSomething(holder[member]));
    this.members(
      method,
      members.map((member) => prefix + member),
    );
  }
}

/** Whether there is more in it than nothing. `levels`: objects in objects are looked into so far, and taken for something below. */
export function saysSomething(value: unknown, levels: number = 20): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isFields(value) || levels === 0) return true;
  return Object.values(value).some((member) => saysSomething(member, levels - 1));
}
