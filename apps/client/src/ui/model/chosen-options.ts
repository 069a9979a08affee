import type { Session } from "../../protocol/agent.ts";
import type { SessionOption } from "../chat-state.ts";

/** What the user has chosen in this run: a new session gets it, too. */
export class ChosenOptions {
  /** By the id of the option, in the order of the choices: a model may decide which other options there are. */
  readonly #chosen = new Map<string | undefined, { readonly name: string; readonly value: string | boolean }>();

  /** The user has chosen this, and the agent has taken it. */
  remember({ id, name }: SessionOption, value: string | boolean): void {
    this.#chosen.delete(id);
    this.#chosen.set(id, { name, value });
  }

  /** Sets it in a new session. Returns sentences about what could not be set. */
  async apply(session: Session, describe: (error: unknown) => Promise<string>): Promise<readonly string[]> {
    const notes: string[] = [];
    for (const [id, { name, value }] of this.#chosen) {
      const option = session.shown.options.find((one) => one.id === id);
      if (option?.value === value) continue;
      if (option === undefined || !allows(option, value)) {
        notes.push(`${name}: the new session does not offer ${String(value)}, which you have chosen before`);
        continue;
      }
      try {
        await session.setOption(option, value);
      } catch (error) {
        notes.push(`${name}: the new session has not taken ${String(value)}. ${await describe(error)}`);
      }
    }
    return notes;
  }
}

function allows({ choices }: SessionOption, value: string | boolean): boolean {
  return typeof value === "boolean" ? choices.length === 0 : choices.some((choice) => choice.value === value);
}

export function modeOf(options: readonly SessionOption[]): SessionOption | undefined {
  return options.find(({ category }) => category === "mode");
}
