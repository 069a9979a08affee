const side = 16;
/** The paints that follow the theme of whoever shows the icon. */
const paints = ["currentcolor", "none", "inherit"];

/** What is wrong with an icon of the registry. */
export function iconProblems(svg: string): readonly string[] {
  const [, head = ""] = /<svg\b([^>]*)>/u.exec(svg) ?? [];
  const size = sizeOf(head);
  const painted = [
    ...svg.matchAll(/\b(?:fill|stroke)\s*=\s*["']([^"']+)["']/giu),
    ...svg.matchAll(/\b(?:fill|stroke)\s*:\s*([^;"'}]+)/giu),
  ];
  const colours = [...new Set(painted.map(([, paint = ""]) => paint.trim()))];
  return [
    ...(size === undefined ? ["It has neither width and height nor a viewBox"] : []),
    ...(size !== undefined && size.some((length) => length !== side)
      ? [`It is ${size.join(" by ")}, and not ${side} by ${side}`]
      : []),
    ...colours.filter((paint) => !paints.includes(paint.toLowerCase())).map((paint) => `It paints with ${paint}`),
    ...(/currentcolor/iu.test(svg) ? [] : ["It paints nothing with currentColor"]),
  ];
}

function sizeOf(head: string): readonly number[] | undefined {
  const [width, height] = ["width", "height"].map(
    (name) => new RegExp(String.raw`(?:^|\s)${name}\s*=\s*["'](\d+)`, "u").exec(head)?.[1],
  );
  if (width !== undefined && height !== undefined) return [Number(width), Number(height)];
  const [, box] = /viewBox\s*=\s*["']([^"']+)["']/u.exec(head) ?? [];
  const parts = box
    ?.trim()
    .split(/[\s,]+/u)
    .map(Number);
  return parts?.length === 4 && parts.every(Number.isFinite) ? parts.slice(2) : undefined;
}
