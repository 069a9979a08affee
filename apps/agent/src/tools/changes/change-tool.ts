import { type Schema, tool } from "ai";

import { describeError } from "../../describe-error.ts";
import { existingText } from "../../workspace/existing-text.ts";
import { isProtectedPlace } from "../../protect/protected-places.ts";
import { absolutePath } from "../../workspace/project-path.ts";
import type { Remembered } from "../agent-tools.ts";
import { displayName, locationsOf } from "../display.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { findPath, followLinks } from "../../workspace/find-path.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { inOrder } from "./in-order.ts";

/** The text that a call makes of a file. */
export interface ChangedText {
  readonly newText: string;
  /** Where the change begins, counted from 1. */
  readonly line: number;
  /** What the model reads when it is done. */
  readonly summary: string;
}

/** A tool that changes one file. */
interface ChangeTool<Input> {
  /** What it does, in the option for "always". */
  readonly verb: string;
  readonly description: string;
  readonly inputSchema: Schema<Input>;
  /**
   * Makes the new text of the file from the old one, which is `undefined` if there is no file.
   *
   * @throws {Error} the change cannot be made; the model reads why.
   */
  change(input: Input, oldText: string | undefined): ChangedText;
}

/**
 * Creates a tool that changes a file. The change is worked out twice: before the user is asked, who sees it as a diff, and
 * again when it is made. In between the user may have edited the file: then it is refused.
 */
export function createChangeTool<Input extends { readonly path: string }>(
  { workspace, seenFiles, changes }: ToolContext,
  { verb, description, inputSchema, change }: ChangeTool<Input>,
): AgentTool {
  /** Where the protected files are that the user was asked about, by call. */
  const askedAbout = new Map<string, string>();

  /** While the user thinks, the path could have become a link to a protected file. */
  async function requireAsked(path: string, toolCallId: string): Promise<void> {
    if (!(await isProtectedPlace(path)) || askedAbout.get(toolCallId) === (await followLinks(path))) return;
    throw new Error(
      `${path} is protected by now, and the user was not asked. Nothing was written: call the tool again.`,
    );
  }

  async function remember({ path: name }: Input, toolCallId: string): Promise<Remembered | undefined> {
    const path = await findPath(workspace, name);
    if (!(await isProtectedPlace(path)))
      return { key: `tool ${verb}`, scope: `${verb} in this session, except for protected files` };
    askedAbout.set(toolCallId, await followLinks(path));
    return undefined;
  }

  async function workOut(path: string, input: Input): Promise<FileChange & ChangedText> {
    const oldText = await existingText((name) => workspace.readText(name), path);
    if (!seenFiles.isCurrent(path, oldText)) {
      throw new Error(`${input.path} has changed since you read it. Read it again, and then change it.`);
    }
    return { path, oldText, ...change(input, oldText) };
  }

  async function propose(input: Input, toolCallId: string): Promise<string | undefined> {
    try {
      const path = await findPath(workspace, input.path);
      const proposed = await workOut(path, input);
      await workspace.showChange(toolCallId, proposed);
      // What the user allows is a change of this text, and of no other.
      seenFiles.noteWhole(path, proposed.oldText);
      return undefined;
    } catch (error) {
      workspace.signal.throwIfAborted();
      return describeError(error);
    }
  }

  async function make(input: Input, toolCallId: string): Promise<string> {
    const path = await findPath(workspace, input.path);
    return inOrder(await followLinks(path), async () => {
      const made = await workOut(path, input);
      await requireAsked(path, toolCallId);
      await workspace.showChange(toolCallId, made);
      if (made.newText !== made.oldText) await workspace.writeText(path, made.newText);
      seenFiles.noteWhole(path, made.newText);
      return made.summary;
    });
  }

  return {
    tool: tool({
      description,
      inputSchema,
      execute(input: Input, { toolCallId }) {
        const making = make(input, toolCallId);
        changes.add(making);
        const remove = (): boolean => changes.delete(making);
        making.then(remove, remove);
        return making;
      },
    }),
    // The input was checked against the schema.
    access: {
      access: "edit",
      isProtected: async (input) => {
        // It is asked before anybody has checked the input.
        const { path } = input as { readonly path?: unknown };
        return typeof path === "string" && isProtectedPlace(absolutePath(workspace.cwd, path));
      },
      propose: (input, toolCallId) => propose(input as Input, toolCallId),
      remember: (input, toolCallId) => remember(input as Input, toolCallId),
    },
  };
}

/** The diff is shown before the call is done, and stays. */
export function createChangeDisplay(verb: string): CreateDisplay<{ path: string }> {
  return (cwd) => ({
    kind: "edit",
    title: ({ path }) => (path === undefined ? `${verb} a file` : `${verb} ${displayName(cwd, path)}`),
    locations: ({ path }) => locationsOf(cwd, path),
    output: () => undefined,
  });
}
