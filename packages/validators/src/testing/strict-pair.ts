import { createMemoryTransportPair, type Diagnostic, type MessageValidator, type Transport } from "@acp/core";

type Message = Record<string, unknown>;

/** One side of a connection behind a validator, driven by hand from both ends. */
export interface StrictSide {
  /** What the side would send. Throws what its validator throws. */
  send(message: object): void;
  /** What the peer sends. */
  receive(message: object): Promise<void>;
  /** The same as text. */
  receiveText(text: string): Promise<void>;
  /** What was let through to the side. */
  readonly delivered: readonly Message[];
  /** What came out to the peer. */
  readonly sent: () => Promise<readonly Message[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A side of the given role, over real transports. */
export function createStrictSide(validate: MessageValidator, role: "agent" | "client"): StrictSide {
  const [own, theirs] = createMemoryTransportPair();
  const diagnostics: Diagnostic[] = [];
  const delivered: Message[] = [];
  const sent: Message[] = [];
  const strict = validate(own, { role, report: (diagnostic) => diagnostics.push(diagnostic) });
  collect(strict, delivered);
  collect(theirs, sent);
  const receiveText = (text: string): Promise<void> => {
    void theirs.send(text, "soon");
    return settled();
  };
  return {
    send: (message) => void strict.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon"),
    receive: (message) => receiveText(JSON.stringify({ jsonrpc: "2.0", ...message })),
    receiveText,
    delivered,
    sent: async () => {
      await settled();
      return sent;
    },
    diagnostics,
  };
}

function collect(transport: Transport, into: Message[]): void {
  transport.start({ message: (text) => into.push(JSON.parse(text) as Message), issue: () => {}, closed: () => {} });
}

/** Until what is under way has arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
