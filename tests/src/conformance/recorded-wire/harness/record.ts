import { formatLine, type Line } from "./line.ts";
import { IdNames, withCountedIds } from "./random.ts";
import type { Topic } from "./scenario.ts";
import { Wire } from "./wire.ts";

/** Runs the scenarios of a topic, one after another. Returns what its file has to hold. */
export async function recordTopic(topic: Topic): Promise<string> {
  const lines: Line[] = [];
  await withCountedIds(async () => {
    for (const { name, order, run } of topic.scenarios) {
      const wire = new Wire();
      await run(wire);
      await wire.settle();
      const names = new IdNames();
      lines.push({ scenario: name, order }, ...wire.lines.map((line) => names.rename(line)));
    }
  });
  return `${lines.map(formatLine).join("\n")}\n`;
}
