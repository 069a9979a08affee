export { createFileStore } from "./files/file-store.ts";
export { listStored } from "./list-stored.ts";
export { createMemoryStore } from "./memory-store.ts";
export type { NewSession, SessionChange, SessionStore, SessionSummary, StoredSession } from "./session-store.ts";
