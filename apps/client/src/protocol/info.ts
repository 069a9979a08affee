import { version } from "../version/version.ts";

/** How this program introduces itself to agents. */
export const info = { name: "acp", title: "acp", version } as const;
