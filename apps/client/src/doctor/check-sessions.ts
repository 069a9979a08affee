import { RequestError } from "@acp/core";
import type { SessionOption } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { Agent, Session, WayBack } from "../protocol/agent.ts";
import { isMissingSession } from "../protocol/failure.ts";
import type { CheckRunner } from "./check-runner.ts";

const listLimit = 1_000;

export interface SessionCheckOptions {
  readonly cwd: string;
  readonly prompt: string | undefined;
  startAgain(): Promise<Agent>;
}

/**
 * Tries what an agent advertises about sessions, with a session of its own. What is not advertised is not called.
 *
 * @throws if there can be no session: the agent needs a login, fails, or does not answer.
 */
export async function checkSessions(
  agent: Agent,
  { cwd, prompt, startAgain }: SessionCheckOptions,
  checks: CheckRunner,
): Promise<void> {
  const { can } = agent;
  let session = await checks.require("session/new", () => agent.newSession(cwd));
  const { id } = session;
  await checkOptions(session, checks);
  if (prompt !== undefined) await checkPrompt(session, prompt, checks);
  if (can.list) await checkList(agent, cwd, checks);
  const close = async (): Promise<void> => {
    // It is closed already if it could not be opened again.
    if (can.close && !session.signal.aborted) await checks.run("session/close", () => session.close());
  };
  // A session without a turn is kept by few agents.
  const ifMissing =
    prompt === undefined ? "the agent does not keep a session without a prompt; try it with --prompt" : undefined;
  const reopen = async (method: string, how: WayBack): Promise<void> => {
    await close();
    const open = (one: Agent): Promise<Session> => one.reopenSession(id, cwd, how);
    const openSomewhere = async (): Promise<Session | string> => {
      try {
        return await open(agent);
      } catch (error) {
        if (prompt === undefined || !(error instanceof RequestError) || !isMissingSession(error)) throw error;
        // Some agents open a session again only in another process than the one that has it.
        const again = await startAgain();
        try {
          await open(again);
        } catch {
          throw error;
        } finally {
          await again.close();
        }
        return "only in a new process of the agent";
      }
    };
    const opened = await checks.run(method, openSomewhere, (error) =>
      error instanceof RequestError && isMissingSession(error) ? ifMissing : undefined,
    );
    if (typeof opened === "object") session = opened;
  };
  if (can.load) await reopen(agent.version === 1 ? "session/load" : "session/resume with history", "load");
  if (can.resume) await reopen("session/resume", "resume");
  await close();
  if (can.delete) {
    await checks.run(
      "session/delete",
      () => agent.deleteSession(id),
      (error) => (error instanceof RequestError && isMissingSession(error) ? ifMissing : undefined),
    );
  }
}

/** Sets each option to the value that it has. */
async function checkOptions(session: Session, checks: CheckRunner): Promise<void> {
  for (const option of session.shown.options) {
    const method = option.id === undefined ? "session/set_mode" : "session/set_config_option";
    const name = `${method} ${printableLine(option.id ?? String(option.value))}`;
    await checks.run(name, async () => {
      await session.setOption(option, option.value);
      return describeOption(option);
    });
  }
}

function describeOption({ name, value, choices }: SessionOption): string {
  const choice = choices.find((one) => one.value === value)?.name ?? String(value);
  return `${printableLine(name)} is ${printableLine(choice)}${choices.length === 0 ? "" : `, one of ${choices.length}`}`;
}

async function checkList(agent: Agent, cwd: string, checks: CheckRunner): Promise<void> {
  await checks.run("session/list", async () => {
    const stop = new AbortController();
    let count = 0;
    try {
      for await (const _ of agent.listSessions(cwd, stop.signal)) {
        count += 1;
        if (count === listLimit) break;
      }
    } finally {
      stop.abort();
    }
    return `${count === listLimit ? `at least ${count}` : count} session${count === 1 ? "" : "s"}`;
  });
}

async function checkPrompt(session: Session, prompt: string, checks: CheckRunner): Promise<void> {
  await checks.run("session/prompt", async () => {
    const { stopReason, failure } = await session.prompt(prompt).ended;
    if (failure !== undefined) throw failure;
    return `ended with ${printableLine(stopReason)}`;
  });
}
