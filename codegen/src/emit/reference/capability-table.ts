import type { Definition, Member, ModelGate } from "../../model/protocol-model.ts";
import type { Edition } from "./edition.ts";
import { blocks, code, table } from "./markdown.ts";

/** Where a side's capabilities begin, and what to call the side. */
const roots = [
  { side: "client", definition: "ClientCapabilities" },
  { side: "agent", definition: "AgentCapabilities" },
] as const;

type Side = (typeof roots)[number]["side"];

/** All capabilities of both sides by their path, with what each of them allows. */
export function capabilityTables(edition: Edition): string {
  return blocks(
    ...roots.map(({ side, definition }) => {
      const root = edition.model.definitions.get(definition);
      if (root === undefined) return undefined;
      const rows = [...capabilities(root, edition, [])].map(({ path, member }) => [
        code(path.join(".")),
        code(member.shape.kind === "boolean" ? "true" : "{}"),
        allowed(side, path, edition).join(", ") || edition.prose(member.docs),
      ]);
      return blocks(
        `## Capabilities of the ${side}`,
        "Absent, null and false mean that the capability is not supported.",
        table(["Capability", "Advertise with", "Allows"], rows),
      );
    }),
  );
}

interface Capability {
  readonly path: readonly string[];
  readonly member: Member;
}

/** A capability, then those inside it. */
function* capabilities({ shape }: Definition, edition: Edition, outer: readonly string[]): Generator<Capability> {
  for (const member of shape.kind === "object" ? shape.members : []) {
    const path = [...outer, member.name];
    const inner = member.shape.kind === "reference" ? edition.model.definitions.get(member.shape.name) : undefined;
    if (member.shape.kind !== "boolean" && inner?.name.endsWith("Capabilities") !== true) continue;
    yield { path, member };
    if (inner !== undefined) yield* capabilities(inner, edition, path);
  }
}

/** The methods and variants that may be sent to, or by, a side because it has a capability. */
function allowed(side: Side, path: readonly string[], edition: Edition): readonly string[] {
  const opposite = side === "agent" ? "client" : "agent";
  const methods = edition.methods().filter((method) => {
    const handler = method.side === "agent" || method.side === "client" ? method.side : undefined;
    return method.gates.some(
      (gate) => isAt(gate, path) && (callerAdvertises(gate) ? handler === opposite : handler === side),
    );
  });
  const variants = edition.model.variantGates.filter(({ sender, gate }) => isAt(gate, path) && sender === opposite);
  return [
    ...methods.map((method) => edition.linkToMethod(method)),
    ...variants.map(({ union, tag }) => `${code(tag)} in ${edition.linkTo(union)}`),
  ];
}

function isAt(gate: ModelGate, path: readonly string[]): boolean {
  return gate.kind === "capability" && gate.path.join(".") === path.join(".");
}

function callerAdvertises(gate: ModelGate): boolean {
  return gate.kind === "capability" && gate.by === "caller";
}
