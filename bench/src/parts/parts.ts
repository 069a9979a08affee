import { backpressure } from "./backpressure.ts";
import { bundles } from "./bundles.ts";
import type { Part } from "./part.ts";
import { scenarioParts } from "./scenario-parts.ts";
import { startup } from "./startup.ts";
import { typeChecks } from "./type-checks.ts";

/** Everything that is measured, in the order of the report. */
export const parts: readonly Part[] = [...scenarioParts, backpressure, startup, bundles, typeChecks];
