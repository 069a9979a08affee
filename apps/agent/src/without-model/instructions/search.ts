import { readFile } from "node:fs/promises";

import type { ToolCallLocation } from "@acp/schema/v1";

import type { Task } from "../task.ts";
import { truncateText } from "../../truncate-text.ts";
import { listFiles } from "../tools/list-files.ts";
import { displayPath } from "../../workspace/project-path.ts";
import { reportFailure } from "../tools/report-failure.ts";
import type { Instruction } from "./instruction.ts";

const maxHits = 50;
const maxFileLength = 1_000_000;

export const search: Instruction = {
  name: "search",
  aliases: ["find", "grep"],
  hint: "text",
  summary: "Search the project's files for a text",
  async run(argument, task) {
    if (argument === "") return task.say("Tell me what to search for: search TODO");
    const call = await task.toolCall({
      title: `Search for ${argument}`,
      name: "search",
      kind: "search",
      rawInput: { text: argument },
    });
    let hits: readonly Hit[];
    try {
      hits = await findHits(task, argument.toLowerCase());
    } catch (error) {
      await reportFailure(task, call, error);
      return task.say("The search failed.");
    }
    const lines = hits.map(({ path, line, text }) => `${displayPath(task.session.cwd, path)}:${line}: ${text}`);
    const locations: ToolCallLocation[] = hits.map(({ path, line }) => ({ path, line }));
    await call.update({ status: "completed", locations, content: lines.join("\n") || "Nothing found" });
    if (hits.length === maxHits) return task.say(`I stopped after the first ${maxHits} places.`);
    return task.say(`Found in ${hits.length} ${hits.length === 1 ? "place" : "places"}.`);
  },
};

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Finds the lines that contain a text, ignoring case. It reads the disk, since ACP has no method to search. */
async function findHits(task: Task, text: string): Promise<Hit[]> {
  const hits: Hit[] = [];
  for await (const path of listFiles(task.session.cwd)) {
    task.signal.throwIfAborted();
    const content = await readFile(path, "utf8");
    if (content.length > maxFileLength || content.includes("\0")) continue;
    for (const [index, line] of content.split("\n").entries()) {
      if (!line.toLowerCase().includes(text)) continue;
      hits.push({ path, line: index + 1, text: truncateText(line.trim(), 200) });
      if (hits.length === maxHits) return hits;
    }
  }
  return hits;
}
