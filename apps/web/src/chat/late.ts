// What draws texts: it comes after the rest, in one file.
export { Markdown } from "./markdown.tsx";
export { Terminal } from "./terminal.tsx";
