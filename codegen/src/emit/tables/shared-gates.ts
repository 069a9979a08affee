import type { ModelGate } from "../../model/protocol-model.ts";
import { type Lines, literal, pascalCase, pure } from "../code.ts";

/** The gates of a table. What several places ask for is said once, in a constant called after it. */
export class SharedGates {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #functions = new Set<string>();

  /** @param gates All that the table will name, each as often as it does. */
  constructor(gates: Iterable<ModelGate>) {
    for (const gate of gates) {
      const text = this.#expression(gate);
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
  }

  /** A gate as it stands in the table. */
  name(gate: ModelGate): string {
    const text = this.#expression(gate);
    if ((this.#counts.get(text) ?? 0) < 2) return text;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const stem = `gateOf${pascalCase(subject(gate))}`;
    const count = [...this.#names.values()].filter((name) => name.replace(/\d+$/, "") === stem).length;
    const name = count === 0 ? stem : `${stem}${count + 1}`;
    this.#names.set(text, name);
    return name;
  }

  list(gates: readonly ModelGate[]): string {
    return `[${gates.map((gate) => this.name(gate)).join(", ")}]`;
  }

  get declarations(): Lines {
    return [...this.#names].map(([text, name]) => `const ${name}: Gate = ${text};`);
  }

  /** The functions of the runtime that the gates are made by. */
  get functions(): readonly string[] {
    return [...this.#functions].toSorted();
  }

  #expression(gate: ModelGate): string {
    if (gate.kind !== "capability") return literal(gate);
    const { kind: _, path, value, ...more } = gate;
    const make = value === "boolean" ? "flagGate" : "objectGate";
    this.#functions.add(make);
    return pure(make, literal(path.join(".")), ...(Object.keys(more).length === 0 ? [] : [literal(more)]));
  }
}

function subject(gate: ModelGate): string {
  if (gate.kind === "capability") return gate.path.join(" ");
  return gate.kind === "session" ? gate.member : `login ${gate.type ?? ""}`;
}
