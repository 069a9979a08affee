import { unknownVariant } from "@acp/schema";

/** An update of any version. */
export interface AnyUpdate {
  readonly sessionUpdate: string;
}

/** The event of an update that has arrived. */
export interface UpdateEvent<Update> {
  readonly type: "update";
  readonly update: Update;
}

/**
 * Makes the event of an update. As JSON, an unknown update keeps its tag there: as it came, it may be a known one that is
 * malformed, and whoever makes a state of saved events would take it for that one.
 */
export function createUpdateEvent<Update extends AnyUpdate>(update: Update): UpdateEvent<Update> {
  const event: UpdateEvent<Update> = { type: "update", update };
  if (update.sessionUpdate !== unknownVariant) return event;
  return Object.defineProperty(event, "toJSON", { value: () => ({ ...event, update: { ...update } }) });
}
