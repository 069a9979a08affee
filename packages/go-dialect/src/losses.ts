import type { DiagnosticListener } from "@acp/core";
import { guardListener } from "@acp/core/internal";
import { isFields } from "@acp/schema";
import type { Json } from "./message.ts";

/** How many things are told once a connection. */
const maxTold = 1000;

/** Tells what a translation leaves behind: nothing is lost in silence. */
export class Losses {
  readonly #report: DiagnosticListener;
  readonly #told = new Set<string>();
  #hasToldEnd = false;

  constructor(onDiagnostic: DiagnosticListener | undefined) {
    this.#report = guardListener(onDiagnostic);
  }

  /** Something that happens to one message. `message` is a sentence without anything that was received. */
  tell(method: string, message: string, lost: readonly string[] = []): void {
    this.#report({ type: "translation", level: "info", message: `${method}: ${message}`, method, lost });
  }

  /** The same, once a connection for each `key`: what happens to every chunk need not be told for every chunk. */
  tellOnce(key: string, method: string, message: string, lost: readonly string[] = []): void {
    if (this.#isNew(key)) this.tell(method, message, lost);
    this.#tellEnd(method);
  }

  /** Members that the other dialect has no place for, each told once a connection. */
  members(method: string, members: readonly string[]): void {
    const lost = members.filter((member) => this.#isNew(`${method} ${member}`));
    if (lost.length > 0) this.tell(method, `the other dialect has no place for ${lost.join(", ")}`, lost);
    this.#tellEnd(method);
  }

  /** Whether it was not told yet, and may be. */
  #isNew(key: string): boolean {
    if (this.#told.size >= maxTold || this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }

  /** Peers make up as many names as they like. */
  #tellEnd(method: string): void {
    if (this.#told.size < maxTold || this.#hasToldEnd) return;
    this.#hasToldEnd = true;
    this.tell(method, `the other dialect had no place for ${maxTold} kinds of things; others are not told any more`);
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
