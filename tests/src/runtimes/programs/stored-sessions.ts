// Stores a session, and says what is in it when it is opened again. The argument is the folder.
import process from "node:process";

import { createFileStore, listStored } from "@acp/sessions";

const store = createFileStore<{ readonly say: string }>(process.argv[2] ?? "");
const session = await store.create({ sessionId: "One", cwd: "/project", title: "First" });
await Promise.all(["a", "b"].map((say) => session.append({ say })));
await session.close();
const again = await store.open("One");
await again?.append({ say: "c" });
const fork = await store.fork("One", { sessionId: "two", cwd: "/project" });
await fork?.append({ say: "d" });
const said: string[] = [];
for await (const { say } of fork?.entries() ?? []) said.push(say);
await again?.close();
await fork?.close();
await store.delete("One");
const { sessions } = await listStored(store, { cwd: "/project" });
console.log(JSON.stringify({ said, sessions: sessions.map(({ sessionId, title }) => [sessionId, title]) }));
