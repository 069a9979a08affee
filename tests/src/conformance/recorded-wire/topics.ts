import { type Edition, editions } from "./harness/edition.ts";
import type { Topic } from "./harness/scenario.ts";
import { brokenValues } from "./scenarios/broken-values.ts";
import { everyMessage } from "./scenarios/every-message.ts";
import { everyValue } from "./scenarios/every-value.ts";
import { rawAgent } from "./scenarios/raw-agent.ts";
import { rawClient } from "./scenarios/raw-client.ts";
import { unstableV1, unstableV2 } from "./scenarios/unstable.ts";
import { topicsOfV1 } from "./scenarios/v1/topics.ts";
import { topicsOfV2 } from "./scenarios/v2/topics.ts";
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
  ...topicsOfV1,
  ...topicsOfV2,
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
