import { type Finding, type Members, membersOf } from "../inspected.ts";

/** How many choices of one session are remembered; a session with more is not checked. */
const mostChoices = 10_000;

/** The choices that a session offers, and has offered: the client's choice may cross the agent's update of the list. */
export class Offers {
  readonly #modes = new Set<unknown>();
  /** The values of each option, by its id; `undefined` for an option without a list. */
  readonly #options = new Map<unknown, Set<unknown> | undefined>();
  #count = 0;

  /** Adds what an answer or an update of the agent offers. */
  take({ modes, configOptions }: Members): void {
    for (const mode of listIn(membersOf(modes), "availableModes")) this.#add(this.#modes, mode["id"]);
    for (const option of listIn({ configOptions }, "configOptions")) {
      const id = idOf(option);
      const values = valuesOf(option);
      if (!this.#options.has(id)) this.#count++;
      const known = values && (this.#options.get(id) ?? new Set());
      this.#options.set(id, known);
      for (const value of values ?? []) this.#add(known!, value);
    }
  }

  #add(choices: Set<unknown>, choice: unknown): void {
    if (!choices.has(choice)) this.#count++;
    choices.add(choice);
  }

  /** Whether enough is known to say that something was never offered. */
  get #isWhole(): boolean {
    return this.#count <= mostChoices;
  }

  /** Finds what is wrong with the client's choice. */
  checkChoice(method: string, { modeId, configId, value }: Members): readonly Finding[] {
    if (!this.#isWhole) return [];
    if (method === "session/set_mode") {
      return this.#offersMode(modeId) ? [] : [{ path: "/modeId", reason: "names no mode of the session (MODE-02)" }];
    }
    // Without a list, another rule is broken.
    if (method !== "session/set_config_option" || this.#options.size === 0) return [];
    if (!this.#options.has(configId)) {
      return [{ path: "/configId", reason: "names no option of the session (CONF-13)" }];
    }
    const values = this.#options.get(configId);
    if (values === undefined || values.has(value)) return [];
    return [{ path: "/value", reason: "is no value that the option has (CONF-13)" }];
  }

  /** Finds what is wrong with the mode that an agent reports for its session. */
  checkMode({ currentModeId }: Members): readonly Finding[] {
    if (currentModeId === undefined || !this.#isWhole || this.#offersMode(currentModeId)) return [];
    return [{ path: "/update/currentModeId", reason: "names no mode of the session (MODE-05)" }];
  }

  #offersMode(id: unknown): boolean {
    return this.#modes.size === 0 || this.#modes.has(id);
  }
}

/** The objects of a list. */
function listIn(holder: Members, member: string): readonly Members[] {
  const list = holder[member];
  return Array.isArray(list) ? list.map(membersOf) : [];
}

/** Version 2 has another name for it. */
function idOf(option: Members): unknown {
  return option["configId"] ?? option["id"];
}

/** The values of an option to select from, in groups or not; `undefined` for any other. */
function valuesOf(option: Members): readonly unknown[] | undefined {
  if (option["type"] !== "select" || !Array.isArray(option["options"])) return undefined;
  return listIn(option, "options")
    .flatMap((item) => (Array.isArray(item["options"]) ? listIn(item, "options") : [item]))
    .map((item) => item["value"]);
}
