/** What every pair of a client and an agent has to go through over HTTP and WebSockets, and what has to come of it. */

/** How many updates a turn has, and a history. */
export const updates = 400;

/** What a client has seen of the story, whoever has written it. */
export interface StoryOutcome {
  /** The texts of the turn, in order. */
  readonly texts: readonly string[];
  readonly stopReasons: readonly string[];
  /** The texts that had come when `session/load` was answered. */
  readonly history: readonly string[];
  /** The texts of two sessions whose turns ran at the same time. */
  readonly alongside: readonly (readonly string[])[];
}

const numbers = (word: string): readonly string[] => Array.from({ length: updates }, (_, n) => `${word} ${n}`);

/** What has to come of it. */
export const expected: StoryOutcome = {
  texts: [...numbers("before"), "allow", "the text of /project/notes.txt", ...numbers("after")],
  stopReasons: ["end_turn", "cancelled"],
  history: numbers("history"),
  alongside: [numbers("left"), numbers("right")],
};
