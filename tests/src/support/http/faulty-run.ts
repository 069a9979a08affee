// Four sessions that talk over a proxy that makes faults, until it has made all of them.
import type { Diagnostic, Transport } from "@acp/core";

import type { FaultyProxy } from "./faulty-proxy.ts";
import { type AgentLog, createNumberedClient, expectedTexts } from "./numbered-turns.ts";

const sessions = 4;

/** What has gone wrong, in words; nothing is right. */
export async function faultyRun(transport: Transport, proxy: FaultyProxy, log: AgentLog): Promise<readonly string[]> {
  const wrong: string[] = [];
  const questions = new Map<string, number>();
  const diagnostics: Diagnostic[] = [];
  const prompts: string[] = [];
  const agent = await createNumberedClient(questions, diagnostics).connect(transport);
  const talk = async (name: string): Promise<void> => {
    const session = await agent.newSession({ cwd: "/" });
    for (let turns = 0; turns < 2 || !proxy.isDone; turns++) {
      const prompt = `${name}${turns}`;
      prompts.push(prompt);
      const turn = session.prompt(prompt);
      const texts: string[] = [];
      for await (const update of turn.updates)
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          texts.push(update.content.text);
      await turn.response;
      const shown = (all: readonly string[]): string => all.map((text) => text.trim()).join(" ");
      const [was, should] = [shown(texts), shown(expectedTexts(prompt))];
      if (was !== should) wrong.push(`${prompt} has ${was}`);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: sessions }, (_, n) => talk("abcd"[n] ?? "")));
  for (const end of ends) if (end.status === "rejected") wrong.push(`A session has failed: ${String(end.reason)}`);
  await agent.close();
  for (const prompt of prompts) {
    const seen = [log.prompts.get(prompt), questions.get(prompt), log.answers.get(`allow ${prompt}`)];
    if (seen.some((times) => times !== 1)) wrong.push(`prompt, question and answer of ${prompt}: ${seen.join(", ")}`);
  }
  for (const diagnostic of diagnostics) wrong.push(`${diagnostic.type}: ${diagnostic.message}`);
  return wrong;
}
