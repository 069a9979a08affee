import { isProtectedPlace } from "../../protect/protected-places.ts";
import type { Edit, Task, ToolCall } from "../task.ts";
import { displayPath } from "../../workspace/project-path.ts";
import { reportFailure } from "./report-failure.ts";

export type EditOutcome = "written" | "rejected" | "failed";

/** Shows an edit as a tool call, asks for permission in the mode `ask` or for a protected file, and writes the file. */
export async function editFile(task: Task, edit: Edit): Promise<EditOutcome> {
  const { path, oldText, line } = edit;
  const call = await task.toolCall({
    // Some clients read a file that does not exist as an empty one.
    title: `${oldText === undefined || oldText === "" ? "Create" : "Edit"} ${displayPath(task.session.cwd, path)}`,
    name: "edit_file",
    kind: "edit",
    status: "pending",
    locations: [line === undefined ? { path } : { path, line }],
    edit,
  });
  try {
    const isProtected = await isProtectedPlace(path);
    if ((isProtected || task.session.state.mode === "ask") && !(await askToEdit(task, call, isProtected))) {
      await call.cancel("rejected by the user");
      return "rejected";
    }
    if (!isProtected && (await isProtectedPlace(path))) {
      await call.fail(`${path} is protected by now. Nothing was written.`);
      return "failed";
    }
    await call.update({ status: "in_progress" });
    return await write(task, edit, call);
  } catch (error) {
    await reportFailure(task, call, error);
    return "failed";
  }
}

async function write(task: Task, { path, oldText, newText }: Edit, call: ToolCall): Promise<EditOutcome> {
  // The user may have edited the file while the agent asked for permission.
  if (oldText !== undefined && (await task.readText(path)) !== oldText) {
    await call.update({
      status: "failed",
      content: "The file has changed in the meantime. Nothing was written.",
    });
    return "failed";
  }
  task.signal.throwIfAborted();
  await task.writeText(path, newText);
  await call.complete();
  return "written";
}

async function askToEdit(task: Task, call: ToolCall, isProtected: boolean): Promise<boolean> {
  const always = "Allow all edits in this session, except of protected files";
  const { allowed, option } = await call.askPermission([
    { optionId: "allow", name: "Allow", kind: "allow_once" },
    ...(isProtected ? [] : [{ optionId: "allow-always", name: always, kind: "allow_always" } as const]),
    { optionId: "reject", name: "Reject", kind: "reject_once" },
  ]);
  task.signal.throwIfAborted();
  // The mode `code` never asks.
  if (option?.kind === "allow_always") await task.setMode("code");
  return allowed;
}
