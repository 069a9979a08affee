// Turns whose messages are counted, on both sides: what is lost or comes twice is seen.
import { type AgentDefinition, type ClientDefinition, createAgent, createClient, type Diagnostic } from "@acp/core";

/** How many updates come before the question of a turn, and how many after it. */
const updates = 12;

/** Counts what an agent has received. */
export interface AgentLog {
  /** How often each prompt has come, and each answer. */
  readonly prompts: Map<string, number>;
  readonly answers: Map<string, number>;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The text of an update: some are large, so that they are cut in the middle. */
function textOf(prompt: string, n: number): string {
  return `${prompt}.${n}${n % 5 === 0 ? " ".repeat(4000) : ""}`;
}

/** The texts that a turn has. */
export function expectedTexts(prompt: string): readonly string[] {
  const texts = Array.from({ length: 2 * updates }, (_, n) => textOf(prompt, n));
  texts.splice(updates, 0, `allow ${prompt}`);
  return texts;
}

export function createNumberedAgent(log: AgentLog): AgentDefinition {
  return createAgent({
    info: { name: "numbered-agent", version: "1" },
    handlers: {
      "session/prompt": async ({ prompt: [block] }, { client, turn }) => {
        const prompt = block?.type === "text" ? block.text : "";
        count(log.prompts, prompt);
        for (let n = 0; n < updates; n++) await turn.message(textOf(prompt, n));
        const options = [{ optionId: `allow ${prompt}`, name: "Allow", kind: "allow_once" as const }];
        const question = { toolCall: { toolCallId: prompt, title: prompt }, options };
        const { outcome } = await client.request("session/request_permission", question);
        const answer = outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
        count(log.answers, answer);
        await turn.message(answer);
        for (let n = updates; n < 2 * updates; n++) await turn.message(textOf(prompt, n));
        return { stopReason: "end_turn" };
      },
    },
  });
}

/** A client that answers each question, and counts them by prompt. */
export function createNumberedClient(questions: Map<string, number>, diagnostics: Diagnostic[]): ClientDefinition {
  return createClient({
    info: { name: "numbered-client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ toolCall, options }) => {
        count(questions, toolCall.toolCallId);
        return { outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" } };
      },
    },
  });
}
