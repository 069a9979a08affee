/**
 * Sessions of a hub in PostgreSQL, for fronts and keepers on many machines. It needs the package `pg`.
 *
 * @module
 */
export { createPostgresJournal, type PostgresJournalOptions } from "./postgres-journal.ts";
