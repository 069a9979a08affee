import type { ClientCheck } from "../client-context.ts";
import { lateText } from "./late-text.ts";

/** All checks of clients, in the order of reports. */
export const clientChecks: readonly ClientCheck[] = [...lateText];
