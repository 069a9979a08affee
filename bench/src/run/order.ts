import type { Work } from "../workload/scenario.ts";

/** What a client program is told to do. */
export interface Order {
  /** The command line of the agent. */
  readonly agent: readonly string[];
  readonly work: Work;
  readonly inProcess: boolean;
}

/** What it found. */
export interface Measurement {
  readonly milliseconds: number;
  /** The most memory that the client's process held, in bytes; the same of the agent's. */
  readonly clientPeak: number;
  readonly agentPeak: number;
}

/** What a reading program is told to do. */
export interface ReadingOrder {
  readonly agent: readonly string[];
  readonly count: number;
}

/** What it found. */
export interface ReadingMeasurement {
  /** From when all was there until all was read. */
  readonly milliseconds: number;
  /** The most memory of the process that read, in bytes. */
  readonly peak: number;
}

/** What a client finds that falls asleep while it is sent updates. */
export interface SleepMeasurement {
  /** The most memory of each side, in bytes. */
  readonly agentPeak: number;
  readonly clientPeak: number;
}
