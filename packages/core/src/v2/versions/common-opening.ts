import { ProtocolError } from "../../base/errors.ts";
import { isObject, parseJson } from "../../base/values.ts";
import { createDeferred } from "../../base/promises.ts";
import type { Transport, TransportSink } from "../../transport/transport.ts";

type Version = 1 | 2;
type Message = Readonly<Record<string, unknown>>;

/** One transport for two clients. The client of the version in the agent's answer keeps it. */
export interface CommonOpening {
  /** The transport of each client. The first message on it is `initialize`. */
  readonly ends: Readonly<Record<Version, Transport>>;
  /** Resolves when the answer has arrived, or never. Rejects if its version is neither of the two. */
  readonly decided: Promise<void>;
  readonly version: Version | undefined;
  /** Closes both ends: the opening has failed. */
  giveUp(): void;
}

/**
 * Sends one `initialize` for two clients, with the members of both: an agent reads those of its version, and ignores the
 * others. It asks for version 2; an agent of version 1 answers with its own.
 *
 * Until the answer arrives, the client of version 2 gets everything else, such as stray lines. Then the end of the other
 * client is closed, and what that client does with it has no effect.
 */
export function openInCommon(transport: Transport): CommonOpening {
  const sinks = new Map<Version, TransportSink>();
  const openings = new Map<Version, Message>();
  const decided = createDeferred();
  let version: Version | undefined;
  let active: TransportSink | undefined;

  function endOf(own: Version): Transport {
    const isActive = (): boolean => own === (version ?? 2);
    return {
      start(sink) {
        sinks.set(own, sink);
        if (sinks.size === 2) begin();
      },
      send(text, flush, isStringified) {
        if (openings.has(own)) return isActive() ? transport.send(text, flush, isStringified) : undefined;
        openings.set(own, JSON.parse(text) as Message);
        return openings.size === 2 ? transport.send(JSON.stringify(joined()), flush, true) : undefined;
      },
      pause: () => isActive() && transport.pause(),
      resume: () => isActive() && transport.resume(),
      flush: () => (isActive() ? transport.flush?.() : undefined),
      close: async () => {
        if (isActive()) await transport.close();
      },
    };
  }

  function begin(): void {
    active = sinks.get(2);
    transport.start({
      message: (text) => (version === undefined ? undecided(text) : active?.message(text)),
      issue: (issue) => active?.issue(issue),
      closed(reason) {
        active?.closed(reason);
        if (version === undefined) sinks.get(1)?.closed(reason);
      },
      sendQueueGrew: (waiting) => active?.sendQueueGrew?.(waiting),
    });
  }

  function joined(): Message {
    const [older, newer] = [openings.get(1), openings.get(2)];
    return { ...newer, params: { ...(older?.["params"] as object), ...(newer?.["params"] as object) } };
  }

  /** Reads a message that may be the answer. */
  function undecided(text: string): void {
    const answer = answerTo(openings.get(2)?.["id"], text);
    if (answer === undefined) return active?.message(text);
    const protocolVersion = isObject(answer["result"]) ? answer["result"]["protocolVersion"] : undefined;
    if (typeof protocolVersion === "number" && ![1, 2].includes(protocolVersion)) {
      const reason = `is ${protocolVersion}, but only versions 1 and 2 are spoken here`;
      return decided.resolve(Promise.reject(new ProtocolError("initialize", ["result", "protocolVersion"], reason)));
    }
    version = protocolVersion === 1 ? 1 : 2;
    active = sinks.get(version);
    sinks.get(version === 1 ? 2 : 1)?.closed();
    decided.resolve();
    active?.message(version === 2 ? text : JSON.stringify({ ...answer, id: openings.get(1)?.["id"] }));
  }

  return {
    ends: { 1: endOf(1), 2: endOf(2) },
    decided: decided.promise,
    get version() {
      return version;
    },
    giveUp() {
      for (const sink of sinks.values()) sink.closed();
    },
  };
}

/** The answer to a request, if the text is one. */
function answerTo(id: unknown, text: string): Message | undefined {
  const message = parseJson(text);
  return isObject(message) && id !== undefined && message["id"] === id && message["method"] === undefined
    ? message
    : undefined;
}
