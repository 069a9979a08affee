import { type Answer, type Finding, membersOf } from "../inspected.ts";

/** Whether what the user is said to have chosen was offered. */
export function checkPermission({ request: { method, params }, result }: Answer): readonly Finding[] {
  if (method !== "session/request_permission") return [];
  const { outcome, optionId } = membersOf(membersOf(result)["outcome"]);
  const options: unknown = params["options"];
  if (outcome !== "selected" || !Array.isArray(options)) return [];
  if (options.some((option) => membersOf(option)["optionId"] === optionId)) return [];
  return [{ path: "/outcome/optionId", reason: "names no option that was offered (PERM-05)" }];
}
