import {
  type ClientHandlers,
  createAgent,
  type PermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@acp/core";

const info = { name: "test-agent", version: "1.0.0" };
/** What only those may see who may answer. */
export const secretUrl = "https://example.com/secret";

/**
 * Writes each letter of the prompt. It waits where the prompt says `?` for permission, where it says `@` for somebody who opens a
 * page, and where it says `.` for a cancel or `go`.
 */
export function createTestAgent(): {
  readonly agent: ReturnType<typeof createAgent>;
  readonly prompts: string[];
  go(): void;
} {
  const prompts: string[] = [];
  let waiting: (() => void)[] = [];
  const agent = createAgent({
    info,
    handlers: {
      "session/resume": () => ({}),
      "session/set_mode": () => ({}),
      "session/new": (_params, { session }) => ({
        sessionId: session.id,
        modes: {
          currentModeId: "code",
          availableModes: [
            { id: "code", name: "Code" },
            { id: "ask", name: "Ask" },
          ],
        },
      }),
      "session/prompt": async ({ prompt }, { turn, client, session }) => {
        const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
        prompts.push(text);
        for (const letter of text) {
          if (letter === "!") throw new Error("The agent fails");
          if (letter === ".") {
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              turn.signal.addEventListener("abort", () => resolve());
            });
          } else if (letter === "?") {
            const call = await turn.toolCall({ title: "Edit a file" });
            await turn.message(nameOf(await call.requestPermission()));
          } else if (letter === "@") {
            const asked = {
              sessionId: session.id,
              mode: "url",
              elicitationId: "1",
              url: secretUrl,
              message: "Open a page",
            } as const;
            await turn.message(`<${(await client.request("elicitation/create", asked)).action}>`);
          } else await turn.message(letter);
        }
        return { stopReason: "end_turn" };
      },
    },
  });
  return {
    agent,
    prompts,
    go: () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}

function nameOf(outcome: PermissionOutcome): string {
  return outcome.outcome === "selected" ? `<${outcome.optionId}>` : "<cancelled>";
}

/** A client that leaves questions open until the test answers them. */
export function openQuestions(): {
  readonly handlers: ClientHandlers;
  readonly asked: RequestPermissionRequest[];
  answer(optionId: string): void;
  readonly withdrawn: () => number;
} {
  const asked: RequestPermissionRequest[] = [];
  const answers: ((outcome: PermissionOutcome) => void)[] = [];
  let withdrawn = 0;
  return {
    asked,
    withdrawn: () => withdrawn,
    answer: (optionId) => answers.shift()?.({ outcome: "selected", optionId }),
    handlers: {
      "session/request_permission": async (params, { signal }) => {
        asked.push(params);
        signal.addEventListener("abort", () => (withdrawn += 1));
        return { outcome: (await new Promise<PermissionOutcome>((resolve) => answers.push(resolve))) as never };
      },
    },
  };
}

/** Whether the agent has said something. */
export function ends(text: string): (shown: readonly SessionUpdate[]) => boolean {
  return (shown) =>
    shown.some((update) => update.sessionUpdate === "agent_message_chunk" && JSON.stringify(update).includes(text));
}
