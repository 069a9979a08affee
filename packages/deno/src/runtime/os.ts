/** The name of the operating system; empty on another runtime, which is refused on its first use. */
export const os: string = "Deno" in globalThis ? Deno.build.os : "";
