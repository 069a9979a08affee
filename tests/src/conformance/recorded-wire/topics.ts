import { type Edition, editions } from "./harness/edition.ts";
import type { Topic } from "./harness/scenario.ts";
import { brokenValues } from "./scenarios/broken-values.ts";
import { everyMessage } from "./scenarios/every-message.ts";
import { everyValue } from "./scenarios/every-value.ts";
import { rawAgent } from "./scenarios/raw-agent.ts";
import { rawClient } from "./scenarios/raw-client.ts";
import { unstableV1, unstableV2 } from "./scenarios/unstable.ts";
import { helpers } from "./scenarios/v1/helpers.ts";
import { questions } from "./scenarios/v1/permission.ts";
import { running } from "./scenarios/v1/running.ts";
import { sessions } from "./scenarios/v1/sessions.ts";
import { turns } from "./scenarios/v1/turns.ts";
import { running as running2 } from "./scenarios/v2/running.ts";
import { sessions as sessions2 } from "./scenarios/v2/sessions.ts";
import { turns as turns2 } from "./scenarios/v2/turns.ts";
import { versions } from "./scenarios/versions.ts";

/** All that is recorded. */
export const topics: readonly Topic[] = [
  ...editions.map((edition) => ({ name: "every-message", edition: edition.name, scenarios: everyMessage(edition) })),
  ...editions.map((edition) => ({ name: "every-value", edition: edition.name, scenarios: everyValue(edition) })),
  ...editions.map((edition) => ({
    name: "broken-values",
    edition: edition.name,
    scenarios: brokenValues(edition, stableOf(edition)),
  })),
  // Unstable editions are the same code with other tables.
  ...editions
    .filter(({ name }) => !name.endsWith("unstable"))
    .flatMap((edition) => [
      { name: "raw-client", edition: edition.name, scenarios: rawClient(edition) },
      { name: "raw-agent", edition: edition.name, scenarios: rawAgent(edition) },
    ]),
  { name: "turns", edition: "v1", scenarios: turns },
  { name: "questions", edition: "v1", scenarios: questions },
  { name: "helpers", edition: "v1", scenarios: helpers },
  { name: "sessions", edition: "v1", scenarios: sessions },
  { name: "running", edition: "v1", scenarios: running },
  { name: "turns", edition: "v2", scenarios: turns2 },
  { name: "sessions", edition: "v2", scenarios: sessions2 },
  { name: "running", edition: "v2", scenarios: running2 },
  { name: "sessions", edition: "v1-unstable", scenarios: unstableV1 },
  { name: "sessions", edition: "v2-unstable", scenarios: unstableV2 },
  { name: "versions", edition: "v2", scenarios: versions },
];

/** The stable edition of an unstable one. */
function stableOf({ name }: Edition): Edition | undefined {
  return editions.find((stable) => name === `${stable.name}-unstable`);
}

/** Where the recording of a topic is. */
export function fileOf({ edition, name }: Topic): URL {
  return new URL(`recordings/${edition}-${name}.ndjson`, import.meta.url);
}
