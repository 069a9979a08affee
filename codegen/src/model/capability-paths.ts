import type { Member, ProtocolModel, Shape } from "./protocol-model.ts";

/** Every path into the capabilities of a side, `_meta` left out. */
export function capabilityPaths(model: ProtocolModel, root: string): readonly string[] {
  const within = (name: string, prefix: string, open: readonly string[]): readonly string[] =>
    membersOf(model, name).flatMap((member) => {
      if (member.name === "_meta") return [];
      const path = `${prefix}${member.name}`;
      const inner = definitionsIn(member.shape).filter((target) => !open.includes(target));
      return [path, ...inner.flatMap((target) => within(target, `${path}.`, [...open, target]))];
    });
  return within(root, "", [root]);
}

function definitionsIn(shape: Shape): readonly string[] {
  if (shape.kind === "reference") return [shape.name];
  return shape.kind === "nullable" ? definitionsIn(shape.shape) : [];
}

function membersOf(model: ProtocolModel, name: string): readonly Member[] {
  const shape = model.definitions.get(name)?.shape;
  return shape?.kind === "object" ? shape.members : [];
}
