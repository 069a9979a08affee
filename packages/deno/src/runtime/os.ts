/** The name of the operating system. On another runtime none: that is refused once it is to do something. */
export const os: string = "Deno" in globalThis ? Deno.build.os : "";
