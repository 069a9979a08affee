import type { Topic } from "../../harness/scenario.ts";
import { running } from "./running.ts";
import { sessions } from "./sessions.ts";
import { turns } from "./turns.ts";

/** What version 2 does, by hand. */
export const topicsOfV2: readonly Topic[] = [
  { name: "turns", edition: "v2", scenarios: turns },
  { name: "sessions", edition: "v2", scenarios: sessions },
  { name: "running", edition: "v2", scenarios: running },
];
