import type { ModelGate } from "../../model/protocol-model.ts";
import { code } from "./markdown.ts";

/** The side that handles a message, and the side that sends it. */
const senders = { agent: "client", client: "agent", receiver: "sender" } as const;

/** Describes what a method or a variant requires. */
export function gateText(gate: ModelGate, handler: keyof typeof senders): string {
  switch (gate.kind) {
    case "capability": {
      const side = gate.by === "caller" ? senders[handler] : handler;
      const when = gate.when === undefined ? "" : ` when ${code(gate.when.member)} is ${code(gate.when.value)}`;
      const value = gate.value === "boolean" ? "true" : "{}";
      return `the ${side} capability ${code(gate.path.join("."))} (${code(value)})${when}`;
    }
    case "session":
      return `${code(gate.member)} in the response that opened the session`;
    default:
      return gate.type === undefined
        ? `at least one entry in ${code("authMethods")}`
        : `an entry of type ${code(gate.type)} in ${code("authMethods")}`;
  }
}
