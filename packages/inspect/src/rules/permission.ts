import { type Answer, type Call, type Finding, membersOf } from "../inspected.ts";

const permission = "session/request_permission";

/** The prompts and questions of a session. */
interface Asking {
  /** Pending prompts: whether they were cancelled. */
  readonly prompts: Map<Call, boolean>;
  /** Pending questions: whether their turn was cancelled. */
  readonly questions: Map<Call, boolean>;
}

/** Permission requests, and the client's answers to them. */
export class Permissions {
  readonly #sessions = new Map<unknown, Asking>();

  /** Records a call. */
  called(call: Call): void {
    const { from, method, params, id } = call;
    const isPrompt = from === "client" && method === "session/prompt" && id !== undefined;
    const isQuestion = from === "agent" && method === permission && id !== undefined;
    if (isPrompt) this.#session(params["sessionId"]).prompts.set(call, false);
    if (isQuestion) {
      const { prompts, questions } = this.#session(params["sessionId"]);
      // With several turns, it may be for one that goes on.
      questions.set(call, prompts.size > 0 && [...prompts.values()].every(Boolean));
    }
    if (from === "client" && method === "session/cancel") this.#cancelled(params["sessionId"]);
  }

  #cancelled(sessionId: unknown): void {
    const { prompts, questions } = this.#sessions.get(sessionId) ?? {};
    // Without a turn there is nothing to cancel (CANC-10).
    if (prompts === undefined || prompts.size === 0) return;
    for (const prompt of prompts.keys()) prompts.set(prompt, true);
    for (const question of questions?.keys() ?? []) questions?.set(question, true);
  }

  /** Finds what is wrong with an answer. `version`: in version 2, background work goes on when a turn is cancelled. */
  answered({ request, result }: Answer, version: number): readonly Finding[] {
    const { method, params } = request;
    const asking = this.#sessions.get(params["sessionId"]);
    const wasCancelled = asking?.questions.get(request) === true;
    asking?.prompts.delete(request);
    asking?.questions.delete(request);
    if (asking?.prompts.size === 0 && asking.questions.size === 0) this.#sessions.delete(params["sessionId"]);
    if (method !== permission) return [];
    const { outcome, optionId } = membersOf(membersOf(result)["outcome"]);
    if (outcome !== "selected") return [];
    if (version === 1 && wasCancelled) {
      return [{ path: "/outcome/outcome", reason: "is not cancelled, and the turn was (PERM-07)" }];
    }
    const options: unknown = params["options"];
    if (!Array.isArray(options) || options.some((option) => membersOf(option)["optionId"] === optionId)) return [];
    return [{ path: "/outcome/optionId", reason: "names no option that was offered (PERM-05)" }];
  }

  #session(sessionId: unknown): Asking {
    let asking = this.#sessions.get(sessionId);
    if (asking === undefined) {
      asking = { prompts: new Map(), questions: new Map() };
      this.#sessions.set(sessionId, asking);
    }
    return asking;
  }
}
