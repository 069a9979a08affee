import { runKeeper } from "@acp/hub";

import * as runtime from "#runtime";

import type { KeeperSettings } from "./hub/hub-folder.ts";
import { openJournal } from "./hub/open-journal.ts";
import { questionPolicy } from "./hub/question-policy.ts";

/** The program of a keeper's process, which `acp hub` starts: see `@acp/hub`. */
await runKeeper({
  runtime,
  journal: (more) => openJournal((more as KeeperSettings).folder, (more as KeeperSettings).journal),
  policy: ({ setup }, more) => questionPolicy((more as KeeperSettings).permissions, setup.cwd),
});
