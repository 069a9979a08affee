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
 * Makes the event of an update. As JSON, an unknown update keeps the tag of unknown variants: its original may be a known
 * one that is malformed, and a state built from saved events would misread it.
 */
export function createUpdateEvent<Update extends AnyUpdate>(update: Update): UpdateEvent<Update> {
  const event: UpdateEvent<Update> = { type: "update", update };
  if (update.sessionUpdate !== unknownVariant) return event;
  return Object.defineProperty(event, "toJSON", { value: () => ({ ...event, update: { ...update } }) });
}
