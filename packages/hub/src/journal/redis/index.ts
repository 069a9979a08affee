/**
 * Sessions of a hub in Redis, for fronts and keepers on many machines. It needs the package `@redis/client`.
 *
 * @module
 */
export { createRedisJournal, type RedisJournalOptions } from "./redis-journal.ts";
