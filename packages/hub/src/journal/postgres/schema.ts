/** The names of the tables, in the schema of a hub, and of the channel of its notifications. */
export interface Names {
  readonly schema: string;
  readonly sessions: string;
  readonly entries: string;
  readonly commands: string;
  readonly channel: string;
}

export function namesIn(schema: string): Names {
  if (!/^[a-z_][a-z\d_]{0,39}$/u.test(schema)) {
    throw new TypeError(`A schema is named in small letters, digits and underscores, not ${JSON.stringify(schema)}`);
  }
  return {
    schema,
    sessions: `${schema}.sessions`,
    entries: `${schema}.entries`,
    commands: `${schema}.commands`,
    channel: schema,
  };
}

/** The time of the server, in milliseconds since 1970. */
export const now = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** Makes the tables, unless they are there. Several processes may do that at once. */
export function schemaText({ schema, sessions, entries, commands }: Names): string {
  return `
    begin;
    select pg_advisory_xact_lock(hashtext('acp hub ${schema}'));
    create schema if not exists ${schema};
    create table if not exists ${sessions} (
      id text collate "C" primary key,
      agent text not null,
      cwd text not null,
      owner text,
      description text not null,
      created_at bigint not null,
      updated_at bigint not null,
      epoch bigint not null default 0,
      keeper text,
      lease_until timestamptz,
      next bigint not null default 1,
      compacted_epoch bigint,
      compacted_n bigint,
      last_command bigint not null default 0
    );
    create index if not exists sessions_by_time on ${sessions} (updated_at desc, id);
    create table if not exists ${entries} (
      session text collate "C" not null references ${sessions} on delete cascade,
      n bigint not null,
      epoch bigint not null,
      size integer not null,
      text text not null,
      primary key (session, n)
    );
    create table if not exists ${commands} (
      session text collate "C" not null references ${sessions} on delete cascade,
      at bigint not null,
      key text not null,
      command text not null,
      primary key (session, at),
      unique (session, key)
    );
    commit;
  `;
}
