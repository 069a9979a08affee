import type { Edit, Task, ToolCall } from "../task.ts";
import { displayPath } from "./project-path.ts";
import { reportFailure } from "./report-failure.ts";

export type EditOutcome = "written" | "rejected" | "failed";

/** Proposes an edit, asks for permission unless the mode says otherwise, and writes it. */
export async function editFile(task: Task, edit: Edit): Promise<EditOutcome> {
  const { path, oldText, line } = edit;
  const call = await task.toolCall({
    // Some clients let a file that does not exist be empty.
    title: `${oldText === undefined || oldText === "" ? "Create" : "Edit"} ${displayPath(task.session.cwd, path)}`,
    name: "edit_file",
    kind: "edit",
    status: "pending",
    locations: [line === undefined ? { path } : { path, line }],
    edit,
  });
  try {
    if (task.session.state.mode === "ask" && !(await mayEdit(task, call))) {
      await call.giveUp("rejected by the user");
      return "rejected";
    }
    await call.update({ status: "in_progress" });
    return await write(task, edit, call);
  } catch (error) {
    await reportFailure(task, call, error);
    return "failed";
  }
}

async function write(task: Task, { path, oldText, newText }: Edit, call: ToolCall): Promise<EditOutcome> {
  // The user may have gone on editing while the question was open.
  if (oldText !== undefined && (await task.readText(path)) !== oldText) {
    await call.update({
      status: "failed",
      content: "The file has changed in the meantime; nothing was written",
    });
    return "failed";
  }
  task.signal.throwIfAborted();
  await task.writeText(path, newText);
  await call.complete();
  return "written";
}

async function mayEdit(task: Task, call: ToolCall): Promise<boolean> {
  const { allowed, option } = await call.askPermission([
    { optionId: "allow", name: "Allow", kind: "allow_once" },
    { optionId: "allow-always", name: "Allow all edits in this session", kind: "allow_always" },
    { optionId: "reject", name: "Reject", kind: "reject_once" },
  ]);
  task.signal.throwIfAborted();
  // For always is what the other mode is for.
  if (option?.kind === "allow_always") await task.setMode("code");
  return allowed;
}
