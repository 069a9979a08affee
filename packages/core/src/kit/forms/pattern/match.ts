import type { Place, Program } from "./program.ts";
import type { StepBudget } from "./step-budget.ts";

/**
 * Whether a part of the text matches. All the ways through the program are followed at once, character by
 * character, and two that meet are one, so there is nothing to go back to. `undefined` if it takes more steps than are left.
 */
export function runProgram(program: Program, characters: readonly string[], budget: StepBudget): boolean | undefined {
  /** At which position an instruction was last reached. */
  const reached = new Int32Array(program.length + 1).fill(-1);
  let current: number[] = [];
  for (let position = 0; position <= characters.length; position++) {
    // A match may begin anywhere.
    const waiting = [...current, 0];
    const takers: number[] = [];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (reached[index] === position) continue;
      reached[index] = position;
      if (!budget.spend(1)) return undefined;
      const instruction = program[index];
      if (instruction === undefined) return true;
      if (instruction.kind === "take") takers.push(index);
      else if (instruction.kind === "jump") waiting.push(index + instruction.to);
      else if (instruction.kind === "fork") waiting.push(index + instruction.to[0], index + instruction.to[1]);
      else if (isAt(instruction.at, characters, position)) waiting.push(index + 1);
    }
    const character = characters[position];
    if (character === undefined) return false;
    current = takers.filter((index) => {
      const instruction = program[index];
      return instruction?.kind === "take" && instruction.fits(character);
    });
    for (const [at, index] of current.entries()) current[at] = index + 1;
  }
  return false;
}

function isAt(place: Place, characters: readonly string[], position: number): boolean {
  if (place === "start") return position === 0;
  if (place === "end") return position === characters.length;
  const isBoundary = isWord(characters[position - 1]) !== isWord(characters[position]);
  return isBoundary === (place === "boundary");
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/u.test(character);
}
