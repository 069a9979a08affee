import { isObject, textIn } from "../values.ts";

interface Terminal {
  text: string;
  readonly decoder: TextDecoder;
  exit: Exit | undefined;
}

/** How a command has ended. */
export interface Exit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/**
 * The terminals that an agent runs itself, with their output. Version 2 has updates for them; in version 1 agents tell of them
 * in the custom data of a tool call.
 */
export class Terminals {
  readonly #terminals = new Map<string, Terminal>();

  /** Adds what an update tells of terminals. Returns the id of the terminal that has changed. */
  add(update: Readonly<Record<string, unknown>>): string | undefined {
    const id = textIn(update, "terminalId");
    switch (update["sessionUpdate"]) {
      case "terminal_output_chunk":
        if (id !== undefined) this.#append(id, textIn(update, "data") ?? "");
        return id;
      case "terminal_update":
        if (id !== undefined) this.#change(id, update);
        return id;
      default:
        return this.#addMeta(update["_meta"], textIn(update, "toolCallId"));
    }
  }

  text(id: string): string {
    return this.#terminals.get(id)?.text ?? "";
  }

  exit(id: string): Exit | undefined {
    return this.#terminals.get(id)?.exit;
  }

  #get(id: string): Terminal {
    const terminal = this.#terminals.get(id) ?? { text: "", decoder: new TextDecoder(), exit: undefined };
    this.#terminals.set(id, terminal);
    return terminal;
  }

  #append(id: string, base64: string): void {
    const terminal = this.#get(id);
    // A character may be split between two chunks.
    terminal.text += terminal.decoder.decode(fromBase64(base64), { stream: true });
  }

  #change(id: string, { output, exitStatus }: Readonly<Record<string, unknown>>): void {
    if (isObject(output)) {
      this.#terminals.delete(id);
      this.#append(id, textIn(output, "data") ?? "");
    }
    if (isObject(exitStatus)) this.#get(id).exit = readExit(exitStatus["exitCode"], exitStatus["signal"]);
  }

  #addMeta(meta: unknown, callId: string | undefined): string | undefined {
    if (!isObject(meta) || callId === undefined) return undefined;
    const { terminal_output: output, terminal_output_delta: delta, terminal_exit: exit } = meta;
    // Both append. An agent that sends the same under both names means it once.
    const chunk = delta ?? output;
    const id = textIn(chunk, "terminal_id") ?? textIn(exit, "terminal_id") ?? callId;
    const data = textIn(chunk, "data");
    if (data !== undefined) this.#get(id).text += data;
    if (isObject(exit)) this.#get(id).exit = readExit(exit["exit_code"], exit["signal"]);
    return data === undefined && !isObject(exit) ? undefined : id;
  }
}

function readExit(code: unknown, signal: unknown): Exit {
  return {
    ...(typeof code === "number" ? { exitCode: code } : {}),
    ...(typeof signal === "string" ? { signal } : {}),
  };
}

function fromBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  } catch {
    return new Uint8Array();
  }
}
