import { decodeEntry, encodeEntry } from "../../src/journal/entry.ts";
import type { Claim, Journal, Page } from "../../src/journal/journal.ts";
import { SessionFacts } from "../../src/journal/session-facts.ts";
import { OpenQuestions } from "../../src/keeper/open-questions.ts";
import { Outbox } from "../../src/keeper/outbox.ts";
import { TurnQueue } from "../../src/keeper/turn-queue.ts";
import { changed } from "../support/changed-journal.ts";
import type { Mutant } from "./mutant.ts";

/** What the simulation has to find. */
export const mutants: readonly Mutant[] = [
  { name: "no fence: entries of an old claim are stored behind those of the new one", engine: withoutFence },
  {
    name: "no key: the keeper cannot tell a command that was sent again",
    journal: (journal) => {
      const places = new Map<string, number>();
      return changed(journal, {
        commands: async (claim, after) => {
          const commands = await journal.commands(claim, after);
          return commands.map((command) => {
            const { key, at } = command;
            if (!places.has(key)) places.set(key, at);
            return places.get(key) === at ? command : { ...command, key: `${key}/${at}` };
          });
        },
      });
    },
  },
  {
    name: "prompts that were begun are forgotten at a takeover",
    patch: () =>
      patched(SessionFacts.prototype, "apply", function (this: SessionFacts, original, entry) {
        original.call(this, entry);
        if (entry.t === "message") this.endings.delete(entry.key);
        if (entry.t === "state") this.active = undefined;
      }),
  },
  {
    name: "requests of extensions that were begun are forgotten at a takeover",
    patch: () =>
      patched(SessionFacts.prototype, "apply", function (this: SessionFacts, original, entry) {
        if (entry.t !== "began") original.call(this, entry);
      }),
  },
  { name: "a reader's cursor is one too low", journal: (journal) => movedCursor(journal, -1) },
  { name: "a reader's cursor is one too high", journal: (journal) => movedCursor(journal, 1) },
  {
    name: "a place is told by its number alone",
    journal: (journal) =>
      changed(journal, {
        read: async (session, after, limit) => {
          const page = await journal.read(session, after, limit);
          if (page !== "gone" || after === "start") return page;
          const all = await journal.read(session, "start", Infinity);
          if (typeof all !== "object") return all;
          return { ...all, entries: all.entries.filter((text) => (decodeEntry(text)?.n ?? 0) > after.n) };
        },
      }),
  },
  {
    name: "nobody is woken, and nobody looks",
    deadTimer: 2000,
    isSilent: true,
    journal: (journal) => changed(journal, { watch: () => () => {} }),
  },
  { name: "entries are shown before they are stored", journal: shownEarly() },
  {
    name: "the agent gets a prompt before it is stored",
    patch: () =>
      patched(Outbox.prototype, "add", function (this: Outbox, original, body, by) {
        const stored = original.call(this, body, by);
        return body.t === "message" ? Promise.resolve() : stored;
      }),
  },
  {
    name: "the agent gets an answer before it is stored",
    patch: () =>
      patched(Outbox.prototype, "add", function (this: Outbox, original, body, by) {
        const stored = original.call(this, body, by);
        return body.t === "answered" ? Promise.resolve() : stored;
      }),
  },
  {
    name: "a question is answered twice",
    patch: () =>
      patched(Outbox.prototype, "add", function (this: Outbox, original, body, by) {
        if (body.t === "answered" && body.outcome.type === "permission") void original.call(this, body, by);
        return original.call(this, body, by);
      }),
  },
  {
    name: "the agent gets another answer than the one that is stored",
    events: (events) => ({
      ...events,
      ask: async (method, params, signal) => {
        const result = await events.ask(method, params, signal);
        return JSON.parse(JSON.stringify(result).replace('"yes"', '"no"')) as unknown;
      },
    }),
  },
  {
    name: "a keeper that has lost the session releases it for others",
    engine: (journal) => {
      const claims = new Map<string, Claim>();
      return changed(journal, {
        claim: async (session, keeper, lease) => {
          const claim = await journal.claim(session, keeper, lease);
          if (claim !== undefined && !("heldBy" in claim)) claims.set(session, claim);
          return claim;
        },
        release: (claim) => journal.release(claims.get(claim.session) ?? claim),
      });
    },
  },
  {
    name: "a session is claimed while another keeper has it",
    engine: (journal) =>
      changed(journal, {
        claim: async (session, keeper, lease) => {
          const claim = await journal.claim(session, keeper, lease);
          if (claim === undefined || !("heldBy" in claim)) return claim;
          return await journal.claim(session, claim.heldBy, lease);
        },
      }),
  },
  {
    name: "chunks of two messages become one",
    events: (events) => ({
      ...events,
      update: (update) => {
        const changedUpdate = { ...(update as object) };
        if ("messageId" in changedUpdate) changedUpdate.messageId = "m1";
        return events.update(changedUpdate);
      },
    }),
  },
  {
    name: "a write that is repeated is stored twice",
    engine: (journal) => {
      const seen = new Set<string>();
      return changed(journal, {
        append: async (writes) => {
          const results = await journal.append(writes);
          for (const { claim, entries } of writes) {
            const name = `${claim.session} ${entries[0]}`;
            if (seen.has(name)) await appendAgain(journal, claim, entries);
            seen.add(name);
          }
          return results;
        },
      });
    },
  },
  {
    name: "a write in a hundred is acknowledged, and not stored",
    engine: (journal) => {
      let count = 0;
      return changed(journal, {
        append: (writes) => {
          count += 1;
          return count % 100 === 0 ? Promise.resolve(writes.map(() => "done" as const)) : journal.append(writes);
        },
      });
    },
  },
  {
    name: "history is removed, and nobody is told",
    journal: (journal) =>
      changed(journal, {
        compact: (claim, upTo, entries) =>
          journal.compact(
            claim,
            upTo,
            entries.filter((text) => decodeEntry(text)?.t !== "notice"),
          ),
      }),
  },
  {
    name: "prompts whose history was removed are forgotten",
    patch: () =>
      patched(SessionFacts.prototype, "apply", function (this: SessionFacts, original, entry) {
        original.call(this, entry.t === "notice" ? { ...entry, removed: [] } : entry);
      }),
  },
  {
    name: "a cancel that comes late ends the next prompt",
    journal: (journal) =>
      changed(journal, {
        commands: async (claim, after) => {
          const commands = await journal.commands(claim, after);
          return commands.map((one) => ({ ...one, command: one.command.replace(/,"prompts":\[[^\]]*\]/u, "") }));
        },
      }),
  },
  { name: "a dialog stays open when its question is answered", isDeaf: true },
  {
    name: "questions of a turn that has ended stay open",
    patch: () => patched(OpenQuestions.prototype, "cancelAll", () => {}),
  },
  {
    name: "the agent is read on while the journal is full",
    patch: () =>
      patched(Outbox.prototype, "addUpdate", function (this: Outbox, original, body, size) {
        void original.call(this, body, size);
      }),
  },
  {
    name: "a prompt that waits is forgotten when another one is cancelled",
    patch: () =>
      patched(TurnQueue.prototype, "drop", function (this: TurnQueue, original, client) {
        void client;
        original.call(this);
        return [];
      }),
  },
  {
    name: "the last command of several is not read",
    journal: (journal) =>
      changed(journal, {
        commands: async (claim, after) => {
          const commands = await journal.commands(claim, after);
          // The keeper believes that it has seen it.
          const last = commands.at(-1)?.at ?? 0;
          return commands.map((command, index) => (index === commands.length - 2 ? { ...command, at: last } : command));
        },
      }),
  },
];

