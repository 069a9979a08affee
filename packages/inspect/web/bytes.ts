import { button, element } from "./dom.ts";

/** How many bytes are shown at once. */
const page = 4_096;

/** The bytes of a message: where they are, in hexadecimal, and as text. */
export function bytesOf(text: string): HTMLElement {
  const all = new TextEncoder().encode(text);
  const made = element("pre", { class: "bytes" });
  let shown = 0;
  const add = (): void => {
    const rows: string[] = [];
    for (const end = Math.min(all.length, shown + page); shown < end; shown += 16)
      rows.push(rowOf(shown, all.subarray(shown, Math.min(shown + 16, all.length))));
    made.append(`${rows.join("\n")}\n`);
    if (shown >= all.length) return;
    const more = button(`${(all.length - shown).toLocaleString("en")} more bytes`, () => {
      more.remove();
      add();
    });
    made.append(more);
  };
  add();
  return made;
}

function rowOf(start: number, row: Uint8Array): string {
  const hexadecimal = [...row].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const text = [...row].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
  return `${start.toString(16).padStart(8, "0")}  ${hexadecimal.padEnd(47)}  ${text}`;
}
