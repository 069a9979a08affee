/**
 * What a session shows, as lines of spans with formats: tool calls, questions, changes, plans, Markdown and the output of
 * commands. A terminal, a page and a log draw the same lines.
 *
 * @module
 */
export { type CallEnd, describeExit, endOf } from "./call/call-end.ts";
export { type CallPart, callParts, type DrawnCall } from "./call/call-parts.ts";
export { endLine, headingLine, placesOf, titleLine } from "./call/call.ts";
export { describeContent } from "./call/describe-content.ts";
export { type FollowedTerminal, type TerminalState, TerminalTail } from "./call/terminal-tail.ts";
export { type DiffLine, diffLines } from "./diff/diff-lines.ts";
export type { DiffPlace } from "./diff/diff-place.ts";
export { diffRows } from "./diff/diff.ts";
export { loadHighlighter } from "./markdown/highlight.ts";
export { type DrawnMarkdown, MarkdownStream } from "./markdown/markdown-stream.ts";
export { entryLine, planLines, planProgress } from "./plan.ts";
export { answerOf, kindOf, nameOf } from "./question/option-words.ts";
export {
  type AskedAction,
  type PermissionOption,
  type PermissionQuestion,
  type QuestionFact,
  withShownContent,
} from "./question/permission-question.ts";
export type {
  Choice,
  Command,
  ContentBlock,
  PlanEntry,
  Report,
  SessionOption,
  ShownCall,
  ShownChunks,
  ShownContent,
  ShownDiff,
  ShownItem,
  ShownOutput,
  ShownSession,
  ShownTimeline,
  Speaker,
  TerminalExit,
  TerminalReport,
  Usage,
} from "./shown.ts";
export { clippedLines, type ClipLimits } from "./text/clip.ts";
export type { Format } from "./text/format.ts";
export { remember } from "./text/remember.ts";
export {
  fillSpans,
  indent,
  judgedSpans,
  type Line,
  lineFrom,
  lineWidth,
  span,
  type Span,
  textOf,
  truncate,
  withoutTabs,
  wrapSpans,
} from "./text/spans.ts";
export { terminalLines } from "./text/terminal-lines.ts";
export { characterWidth, charactersOf, textWidth } from "./text/text-width.ts";
export { judgedRows, type Tone, tones } from "./text/tones.ts";
export { WordWrap, wrapWords } from "./text/word-wrap.ts";
export {
  describeDuration,
  describeElapsed,
  describeUsage,
  firstLine,
  noticeText,
  type StartedAgent,
  timeAgo,
} from "./words.ts";
