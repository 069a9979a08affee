/** The newest frozen list of checks. */
export const currentSet = "2026-11";
