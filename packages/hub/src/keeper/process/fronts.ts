import type { Duplex } from "node:stream";
import { RequestError } from "@acp/core";

import { createDeferred, type Deferred } from "../../deferred.ts";
import { type AnswerExtension, firstAnswer, noSuchMethod } from "../../extensions.ts";
import { onJsonLines, sendLine } from "../../local/json-lines.ts";
import { fromWireError } from "../../wire-error.ts";
import type { Keeper } from "../keeper.ts";
import type { FromKeeper, ToKeeper } from "./wire.ts";

/** A front of a keeper. */
interface Front {
  /** How many clients it has. */
  attached: number;
  /** The requests that it has not answered. */
  readonly asked: Map<number, Deferred<unknown>>;
}

/** The fronts of a keeper, each at a socket. */
export class Fronts {
  readonly #fronts = new Map<Duplex, Front>();
  #count = 0;

  add(socket: Duplex, keeper: Keeper): void {
    const front: Front = { attached: 0, asked: new Map() };
    this.#fronts.set(socket, front);
    const count = (): void =>
      keeper.setAttached([...this.#fronts.values()].reduce((sum, { attached }) => sum + attached, 0));
    socket.on("close", () => {
      this.#fronts.delete(socket);
      for (const answer of front.asked.values()) answer.reject(noSuchMethod(""));
      count();
    });
    onJsonLines(socket, (value) => {
      const message = value as ToKeeper;
      if (message.type === "wake") keeper.wake();
      else if (message.type === "close") void keeper.close();
      else if (message.type === "answer") {
        const { id, error, result } = message;
        if (error === undefined) front.asked.get(id)?.resolve(result);
        else front.asked.get(id)?.reject(fromWireError(error, "remote"));
      } else {
        front.attached = message.count;
        count();
      }
    });
  }

  /** There are new entries. */
  tell(): void {
    for (const socket of this.#fronts.keys()) sendLine(socket, { type: "stored" } satisfies FromKeeper);
  }

  /** Has the first front answer that has a client for it. */
  readonly ask: AnswerExtension = (request, signal) =>
    firstAnswer(
      request.method,
      [...this.#fronts].map(([socket, front]) => async () => {
        const id = ++this.#count;
        const answer = createDeferred<unknown>();
        const withdraw = (): void => {
          sendLine(socket, { type: "withdraw", id } satisfies FromKeeper);
          answer.reject(signal.reason);
        };
        if (!this.#fronts.has(socket)) throw noSuchMethod(request.method);
        front.asked.set(id, answer);
        signal.addEventListener("abort", withdraw, { once: true });
        try {
          signal.throwIfAborted();
          if (!sendLine(socket, { type: "request", id, request } satisfies FromKeeper))
            throw RequestError.invalidParams("The request is too large for the hub");
          return await answer.promise;
        } finally {
          front.asked.delete(id);
          signal.removeEventListener("abort", withdraw);
        }
      }),
    );
}
