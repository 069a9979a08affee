/** How many steps one pattern, or all those of a form, may take: some tenths of a second. */
const stepLimit = 2_000_000;

/** What is left of the steps that reading and matching patterns may take together. */
export class StepBudget {
  #left = stepLimit;

  /** Takes so many, if there are so many left; says whether there were. */
  spend(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}
