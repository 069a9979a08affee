import { type Cell, effectOf, faultOf } from "../cell.ts";
import { type OpenRequest, padding, type Scene } from "../faults.ts";
import { frame, type RawPeer } from "./raw-peer.ts";

/** What a fault leaves to do: nothing for a peer that is `gone`; the answer, unless it was `answered`. */
export type Aftermath = "goes on" | "answered" | "gone";

/** What this kind of peer can do to its pipes and itself. */
export type Means = Pick<Scene, "stopReading" | "endOutput" | "pause" | "end" | "writeStderr">;

/** Lets the fault of a cell strike, once, when its step has come. */
export class Striker {
  readonly #cell: Cell;
  readonly #peer: RawPeer;
  readonly #means: Means;
  #struck = false;
  /** The session that is open. */
  sessionId: string | undefined;

  constructor(cell: Cell, peer: RawPeer, means: Means) {
    this.#cell = cell;
    this.#peer = peer;
    this.#means = means;
  }

  async at(step: string, open?: OpenRequest): Promise<Aftermath> {
    if (this.#struck || this.#cell.step !== step) return "goes on";
    this.#struck = true;
    const { side, version, framing } = this.#cell;
    const { sessionId } = this;
    const peer = this.#peer;
    const fault = faultOf(this.#cell);
    if (fault.isBytes === true) peer.hold();
    const scene = { ...this.#means, peer, side, version, framing, open, sessionId, asked: peer.asked };
    const how = await fault.strike(scene);
    if (effectOf(this.#cell) === "end") return "gone";
    // Of what follows broken bytes some may be lost with them: these here.
    for (let index = 0; index < 3; index++) peer.write(frame(framing, padding));
    peer.release();
    return how ?? "goes on";
  }
}
