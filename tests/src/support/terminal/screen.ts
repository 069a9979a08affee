/** What a user sees of the output of a program on a terminal that is high enough for all of it. */
export function screenOf(output: string, columns: number): string {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  const below = (): void => {
    row += 1;
    rows[row] ??= [];
  };
  // eslint-disable-next-line no-control-regex -- They are what is looked for.
  for (const [part, count = "", command = ""] of output.matchAll(/\u001B\[\??([\d;]*)([A-Za-z])|[^]/gu)) {
    const steps = Number(count) || 1;
    if (command === "A") row = Math.max(0, row - steps);
    else if (command === "B") for (let step = 0; step < steps; step += 1) below();
    else if (command === "C") column = Math.min(columns - 1, column + steps);
    else if (command === "D") column = Math.max(0, column - steps);
    else if (command === "G") column = steps - 1;
    else if (command === "K") rows[row]?.splice(column);
    else if (command === "J") rows.splice(row, rows.length, (rows[row] ?? []).slice(0, column));
    else if (part === "\r") column = 0;
    else if (part === "\n") below();
    else if (part === "\t") column = Math.min(columns - 1, (Math.floor(column / 8) + 1) * 8);
    else if (command === "" && part >= " ") {
      // The next row begins with the first character that does not fit.
      if (column === columns) {
        column = 0;
        below();
      }
      const cells = (rows[row] ??= []);
      while (cells.length < column) cells.push(" ");
      cells[column] = part;
      column += 1;
    }
  }
  return rows.map((cells) => cells.join("").trimEnd()).join("\n");
}
