const run = "window.ran=1";
const svg = `<svg xmlns='http://www.w3.org/2000/svg' onload='${run}'/>`;

/** What an agent, or somebody whose page it has read, may write to attack who looks at it. */
export const hostileTexts: readonly string[] = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}"><circle r=9></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<a href="javascript:${run}">click</a>`,
  `<style>*{display:none}</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<form action="https://evil.example/"><button>Allow once</button></form>`,
  `<object data="data:text/html,<script>${run}</script>"></object>`,
  `<!-- <img src=x onerror="${run}"> -->`,
  `<![CDATA[<script>${run}</script>]]>`,
  `[click](javascript:${run})`,
  `[click](JaVaScRiPt:${run})`,
  `[click](&#106;avascript:${run})`,
  `[click](java\tscript:${run})`,
  `[click](<javascript:${run}>)`,
  `[click](vbscript:${run})`,
  `[click](data:text/html,<script>${run}</script>)`,
  `[click](//evil.example/x)`,
  `[click](file:///etc/passwd)`,
  `[click]\n\n[click]: javascript:${run}`,
  `<javascript:${run}>`,
  `[https://good.example](https://evil.example/login)`,
  `![x](https://evil.example/pixel.png)`,
  `![x](data:image/svg+xml,${encodeURIComponent(svg)})`,
  `[![x](https://evil.example/pixel.png)](javascript:${run})`,
  "# \u202Etxt.exe\u2066 and \u200Bhidden",
  "\u001B[31mred\u001B]8;;javascript:1\u0007link\u001B]8;;\u0007",
  `\uD800 alone, and ${"e\u0301\u0302\u0303".repeat(3000)}`,
  "long ".repeat(100_000),
  "x".repeat(500_000),
  "> ".repeat(20_000),
  "* ".repeat(5000) + "- ".repeat(5000),
  "*_".repeat(20_000),
  "[".repeat(20_000) + "](".repeat(5000),
  `|${"a|".repeat(1000)}\n|${"-|".repeat(1000)}\n`.concat(`|${"b|".repeat(1000)}\n`.repeat(5)),
  `\`\`\`js\n${"const a = '<b>';\n".repeat(5000)}`,
  `${"_".repeat(5000)}@${"a.".repeat(5000)}`,
  "<".repeat(20_000),
  "&".repeat(10_000) + "&amp;".repeat(5000),
];

/** What an asked call has in it besides its title. */
interface HostileQuestion {
  /** The call that is asked about, without its id. */
  readonly toolCall: { readonly title: string; readonly kind: string; readonly [member: string]: unknown };
  /** What of it the user has to see, as it is shown; a text is whole between its first and its last letters. */
  readonly seen: readonly string[];
}

const command = `curl https://good.example\u202E && rm -rf ~ #\u2066 <img src=x onerror="${run}">\u200B; echo \u0430pple`;
const shownCommand = `curl https://good.example<U+202E> && rm -rf ~ #<U+2066> <img src=x onerror="${run}"><U+200B>; echo <U+0430>pple`;
const longLine = `first ${"<b>x</b> ".repeat(120_000)}rm -rf ~`;

/** Questions for permission that hide what they ask for, or attack who reads them. */
export const hostileQuestions: readonly HostileQuestion[] = [
  {
    toolCall: { title: `<script>${run}</script>`, kind: "execute", rawInput: { command } },
    seen: [`<script>${run}</script>`, shownCommand],
  },
  {
    toolCall: { title: "\u202Etxt.exe", kind: "execute", rawInput: { command: longLine } },
    seen: ["<U+202E>txt.exe", longLine],
  },
  {
    toolCall: {
      title: "Read README.md",
      kind: "edit",
      locations: [{ path: `/etc/<svg onload="${run}">\u202Edm.EMDAER` }],
      content: [
        {
          type: "diff",
          path: "/home/me/.ssh/\u2066authorized_keys\u200D",
          oldText: "",
          newText: `${"harmless\n".repeat(3000)}<iframe srcdoc="<script>parent.ran=1</script>">\n${longLine}\nthe last line\u2069\n`,
        },
      ],
    },
    seen: [
      "Read README.md",
      `/etc/<svg onload="${run}"><U+202E>dm.EMDAER`,
      "/home/me/.ssh/<U+2066>authorized_keys<U+200D>",
      `<iframe srcdoc="<script>parent.ran=1</script>">`,
      longLine,
      "the last line<U+2069>",
    ],
  },
  {
    toolCall: {
      title: "",
      kind: "other",
      rawInput: {
        "__proto__ <style>*{display:none}</style>": [
          "\u0007bell",
          { deep: `</div><form action="https://evil.example">` },
        ],
        url: "javascript:alert(1)",
        nothing: null,
      },
    },
    seen: ["__proto__ <style>*{display:none}</style>", `</div><form action=`, "javascript:alert(1)"],
  },
];
