// Records the wire anew: `node --conditions=@acp/source src/conformance/recorded-wire/write-recordings.ts`.
import { writeFileSync } from "node:fs";

import { recordTopic } from "./harness/record.ts";
import { fileOf, topics } from "./topics.ts";

for (const topic of topics) writeFileSync(fileOf(topic), await recordTopic(topic));
process.exit();
