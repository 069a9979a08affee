/** How this program introduces itself to agents. */
export const info = { name: "acp-client", title: "Reference client", version: "1.0.0" } as const;
