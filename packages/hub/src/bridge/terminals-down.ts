import type * as V2 from "@acp/schema/v2/types";
import { attempt } from "@acp/core/internal";

/** How many terminals are remembered, and how much of the output of each, in characters: the agent decides about both. */
const maxTerminals = 1000;
const maxOutput = 65_536;

type Update = Extract<
  V2.Received.SessionUpdate,
  { readonly sessionUpdate: "terminal_update" | "terminal_output_chunk" }
>;

interface ShownTerminal {
  command: string;
  output: string;
  end: string;
  decoder: TextDecoder;
}

/** The terminals of an agent of version 2, as text: those of version 1 are the client's own. */
export class TerminalsDown {
  readonly #terminals = new Map<string, ShownTerminal>();

  take(update: Update): void {
    const terminal = this.#of(update.terminalId);
    if (update.sessionUpdate === "terminal_output_chunk") return append(terminal, update.data);
    const { command, output, exitStatus } = update;
    if (command !== undefined) terminal.command = command === null ? "" : `$ ${command}\n`;
    if (output !== undefined) {
      terminal.output = "";
      terminal.decoder = new TextDecoder();
      if (output !== null) append(terminal, output.data);
    }
    if (exitStatus !== undefined) terminal.end = exitStatus === null ? "" : describeEnd(exitStatus);
  }

  /** The command, the last part of its output, and how it has ended. */
  readonly textOf = (terminalId: string): string | undefined => {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return undefined;
    const { command, output, end } = terminal;
    return `${command}${output}${end === "" || output === "" || output.endsWith("\n") ? "" : "\n"}${end}`;
  };

  #of(terminalId: string): ShownTerminal {
    const known = this.#terminals.get(terminalId);
    if (known !== undefined) return known;
    const [oldest] = this.#terminals.keys();
    if (this.#terminals.size >= maxTerminals && oldest !== undefined) this.#terminals.delete(oldest);
    const made = { command: "", output: "", end: "", decoder: new TextDecoder() };
    this.#terminals.set(terminalId, made);
    return made;
  }
}

/** Adds bytes in base64. A letter may be cut between two of them. */
function append(terminal: ShownTerminal, data: string): void {
  const bytes = attempt(() => Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));
  if (bytes === undefined) return;
  terminal.output = (terminal.output + terminal.decoder.decode(bytes, { stream: true })).slice(-maxOutput);
}

function describeEnd({ exitCode, signal }: V2.Received.TerminalExitStatus): string {
  if (signal != null) return `(ended by ${signal})\n`;
  return exitCode == null ? "(ended)\n" : `(exit code ${exitCode})\n`;
}
