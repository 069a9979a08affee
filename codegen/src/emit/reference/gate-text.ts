import type { ModelGate } from "../../model/protocol-model.ts";
import { code } from "./markdown.ts";

/** What must hold before a method is called or a variant sent, in words. */
export function gateText(gate: ModelGate, advertiser: string): string {
  switch (gate.kind) {
    case "capability": {
      const who = gate.by === "caller" ? "caller" : advertiser;
      const when = gate.when === undefined ? "" : ` when ${code(gate.when.member)} is ${code(gate.when.value)}`;
      const value = gate.value === "boolean" ? "true" : "{}";
      return `the ${who}'s capability ${code(gate.path.join("."))} (${code(value)})${when}`;
    }
    case "session":
      return `${code(gate.member)} in the answer that set the session up`;
    default:
      return gate.type === undefined
        ? `at least one entry in ${code("authMethods")}`
        : `an entry of type ${code(gate.type)} in ${code("authMethods")}`;
  }
}
