import { realpathSync } from "node:fs";

import { redactLine } from "@acp/record";
import { timeAgo } from "@acp/render";

import type { AgentSelection } from "./agents/agent-selection.ts";
import { findConfigs } from "./agents/config/find-configs.ts";
import type { NamedAgent } from "./agents/launch.ts";
import { knownAgents } from "./agents/known-agents.ts";
import { type AgentList, listAgents, type ListedAgent } from "./agents/list-agents.ts";
import { defaultAgent } from "./agents/resolve-agent.ts";
import { wrongConfiguration } from "./cli/exit.ts";
import type { Streams } from "./cli/streams.ts";
import { describeAgent, isSameAgent, nameAgent, type NamedSession } from "./sessions/named-session.ts";
import { SessionStore } from "./sessions/session-store.ts";
import { pick } from "./ui/pick.ts";
import type { ListEntry } from "./ui/questions/list-picker.ts";

/** What the user may start: an agent, or one that has to be installed first. */
type Choice = NamedAgent & { readonly install?: string };

/**
 * Lets the user choose an agent, unless the configuration names one to start: the last ones first, then those that are installed, then those that can be.
 *
 * @returns `undefined` for the one that the configuration names, `"none"` if the user quits.
 * @throws {ProgramFailure} for an agent that has to be installed first: it says how.
 */
export async function chooseAgent(
  selection: AgentSelection,
  streams: Streams,
): Promise<NamedAgent | "none" | undefined> {
  const { env } = streams;
  if (defaultAgent(findConfigs(selection.cwd, env)) !== undefined) return undefined;
  const here = realpathSync(selection.cwd);
  const used = new SessionStore(env).list().filter(({ cwd }) => cwd === here);
  const entries = (list: AgentList): ListEntry<Choice>[] => {
    const isNew = ({ name }: { readonly name: string }): boolean => used.every(({ agent }) => agent.name !== name);
    const agents = list.agents.filter(isNew);
    const missing = knownAgents.filter(({ name }) => list.agents.every((agent) => agent.name !== name));
    return [
      ...usedEntries(used),
      ...agents.filter(({ source }) => source.kind !== "registry").map(listedEntry("Here")),
      ...agents.filter(({ source }) => source.kind === "registry").map(listedEntry("In the registry")),
      ...missing.map(({ name, title, install }): ListEntry<Choice> => ({
        value: { ...agentOf(name), install },
        label: name,
        detail: `${title} · ${install}`,
        group: "To install",
      })),
    ];
  };
  const chosen = await pick(
    {
      title: "Choose an agent",
      enter: ({ install }) => (install === undefined ? "start" : "say how to install it"),
      entries: entries(await listAgents(selection, env, { offline: true })),
      more: async (show, signal) => {
        const list = await listAgents(selection, env, { signal });
        show(entries(list));
        return list.problem === undefined ? undefined : "the registry cannot be read";
      },
    },
    streams,
  );
  if (chosen === undefined) return "none";
  const { install, ...agent } = chosen;
  if (install === undefined) return agent;
  const advice = `Install it: ${install}`;
  throw wrongConfiguration(`${agent.name ?? ""} is not installed`, advice);
}

/** The agents that were used in this directory, the last one first. */
function usedEntries(sessions: readonly NamedSession[]): ListEntry<Choice>[] {
  return sessions.flatMap(({ agent, updatedAt }, index) => {
    if (sessions.findIndex((one) => isSameAgent(one.agent, agent)) !== index) return [];
    const facts = agent.name === undefined ? [redactLine(describeAgent(agent).replace(/^-- /u, ""))] : [];
    return {
      value: agent,
      label: nameAgent(agent),
      detail: [...facts, timeAgo(updatedAt, Date.now())].join(" · "),
      group: "Used here",
    };
  });
}

/** How it is started is looked up. */
function agentOf(name: string): NamedAgent {
  return { name, command: "", args: [] };
}

function listedEntry(group: string): (agent: ListedAgent) => ListEntry<Choice> {
  return ({ name, title, version, needsTrust }) => ({
    value: agentOf(name),
    label: name,
    detail: [title ?? "", version ?? "", needsTrust ? "asks for your trust" : ""]
      .filter((fact) => fact !== "")
      .join(" · "),
    group,
  });
}
