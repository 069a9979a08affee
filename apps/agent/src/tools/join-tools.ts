import type { ShowTools, ToolDisplay } from "@acp/ai";

import type { AgentTools } from "./agent-tools.ts";

/** Joins tools from several places. Of two tools with the same name the first one counts. */
export function joinTools(...parts: readonly AgentTools[]): AgentTools {
  const first = [...parts].toReversed();
  return {
    tools: Object.assign({}, ...first.map(({ tools }) => tools)) as AgentTools["tools"],
    access: Object.assign({}, ...first.map(({ access }) => access)) as AgentTools["access"],
    show: (name) => {
      const owner = parts.find(({ tools }) => Object.hasOwn(tools, name));
      return owner === undefined ? undefined : displayOf(owner.show, name);
    },
  };
}

/** How the calls of one tool look. */
export function displayOf(show: ShowTools, name: string): ToolDisplay | undefined {
  // What a display says about its input is checked where it is written, with its tool.
  return typeof show === "function" ? show(name) : (show[name] as ToolDisplay | undefined);
}
