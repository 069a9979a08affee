import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type DefaultTheme } from "vitepress";
import { slug } from "github-slugger";

import { repositoryUrl, root } from "../links.ts";
import { describePage, writeTexts } from "../llms.ts";
import { linkRepository } from "../markdown.ts";
import { pageOf } from "../pages.ts";
import { isSearched, miniSearch, searchedPart } from "../search.ts";
import { allSections } from "../api-groups.ts";
import { type Group } from "../sidebar.ts";

/** Where the site is below its host: `/`, or `/acp/`. */
const base = process.env["SITE_BASE"] ?? "/";

const files = globSync(
  "{*.md,{docs,packages,apps,codegen,examples,skills,schema,tests,action,bench,api,site}/**/*.md}",
  {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.vitepress)$/u.test(typeof name === "string" ? name : ""),
  },
).map((file) => file.replaceAll("\\", "/"));

const link = (file: string): string =>
  `/${pageOf(file)
    ?.replace(/\.md$/u, "")
    .replace(/(^|\/)index$/u, "$1")}`;

function asItem({ text, items, collapsed }: Group): DefaultTheme.SidebarItem {
  const entries = items.map((item) => ({ text: item.text, link: link(item.file) }));
  return collapsed === undefined ? { text, items: entries } : { text, items: entries, collapsed };
}

const sections = allSections();
const sidebar = Object.fromEntries(sections.map(({ path, groups }) => [`/${path}`, groups.map(asItem)]));

/** Pages are above the folder of the site, where no Vue is installed: on the server it comes from here. */
const vueOfTheSite = {
  name: "vue-of-the-site",
  enforce: "pre" as const,
  resolveId: (id: string, _importer: unknown, { ssr }: { readonly ssr?: boolean }) =>
    ssr === true && /^vue(?:\/server-renderer)?$/u.test(id) ? { id, external: true } : undefined,
};

export default defineConfig({
  title: "ACP toolkit",
  description: "Agents and clients of the Agent Client Protocol in TypeScript, on Node.js, Deno, Bun and in browsers.",
  lang: "en",
  base,
  srcDir: "..",
  outDir: "./dist",
  srcExclude: files.filter((file) => pageOf(file) === undefined),
  rewrites: (file) => pageOf(file) ?? file,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }]],
  metaChunk: true,
  markdown: {
    anchor: { slugify: slug },
    config: linkRepository,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  vite: {
    publicDir: fileURLToPath(new URL("../public", import.meta.url)),
    build: { chunkSizeWarningLimit: 4000 },
    plugins: [vueOfTheSite],
  },
  themeConfig: {
    siteTitle: "ACP toolkit",
    logo: { src: "/favicon.svg", alt: "", width: 24, height: 24 },
    nav: [
      { text: "Guide", link: "/guide/introduction", activeMatch: "^/guide/" },
      { text: "Protocol", link: "/protocol/v1/", activeMatch: "^/protocol/" },
      { text: "Packages", link: "/packages/core", activeMatch: "^/packages/" },
      { text: "Project", link: "/project/conformance", activeMatch: "^/project/" },
      { text: "Playground", link: "/playground" },
    ],
    sidebar,
    outline: { level: [2, 3] },
    socialLinks: [{ icon: "github", link: repositoryUrl, ariaLabel: "The repository" }],
    search: {
      provider: "local",
      options: {
        miniSearch,
        // A string: VitePress takes nothing for a page that it must not find.
        _render: (source, env, md) => {
          const page = pageOf(env.path.slice(root.length)) ?? "";
          return isSearched(page) ? md.render(searchedPart(page, source), env) : "";
        },
      },
    },
    footer: { message: "Apache-2.0" },
  },
  transformPageData: (page) => {
    const written: unknown = page.frontmatter["description"];
    if (typeof written === "string" || page.frontmatter["layout"] === "home") return undefined;
    const description = describePage(readFileSync(root + page.filePath, "utf8")).replaceAll("`", "");
    return description === "" ? undefined : { description };
  },
  buildEnd: ({ outDir }) => writeTexts(outDir, base, files, sections),
});
