/** How many pictures go with a prompt, and how large they may be together, in bytes: a message has a limit. */
const limits = { count: 10, bytes: 8 * 1024 * 1024 };
const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** A picture that goes along with a prompt. */
export interface Picture {
  readonly name: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** Reads pictures that the user has pasted or dropped, and says which ones cannot go along. */
export async function readPictures(
  files: Iterable<File>,
  known: readonly Picture[],
): Promise<{ readonly pictures: readonly Picture[]; readonly problem: string }> {
  const pictures = [...known];
  let problem = "";
  let bytes = known.reduce((sum, { data }) => sum + (data.length * 3) / 4, 0);
  for (const file of files) {
    if (!types.has(file.type)) problem = `${file.name} is no PNG, JPEG, GIF or WebP picture`;
    else if (pictures.length >= limits.count) problem = `A prompt takes ${limits.count} pictures`;
    else if (bytes + file.size > limits.bytes)
      problem = `The pictures of a prompt may have ${limits.bytes / 1024 / 1024} MB together: ${file.name} is too large`;
    else {
      bytes += file.size;
      pictures.push({ name: file.name, mimeType: file.type, data: await base64Of(file) });
    }
  }
  return { pictures, problem };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : "";
      resolve(url.slice(url.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read")));
    reader.readAsDataURL(file);
  });
}
