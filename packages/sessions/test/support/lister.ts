// A process that lists all sessions of a folder, page by page, twice at once and then once more.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

const { readFile } = fs;
let count = 0;
fs.readFile = ((...args: Parameters<typeof readFile>) => {
  count += 1;
  return readFile(...args);
}) as typeof readFile;
syncBuiltinESMExports();

const { createFileStore, listStored } = await import("@acp/sessions");

const [folder = ""] = process.argv.slice(2);
const store = createFileStore<unknown>(folder);

async function listAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listStored(store, cursor === undefined ? {} : { cursor });
    ids.push(...page.sessions.map(({ sessionId }) => sessionId));
    if (page.nextCursor == null) return ids;
    cursor = page.nextCursor;
  }
}

const orders = await Promise.all([listAll(), listAll()]);
const first = count;
orders.push(await listAll());
process.stdout.write(JSON.stringify({ orders, reads: [first, count - first] }));
