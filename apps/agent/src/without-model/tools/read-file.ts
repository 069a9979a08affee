import type { Task } from "../task.ts";
import { displayPath } from "../../workspace/project-path.ts";
import { reportFailure } from "./report-failure.ts";

/** Reads a file as a tool call. Returns `undefined` if that fails; the tool call shows the reason. */
export async function readFile(task: Task, path: string): Promise<string | undefined> {
  const call = await task.toolCall({
    title: `Read ${displayPath(task.session.cwd, path)}`,
    name: "read_file",
    kind: "read",
    locations: [{ path }],
    rawInput: { path },
  });
  try {
    const text = await task.readText(path);
    await call.complete(text);
    return text;
  } catch (error) {
    await reportFailure(task, call, error);
    return undefined;
  }
}
