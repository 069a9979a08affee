import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import type { Login } from "../agent.ts";

/** The login methods of known types. */
export function toLogins(methods: readonly Received.AuthMethod[]): Login[] {
  return methods.flatMap((method) => {
    if (method.type === unknownVariant) return [];
    const { type, methodId, name, description } = method;
    return [{ id: methodId, name, description, takesTerminal: type === "terminal" }];
  });
}
