import { pascalCase } from "../pascal-case.ts";

/** What generated modules export, import or refer to themselves. */
const reserved: readonly string[] = [
  "AgentMethods",
  "ClientMethods",
  "ProtocolMethods",
  "ProxyMethods",
  "Received",
  "Record",
  "UnknownVariant",
];

/** Whether a definition can have a name as it is. */
export function isName(name: string): boolean {
  return /^[A-Z]\w*$/.test(name) && !reserved.includes(name);
}

/** The names of the types of a document. Two that differ in case only count as one. */
export class DefinitionNames {
  readonly #taken = new Set<string>();

  take(name: string): void {
    this.#taken.add(name.toLowerCase());
  }

  isFree(name: string): boolean {
    return isName(name) && !this.#taken.has(name.toLowerCase());
  }

  /** A free name that a type can have, for one that it cannot; `undefined` if that would need a number. */
  plain(name: string): string | undefined {
    const stem = stemOf(name);
    return stem === "" ? undefined : [stem, `${stem}Definition`].find((candidate) => this.isFree(candidate));
  }

  /** A free name in any case: with a number, and `Type` for what has no letter. */
  numbered(name: string): string {
    const plain = this.plain(name);
    if (plain !== undefined) return plain;
    const stem = stemOf(name) || "Type";
    let number = 1;
    const candidate = (): string => (number === 1 ? stem : `${stem}${number}`);
    while (!this.isFree(candidate())) number++;
    return candidate();
  }
}

/** The letters that a name has; empty if there is none. */
export function stemOf(name: string): string {
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return pascalCase(plain).replace(/^(?=\d)/, "Type");
}
