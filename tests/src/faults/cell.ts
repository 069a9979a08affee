/** The matrix: which fault strikes at which step of a session, on which side, and how it is framed. */
import { type Effect, type Fault, faults } from "./faults.ts";
import { type FramingName, type Side, type Step, steps, type Version } from "./steps.ts";

/** One session with one fault. */
export interface Cell {
  readonly side: Side;
  readonly version: Version;
  readonly framing: FramingName;
  readonly step: string;
  readonly fault: string;
}

const sides: readonly Side[] = ["client", "agent"];
const versions: readonly Version[] = [1, 2];
const framings: readonly FramingName[] = ["ndjson", "content-length"];

/** Every cell in which the fault can happen. */
export const allCells: readonly Cell[] = sides.flatMap((side) =>
  faults.flatMap((fault) =>
    steps.flatMap((step) =>
      versions.flatMap((version) =>
        framings
          .filter((framing) => isPossible(fault, step, { side, version, framing }))
          .map((framing) => ({ side, version, framing, step: step.name, fault: fault.name })),
      ),
    ),
  ),
);

/**
 * The cells that run by default. Faults of bytes meet both framings in both versions; others meet each framing and each
 * version, in two of the four pairs, which change from step to step and from fault to fault.
 */
export const cells: readonly Cell[] = allCells.filter((cell) => {
  const { isBytes = false, only } = faultOf(cell);
  if (isBytes || only?.framing !== undefined) return true;
  const parity = faults.indexOf(faultOf(cell)) + steps.indexOf(stepOf(cell));
  return (parity + cell.version + framings.indexOf(cell.framing)) % 2 === 0;
});

function isPossible(
  { only = {} }: Fault,
  { name, open }: Step,
  { side, version, framing }: Pick<Cell, "side" | "version" | "framing">,
): boolean {
  if (only.side !== undefined && only.side !== side) return false;
  if (only.framing !== undefined && only.framing !== framing) return false;
  if (only.notAt?.[side]?.includes(name) === true) return false;
  return only.isAnswer !== true || open[side](version);
}

export function stepOf({ step }: Cell): Step {
  return find(steps, step);
}

export function faultOf({ fault }: Cell): Fault {
  return find(faults, fault);
}

/** What the fault costs in this cell. */
export function effectOf(cell: Cell): Effect {
  const { effect } = faultOf(cell);
  return typeof effect === "string" ? effect : effect[cell.side];
}

export function nameOf({ side, version, framing, step, fault }: Cell): string {
  return `${side}, version ${version}, ${framing}: ${fault}, ${step}`;
}

function find<T extends { readonly name: string }>(list: readonly T[], wanted: string): T {
  const found = list.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new Error(`There is no "${wanted}". There are: ${list.map(({ name }) => name).join(", ")}`);
  return found;
}
