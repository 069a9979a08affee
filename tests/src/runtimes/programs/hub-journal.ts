// Writes, follows, compacts and lists a session of a hub in files, and takes it over from a keeper that has let go of it.
import process from "node:process";

import { createFileJournal } from "@acp/hub";

const [folder = ""] = process.argv.slice(2);
const [journal, other] = [createFileJournal(folder), createFileJournal(folder)];
const entry = (n: number, epoch: number): string =>
  JSON.stringify({ n, epoch, at: 0, t: "notice", text: `${n} äö🚀 ${"x".repeat(1000)}` });

await journal.create("s", { agent: "codex", cwd: "/work" });
const woken = new Promise<readonly string[]>((resolve) => void other.watch(resolve));
const claim = await journal.claim("s", "one", 1000);
if (claim === undefined || "heldBy" in claim) throw new Error("not claimed");
for (let n = 1; n <= 300; n++) await journal.append([{ claim, from: n, entries: [entry(n, 1)] }]);
const refused = await other.claim("s", "two", 1000);
await other.send("s", "key", "command");
const commands = await journal.commands(claim, 0);
await journal.settle(claim, [1]);
await journal.compact(claim, 200, [entry(100, 0)]);
const gone = await other.read("s", { epoch: 1, n: 100 }, 1000);
await other.change("s", { title: "Title" });
await journal.release(claim);
const next = await other.claim("s", "two", 1000);
const page = await other.read("s", { epoch: 1, n: 298 }, 1_000_000);
const isWhole = typeof page === "object" && page.entries.join() === [entry(299, 1), entry(300, 1)].join();
const { sessions } = await journal.list({});
const result = {
  woken: await woken,
  refused,
  commands,
  left: next !== undefined && !("heldBy" in next) ? await other.commands(next, 0) : refused,
  gone,
  next,
  isWhole,
  listed: sessions.map(({ session, title }) => [session, title]),
};
await other.remove("s");
await journal.close();
await other.close();
process.stdout.write(JSON.stringify({ ...result, removed: (await journal.describe("s")) === undefined }));
