import { type Names, now } from "./schema.ts";

/** The statements of a journal, by what they do. */
export interface Statements {
  readonly create: string;
  readonly claim: string;
  readonly renew: string;
  readonly release: string;
  readonly append: string;
  readonly read: string;
  readonly send: string;
  readonly commands: string;
  readonly settle: string;
  readonly list: string;
  readonly changed: string;
}

/** Entries that are looked at for a page. */
const mostEntries = 2000;

export function statementsFor({ sessions, entries, commands, channel }: Names): Statements {
  const listed = "id, description, created_at, updated_at";
  // Whether a session is held by the keeper of $2 in the epoch of $3.
  const isHeld = "s.id = $1 and s.keeper = $2 and s.epoch = $3";
  return {
    create: `
      insert into ${sessions} (id, agent, cwd, owner, description, created_at, updated_at)
      values ($1, $2, $3, $4, $5, ${now}, ${now}) on conflict do nothing returning id`,
    claim: `
      update ${sessions} set epoch = epoch + 1, keeper = $2, lease_until = clock_timestamp() + $3::float8 * interval '1 ms'
      where id = $1 and (keeper is null or keeper = $2 or lease_until <= clock_timestamp())
      returning epoch, next`,
    renew: `
      update ${sessions} s set lease_until = clock_timestamp() + $4::float8 * interval '1 ms'
      from unnest($1::text[], $2::text[], $3::bigint[]) as c(id, keeper, epoch)
      where s.id = c.id and s.keeper = c.keeper and s.epoch = c.epoch
      returning s.id, s.epoch`,
    release: `update ${sessions} s set keeper = null, lease_until = null where ${isHeld}`,
    // One statement, and so one transaction: the fence, the entries that are not there yet, and the notification.
    append: `
      with write as (
        select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as w(id, keeper, epoch, first, count)
      ), own as (
        select s.id, s.next from ${sessions} s join write w on s.id = w.id
        where s.epoch = w.epoch and s.keeper = w.keeper and w.first <= s.next
        order by s.id for update of s
      ), put as (
        insert into ${entries} (session, n, epoch, size, text)
        select e.session, e.n, e.epoch, e.size, e.text
        from unnest($6::text[], $7::bigint[], $8::bigint[], $9::integer[], $10::text[]) as e(session, n, epoch, size, text)
        join own on own.id = e.session and e.n >= own.next
      ), grown as (
        update ${sessions} s set next = w.first + w.count, updated_at = ${now}
        from write w join own on own.id = w.id
        where s.id = w.id and w.first + w.count > own.next
        returning s.id
      )
      select id, (
        select count(pg_notify('${channel}', payload)) from unnest($11::text[]) payload where exists (select from grown)
      ) from own`,
    read: `
      with session as (select compacted_epoch, compacted_n from ${sessions} where id = $1),
      place as (
        select $4::boolean
          or exists (select from ${entries} where session = $1 and n = $2 and epoch = $3)
          or exists (select from session where compacted_n = $2 and compacted_epoch = $3) as found
      ), page as (
        select n, epoch, text, sum(size) over so_far as total, row_number() over so_far as row, lead(n) over so_far as following
        from (
          select n, epoch, size, text from ${entries} where session = $1 and n > $2 order by n limit ${mostEntries + 1}
        ) behind
        window so_far as (order by n)
      )
      select session.compacted_epoch, session.compacted_n, place.found, page.n, page.epoch, page.text, page.following
      from session cross join place
      left join page on place.found and page.row <= ${mostEntries} and (page.total <= $5 or page.row = 1)
      order by page.n`,
    send: `
      with place as (
        update ${sessions} set last_command = last_command + 1
        where id = $1 and not exists (select from ${commands} where session = $1 and key = $2)
        returning last_command
      ), put as (
        insert into ${commands} (session, at, key, command) select $1, last_command, $2, $3 from place
        on conflict do nothing returning at
      )
      select at, (select count(pg_notify('${channel}', payload)) from unnest($4::text[]) payload) from put`,
    commands: `
      select c.at, c.key, c.command from ${commands} c join ${sessions} s on s.id = c.session
      where ${isHeld} and c.at > $4 order by c.at`,
    settle: `
      delete from ${commands} c using ${sessions} s where s.id = c.session and ${isHeld} and c.at = any($4::bigint[])`,
    list: `
      select ${listed} from ${sessions}
      where ($1::text is null or agent = $1) and ($2::text is null or cwd = $2) and ($3::text is null or owner = $3)
        and ($4::bigint is null or updated_at < $4 or (updated_at = $4 and id > $5 collate "C"))
      order by updated_at desc, id limit $6`,
    changed: `select id from ${sessions} where updated_at >= ${now} - $1::bigint union select session from ${commands}`,
  };
}
