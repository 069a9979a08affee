import { type ActionDetail, readRawInput } from "./raw-input.ts";

/** What a fact is about, in the order in which facts are shown. */
const places = [
  "kind",
  "command",
  "directory",
  "url",
  "path",
  "variable",
  "argument",
  "content",
  "omitted",
  "comment",
] as const;

/** One thing that the user has to judge in a question. */
export type AskedFact<Content> =
  | {
      /**
       * `comment` is what the agent says about the action: its title, for example. `omitted` is the number of earlier
       * announcements that the state did not keep, because there are too many.
       */
      readonly about: Exclude<(typeof places)[number], "content">;
      /** The name of a variable or an argument. */
      readonly name?: string;
      readonly value: string;
      /** The agent has announced it before, and says something else now. */
      readonly isEarlier: boolean;
    }
  | { readonly about: "content"; readonly content: Content; readonly isEarlier: boolean };

/** A fact that is a text. */
export type AskedTextFact = Exclude<AskedFact<never>, { readonly about: "content" }>;

/** Collects facts. One that equals another is there once. */
export class FactList<Content> {
  readonly #facts: AskedFact<Content>[] = [];
  readonly #known = new Set<string>();
  readonly #isCommand: boolean;

  /** `isCommand`: arguments without names are a command. */
  constructor(isCommand: boolean) {
    this.#isCommand = isCommand;
  }

  /** Adds a text, unless it is empty. */
  add(about: AskedTextFact["about"], value: string | undefined, isEarlier = false): void {
    if (value !== undefined && value !== "") this.#put({ about, value, isEarlier }, [about, value]);
  }

  /** Adds the arguments of a tool call. */
  addInput(raw: unknown, mayBeCommand: boolean, isEarlier = false): void {
    const { commands, directories, paths, variables, details } = readRawInput(raw, mayBeCommand && this.#isCommand);
    for (const command of commands) this.add("command", command, isEarlier);
    for (const directory of directories) this.add("directory", directory, isEarlier);
    for (const path of paths) this.add("path", path, isEarlier);
    for (const variable of variables) this.#addNamed("variable", variable, isEarlier);
    for (const detail of details) this.#addNamed(isUrl(detail) ? "url" : "argument", detail, isEarlier);
  }

  addContent(content: Content, isEarlier: boolean): void {
    this.#put({ about: "content", content, isEarlier }, ["content", JSON.stringify(content)]);
  }

  /** All facts in the order of their places, of each place the newest first. */
  sorted(): readonly AskedFact<Content>[] {
    return places.flatMap((place) => this.#facts.filter(({ about }) => about === place));
  }

  values(about: AskedTextFact["about"]): readonly string[] {
    return this.#texts(about).map(({ value }) => value);
  }

  named(...about: readonly AskedTextFact["about"][]): readonly ActionDetail[] {
    return this.#texts(...about).map(({ name = "", value }) => ({ name, value }));
  }

  #texts(...about: readonly AskedTextFact["about"][]): readonly AskedTextFact[] {
    return this.#facts.filter((fact): fact is AskedTextFact => fact.about !== "content" && about.includes(fact.about));
  }

  #addNamed(about: "variable" | "argument" | "url", { name, value }: ActionDetail, isEarlier: boolean): void {
    this.#put({ about, name, value, isEarlier }, [about, name, value]);
  }

  #put(fact: AskedFact<Content>, key: readonly string[]): void {
    const text = JSON.stringify(key);
    if (this.#known.has(text)) return;
    this.#known.add(text);
    this.#facts.push(fact);
  }
}

function isUrl({ name, value }: ActionDetail): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//iu.test(value) || /^(?:url|uri|href)$/iu.test(name);
}
