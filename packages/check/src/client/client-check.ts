import { type NewCheck, weighing } from "../engine/check.ts";
import type { ClientCheck, ClientContext } from "./client-context.ts";

type Weigh = (check: NewCheck<ClientContext>) => ClientCheck;

/** A check of a rule with MUST. */
export const must: Weigh = weighing("client", "must");

/** A check of a rule with SHOULD. */
export const should: Weigh = weighing("client", "should");

/** A check of what real agents do, right or wrong. */
export const hostile: Weigh = weighing("client", "hostile");
