import type { Topic } from "../../harness/scenario.ts";
import { helpers } from "./helpers.ts";
import { questions } from "./permission.ts";
import { running } from "./running.ts";
import { sessions } from "./sessions.ts";
import { turns } from "./turns.ts";

/** What version 1 does, by hand. */
export const topicsOfV1: readonly Topic[] = [
  { name: "turns", edition: "v1", scenarios: turns },
  { name: "questions", edition: "v1", scenarios: questions },
  { name: "helpers", edition: "v1", scenarios: helpers },
  { name: "sessions", edition: "v1", scenarios: sessions },
  { name: "running", edition: "v1", scenarios: running },
];
