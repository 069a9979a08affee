import type { Diagnostic } from "@acp/core";
import { createRedactor } from "@acp/record";

import type { SpawnAgentOptions } from "#runtime";
import { printableLine } from "@acp/render/text";

const stderrLimit = 20;
const remarkLimit = 20;

/** Diagnostics that say what the report says in another place. */
const reportedElsewhere: ReadonlySet<Diagnostic["type"]> = new Set(["noise", "closed", "handler-failed"]);

/** What can be seen of an agent from outside while it runs. */
export class ObservedAgent {
  /** When it was asked to start, and when the first message was sent, and answered, as `performance.now()`. */
  readonly asked: number = performance.now();
  firstSent: number | undefined;
  firstReceived: number | undefined;
  /** The first text on its stdout that was no message. */
  noise: string | undefined;
  isHeard = false;
  /** What it sent as its answer to `initialize`. */
  initialized: Readonly<Record<string, unknown>> | undefined;
  readonly stderr: string[] = [];
  /** Where it differs from the protocol. */
  readonly remarks: Set<string> = new Set();
  readonly #redact: (line: string) => string;

  constructor(withSecrets: boolean) {
    const redactor = withSecrets ? undefined : createRedactor();
    this.#redact = (line) => redactor?.line("stderr", line) ?? line;
  }

  get listeners(): Required<Pick<SpawnAgentOptions, "onStderr" | "onDiagnostic" | "onTraffic">> {
    return {
      onStderr: (line) => {
        this.stderr.push(printableLine(this.#redact(line)));
        if (this.stderr.length > stderrLimit) this.stderr.shift();
      },
      onDiagnostic: (diagnostic) => this.#note(diagnostic),
      onTraffic: (direction, text) => {
        if (direction === "sent") this.firstSent ??= performance.now();
        else {
          this.isHeard = true;
          this.#receive(text);
        }
      },
    };
  }

  #note(diagnostic: Diagnostic): void {
    if (diagnostic.type === "noise") this.noise ??= diagnostic.received;
    if (diagnostic.level === "info" || reportedElsewhere.has(diagnostic.type)) return;
    if (this.remarks.size < remarkLimit) this.remarks.add(printableLine(this.#redact(diagnostic.message)));
  }

  #receive(text: string): void {
    if (this.initialized !== undefined) return;
    try {
      const { result } = JSON.parse(text) as { readonly result?: unknown };
      if (typeof result !== "object" || result === null || !("protocolVersion" in result)) return;
      this.initialized = { ...result };
      this.firstReceived = performance.now();
    } catch {
      // The connection reports what is no message.
    }
  }
}
