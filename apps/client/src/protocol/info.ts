/** How this program introduces itself to agents. */
export const info = { name: "acp", title: "acp", version: "0.0.0" } as const;
