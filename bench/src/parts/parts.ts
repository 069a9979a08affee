import { backpressure } from "./backpressure.ts";
import { bundles } from "./bundles.ts";
import type { Part } from "./part.ts";
import { reading } from "./reading.ts";
import { scenarioParts } from "./scenario-parts.ts";
import { startup } from "./startup.ts";
import { typeChecks } from "./type-checks.ts";

/** Everything that is measured, in the order of the report. */
export const parts: readonly Part[] = [...scenarioParts, reading, backpressure, startup, bundles, typeChecks];
