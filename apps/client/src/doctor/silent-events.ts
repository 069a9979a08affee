import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { ClientEvents } from "../protocol/client-events.ts";

/** A client that shows nothing, logs in nowhere and allows nothing. */
export const silentEvents: ClientEvents = {
  show: () => undefined,
  terminal: () => {},
  permission: async ({ options }) => {
    const no =
      options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
    return answer(no?.optionId);
  },
  rules: [],
  answeredByRule: () => {},
  login: async () => undefined,
  questions: undefined,
  showsOptions: true,
  // So that the agent tells of its logins in a terminal, too.
  hasTerminal: true,
};

function answer(optionId: string | undefined): RequestPermissionResponse {
  return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
}
