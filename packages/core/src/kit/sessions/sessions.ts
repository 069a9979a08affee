/**
 * Lists of sessions: a client follows their pages, an agent cuts them.
 *
 * @module
 */
export { listSessions, type ListSessionsOptions } from "./list-sessions.ts";
export { pageSessions, type PageSessionsOptions } from "./page-sessions.ts";
