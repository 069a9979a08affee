import { readMember } from "../../base/values.ts";

// Version 1 tells a client only of its own turns. A hub tells of those of other clients in custom data of the session's info.

/** Whether another client's turn runs, by what a hub has told. */
export function runsElsewhere(info: object): boolean {
  const state = readHub(info, "state");
  return state === "running" || state === "requires_action";
}

/** Whether another client's turn was over by this change, and nothing of it runs any more. */
export function wasCutElsewhere(before: object, after: object): boolean {
  if (!runsElsewhere(before) || runsElsewhere(after)) return false;
  const reason = readHub(after, "stopReason");
  return reason === undefined || reason === "cancelled";
}

function readHub(info: object, name: string): unknown {
  return readMember(readMember(readMember(info, "_meta"), "acp-hub"), name);
}
