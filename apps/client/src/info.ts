/** What this program tells agents of itself. */
export const info = { name: "acp-client", title: "Reference client", version: "1.0.0" } as const;
