import type { Received } from "@acp/schema/v1";

import type { Login } from "../agent.ts";

export function toLogin({ type, id, name, description }: Received.AuthMethod): Login {
  return { id, name, description, takesTerminal: type === "terminal" };
}
