export { createFileStore } from "./files/file-store.ts";
export type { FileStoreOptions, StoreProblem } from "./files/file-store-options.ts";
export { listStored } from "./list-stored.ts";
export { createMemoryStore } from "./memory-store.ts";
export type { NewSession, SessionChange, SessionStore, SessionSummary, StoredSession } from "./session-store.ts";