function withoutFence(journal: Journal): Journal {
  const claims = new Map<string, Claim>();
  return changed(journal, {
    claim: async (session, keeper, lease) => {
      const claim = await journal.claim(session, keeper, lease);
      if (claim !== undefined && !("heldBy" in claim)) claims.set(session, claim);
      return claim;
    },
    append: async (writes) => {
      const results = await journal.append(writes);
      for (const [index, { claim, entries }] of writes.entries())
        if (results[index] === "fenced") await appendAgain(journal, claims.get(claim.session) ?? claim, entries);
      return writes.map(() => "done");
    },
  });
}

/** Stores entries at the end, whoever they are of. */
async function appendAgain(journal: Journal, claim: Claim, entries: readonly string[]): Promise<void> {
  const page = await journal.read(claim.session, "start", Infinity);
  const from = (typeof page === "object" ? (page.cursor?.n ?? 0) : 0) + 1;
  const moved = entries.flatMap((text, index) => {
    const entry = decodeEntry(text);
    return entry === undefined ? [] : encodeEntry({ ...entry, n: from + index, epoch: claim.epoch });
  });
  await journal.append([{ claim, from, entries: moved }]);
}

function movedCursor(journal: Journal, by: number): Journal {
  return changed(journal, {
    read: async (session, after, limit) => {
      const page = await journal.read(session, after, limit);
      if (after === "start" || typeof page !== "object") return page;
      if (by > 0) return { ...page, entries: page.entries.slice(by) };
      const before = await journal.read(session, "start", limit);
      const last = typeof before === "object" ? before.entries[after.n - 1] : undefined;
      return page.entries.length === 0 || last === undefined ? page : { ...page, entries: [last, ...page.entries] };
    },
  });
}

/** Entries reach readers with the write that is to store them. */
function shownEarly(): (journal: Journal) => Journal {
  const writing = new Map<string, readonly string[]>();
  return (journal) =>
    changed(journal, {
      append: (writes) => {
        for (const { claim, entries } of writes) writing.set(claim.session, entries);
        return journal.append(writes);
      },
      read: async (session, after, limit) => {
        const page = await journal.read(session, after, limit);
        const early = writing.get(session);
        return typeof page === "object" && early !== undefined ? withEarly(page, early) : page;
      },
    });
}

function withEarly(page: Page, early: readonly string[]): Page {
  const next = (page.cursor?.n ?? 0) + 1;
  const [first] = early.map(decodeEntry);
  if (first?.n !== next || page.more) return page;
  const last = decodeEntry(early.at(-1) ?? "");
  return {
    entries: [...page.entries, ...early],
    cursor: last && { epoch: last.epoch, n: last.n },
    more: false,
  };
}

type Methods<T> = { [Name in keyof T]: T[Name] extends (...args: never[]) => unknown ? Name : never }[keyof T];
type Method<T, Name extends keyof T> = Extract<T[Name], (...args: never[]) => unknown>;

/** Replaces a method of a class. Returns what undoes that. */
function patched<T extends object, Name extends Methods<T>>(
  prototype: T,
  name: Name,
  replacement: (
    this: T,
    original: Method<T, Name>,
    ...args: Parameters<Method<T, Name>>
  ) => ReturnType<Method<T, Name>>,
): () => void {
  const original = prototype[name] as Method<T, Name>;
  Object.assign(prototype, {
    [name](this: T, ...args: Parameters<Method<T, Name>>) {
      return replacement.call(this, original, ...args);
    },
  });
  return () => {
    prototype[name] = original;
  };
}
