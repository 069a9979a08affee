import type { Method, ProtocolModel } from "./protocol-model.ts";

/** Whether the params of a method always name a session, in `sessionId`. */
export function namesSession(model: ProtocolModel, { params }: Method): boolean {
  const shape = model.definitions.get(params)?.shape;
  return shape?.kind === "object" && shape.members.some(({ name, required }) => name === "sessionId" && required);
}
