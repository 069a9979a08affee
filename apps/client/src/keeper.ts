import { createFileJournal, runKeeper } from "@acp/hub";

import * as runtime from "#runtime";

import { journalFolder, type KeeperSettings } from "./hub/hub-folder.ts";
import { questionPolicy } from "./hub/question-policy.ts";

/** The program of a keeper's process, which `acp hub` starts: see `@acp/hub`. */
await runKeeper({
  runtime,
  journal: (more) => createFileJournal(journalFolder((more as KeeperSettings).folder)),
  policy: ({ setup }, more) => questionPolicy((more as KeeperSettings).permissions, setup.cwd),
});
