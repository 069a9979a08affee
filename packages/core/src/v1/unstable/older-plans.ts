// An earlier draft had other names for plan operations: plans had an `id` (now `planId`), and the client's capability was
// `planCapabilities` (now `plan`). Both are read, with a diagnostic; they are never sent to peers that know the new names.
import { type Decoder, type Fields, isFields, type Notes, type RoleTable } from "@acp/schema";

/** An agent's table that reads `planCapabilities` of `initialize` as `plan`. */
export function readOlderPlanCapability(table: RoleTable): RoleTable {
  return withRequest(table, "initialize", (value, notes) => {
    const { clientCapabilities } = fields(value);
    const { plan, planCapabilities } = fields(clientCapabilities);
    if (plan != null || !(planCapabilities === true || isFields(planCapabilities))) return value;
    const capabilities = { ...fields(clientCapabilities), plan: planCapabilities === true ? {} : planCapabilities };
    reportOldName(notes, ["clientCapabilities", "plan"], "planCapabilities");
    return { ...fields(value), clientCapabilities: capabilities };
  });
}

/** Whether a client advertised plans by the older name, and so reads a plan's `id`. */
export function knowsOlderPlans(capabilities: object): boolean {
  return "planCapabilities" in capabilities && capabilities.planCapabilities != null;
}

/** A client's table that reads a plan's `id` as its `planId`. */
export function readOlderPlanIds(table: RoleTable): RoleTable {
  const { notifications } = table.handles;
  const method = "session/update";
  const entry = notifications[method];
  if (entry === undefined) return table;
  const params = decodeRenamed(entry.params, (value, notes) => {
    const { update } = fields(value);
    const { sessionUpdate, plan } = fields(update);
    if (sessionUpdate === "plan_removed") {
      const renamed = withPlanId(update, notes, ["update"]);
      return renamed === update ? value : { ...fields(value), update: renamed };
    }
    if (sessionUpdate !== "plan_update") return value;
    const renamed = withPlanId(plan, notes, ["update", "plan"]);
    return renamed === plan ? value : { ...fields(value), update: { ...fields(update), plan: renamed } };
  });
  return {
    ...table,
    handles: { ...table.handles, notifications: { ...notifications, [method]: { ...entry, params } } },
  };
}

function withPlanId(holder: unknown, notes: Notes, path: readonly string[]): unknown {
  const { id, planId } = fields(holder);
  if (planId !== undefined || typeof id !== "string") return holder;
  reportOldName(notes, [...path, "planId"], "id");
  return { ...fields(holder), planId: id };
}

type Rename = (value: unknown, notes: Notes) => unknown;

function decodeRenamed(decoder: Decoder<unknown>, rename: Rename): Decoder<unknown> {
  return (value, notes) => decoder(rename(value, notes), notes);
}

function withRequest(table: RoleTable, method: string, rename: Rename): RoleTable {
  const { requests } = table.handles;
  const entry = requests[method];
  if (entry === undefined) return table;
  const changed = { ...entry, params: decodeRenamed(entry.params, rename) };
  return { ...table, handles: { ...table.handles, requests: { ...requests, [method]: changed } } };
}

function reportOldName(notes: Notes, path: string[], older: string): void {
  notes.issues.push({ action: "replaced", path, reason: `was read from '${older}', its name in an earlier draft` });
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
