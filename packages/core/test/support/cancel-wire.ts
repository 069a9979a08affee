// What went over a connection, seen from the client, and what the rules say of it.
import { expect } from "vitest";
import type { Transport } from "../../src/transport/transport.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly toolCall?: { readonly title?: string };
    readonly message?: string;
  };
  readonly result?: { readonly outcome?: { readonly outcome?: string }; readonly action?: string };
  readonly error?: { readonly code: number };
}

export class Wire {
  readonly #entries: { readonly direction: "sent" | "received"; readonly message: Message }[] = [];

  /** The transport, with a note of each message that it carries. */
  watch(inner: Transport): Transport {
    const note = (direction: "sent" | "received", text: string): void =>
      void this.#entries.push({ direction, message: JSON.parse(text) as Message });
    return {
      start: (sink) =>
        inner.start({
          ...sink,
          message(text) {
            note("received", text);
            sink.message(text);
          },
        }),
      send(text, flush, isStringified) {
        const room = inner.send(text, flush, isStringified);
        note("sent", text);
        return room;
      },
      pause: () => inner.pause(),
      resume: () => inner.resume(),
      close: () => inner.close(),
    };
  }

  /** Requests that came in or went out, each with its answers. */
  requests(direction: "sent" | "received"): { readonly request: Message; readonly answers: readonly Message[] }[] {
    const isAnswer = (entry: { direction: string; message: Message }, id: unknown): boolean =>
      entry.direction !== direction && entry.message.id === id && entry.message.method === undefined;
    return this.#entries
      .filter((entry) => entry.direction === direction && entry.message.method !== undefined)
      .map(({ message }) => message)
      .filter(({ id }) => id !== undefined)
      .map((request) => ({
        request,
        answers: this.#entries.filter((entry) => isAnswer(entry, request.id)).map(({ message }) => message),
      }));
  }

  /** No update of a session comes behind the answer that ends its turn, up to the next prompt (CANC-07, PROM-12). */
  checkUpdates(): void {
    const prompts = new Map<unknown, string>();
    const running = new Map<string, number>();
    for (const { direction, message } of this.#entries) {
      const { method, params, id } = message;
      const sessionId = params?.sessionId ?? "";
      if (direction === "sent" && method === "session/prompt") {
        prompts.set(id, sessionId);
        running.set(sessionId, (running.get(sessionId) ?? 0) + 1);
      } else if (direction === "received" && method === undefined && prompts.has(id)) {
        const prompted = prompts.get(id) ?? "";
        running.set(prompted, (running.get(prompted) ?? 0) - 1);
      } else if (direction === "received" && method === "session/update") {
        expect(running.get(sessionId), `an update behind the answer of ${sessionId}`).not.toBe(0);
      }
    }
  }

  /** Every question for one of these sessions has its one answer, and nobody who is away has given it (PERM-07). */
  checkQuestions(sessions: ReadonlySet<string>): void {
    for (const { request, answers } of this.requests("received")) {
      const { method, params } = request;
      if (method !== "session/request_permission" && method !== "elicitation/create") continue;
      if (!sessions.has(params?.sessionId ?? "")) continue;
      expect(answers, `answers to ${JSON.stringify(request)}`).toHaveLength(1);
      const who = params?.toolCall?.title ?? params?.message;
      const { outcome, action } = answers[0]?.result ?? {};
      const isWithdrawn = outcome?.outcome === "cancelled" || action === "cancel";
      // One that comes behind the end, and is taken back before its turn, may be answered so.
      const [answer] = answers;
      const isTakenBack = answer?.error?.code === -32800 && this.#isLate(request, answer);
      if (who === "away" || who === "listens") expect(isWithdrawn || isTakenBack, JSON.stringify(answers)).toBe(true);
    }
  }

  /** Whether a question came when the client had ended the turn, or was taken back before the client ends it. */
  #isLate(question: Message, answer: Message): boolean {
    const indexOf = (one: Message): number => this.#entries.findIndex(({ message }) => message === one);
    const ends = ["session/cancel", "session/close", "session/delete", "$/cancel_request"];
    const isFor = (params: Message["params"]): boolean =>
      params?.sessionId === undefined || params.sessionId === question.params?.sessionId;
    const [asked, answered] = [indexOf(question), indexOf(answer)];
    return this.#entries.some(
      ({ direction, message: { method = "", params } }, index) =>
        direction === "sent" &&
        isFor(params) &&
        // The session's turn ends with the answer of the load, but the agent hears of it before.
        ((ends.includes(method) && index < asked) || (method === "session/load" && index < answered)),
    );
  }

  /** The same, and every request has one answer, unless whoever was asked is away. */
  checkAnswers(sessions: ReadonlySet<string>, isLoginAway: boolean): void {
    this.checkQuestions(sessions);
    for (const { request, answers } of this.requests("sent")) {
      const mayWait =
        request.method === "session/set_config_option" || (isLoginAway && request.method === "authenticate");
      if (mayWait && answers.length === 0) continue;
      expect(answers, `answers to ${JSON.stringify(request)}`).toHaveLength(1);
    }
    for (const { request, answers } of this.requests("received")) {
      expect(answers.length, `answers to ${JSON.stringify(request)}`).toBeLessThanOrEqual(1);
      const isAway = /away|listens|terminal/.test(JSON.stringify(request));
      if (!isAway) expect(answers, `answers to ${JSON.stringify(request)}`).toHaveLength(1);
    }
  }
}
