// The client: it lends the agent the files of the session's folder, and asks the user for permission.
import { createClient } from "@acp/core";
import { fileSystem } from "@acp/node";

/** Asks the user whether a tool may run. */
export type Allow = (title: string, signal: AbortSignal) => Promise<boolean>;

export function createMyClient(allow: Allow) {
  return createClient({
    info: { name: "my-client", title: "My client", version: "1.0.0" },
    handlers: {
      ...fileSystem(),
      "session/request_permission": async ({ toolCall, options }, { signal }) => {
        const kind = (await allow(toolCall.title ?? "Go on", signal)) ? "allow_once" : "reject_once";
        const option = options.find((each) => each.kind === kind);
        return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
      },
    },
  });
}
