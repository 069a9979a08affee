import { describe, expect, test } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { confinePath } from "./confine-path.ts";

const table = fileTable({
  directories: ["/", "/project", "/project/app", "/project/app/src", "/etc", "/project/other"],
  files: { "/project/app/a.txt": "", "/etc/passwd": "" },
  links: {
    "/project/app/out": "/etc",
    "/project/app/in": "/project/app/src",
    "/project/app/nowhere": "/etc/cron.d/new",
    "/link": "/project/app",
  },
});

function on(changes: Partial<Runtime>): Runtime {
  const none = (): never => {
    throw new Error("Not used");
  };
  return {
    platform: "posix",
    caseInsensitivePaths: false,
    environment: none,
    spawn: none,
    startInForeground: none,
    files: table.files,
    ...changes,
  };
}

const posix = on({});

describe("confinePath()", () => {
  test.each([
    ["/project/app/a.txt", "/project/app/a.txt"],
    ["/project/app", "/project/app"],
    ["/project/app/../app/./a.txt", "/project/app/a.txt"],
    ["/project/app/in/b.txt", "/project/app/src/b.txt"],
    ["/project/app/new/deep/file", "/project/app/new/deep/file"],
    ["/link/a.txt", "/project/app/a.txt"],
  ])("FS-08: lets %s pass", async (path, realPath) => {
    expect((await confinePath(posix, ["/project/app"], path)).realPath).toBe(realPath);
  });

  test("FS-08: follows links of the roots", async () => {
    expect((await confinePath(posix, ["/link"], "/project/app/a.txt")).realPath).toBe("/project/app/a.txt");
  });

  test.each([
    "/etc/passwd",
    "/project",
    "/project/apple",
    "/project/app/../other/x",
    "/project/app/out/passwd",
    "/project/app/out/new/file",
    "/project/app/nowhere",
    "/project/app/nowhere/deeper",
  ])("FS-08: refuses %s", async (path) => {
    await expect(confinePath(posix, ["/project/app"], path)).rejects.toMatchObject({
      wire: { code: -32602, data: { path, reason: "outside_roots" } },
    });
  });

  test("FS-08: refuses everything without roots", async () => {
    await expect(confinePath(posix, [], "/project/app/a.txt")).rejects.toMatchObject({
      wire: { data: { reason: "outside_roots" } },
    });
  });

  test.each(["a.txt", "", "/project/app/a\0.txt"])("FS-07/client: refuses %j", async (path) => {
    await expect(confinePath(posix, ["/project/app"], path)).rejects.toMatchObject({
      wire: { code: -32602, data: { reason: "invalid_path" } },
    });
  });

  test("takes no notice of case where the platform does not", async () => {
    const mac = on({ caseInsensitivePaths: true });
    expect((await confinePath(mac, ["/PROJECT/app"], "/project/App/new")).realPath).toBe("/project/App/new");
    await expect(confinePath(posix, ["/PROJECT/app"], "/project/app/new")).rejects.toThrow("Outside");
  });

  test("refuses names that are not files on Windows", async () => {
    const windows = on({ platform: "windows", caseInsensitivePaths: true, files: fileTable({}).files });
    await expect(confinePath(windows, ["C:\\a"], "C:\\a\\x.txt:y")).rejects.toMatchObject({
      wire: { data: { reason: "invalid_path" } },
    });
    expect((await confinePath(windows, ["C:\\a"], "c:/A/x.txt")).realPath).toBe("c:\\A\\x.txt");
  });

  test("never contacts a Windows server outside all roots: the server would learn who the user is", async () => {
    const { files } = fileTable({});
    const asked: string[] = [];
    const realPath = (path: string): Promise<string> => {
      asked.push(path);
      return files.realPath(path);
    };
    const windows = on({ platform: "windows", caseInsensitivePaths: true, files: { ...files, realPath } });
    for (const path of ["\\\\server\\share\\a.txt", "//server/share/a.txt"]) {
      await expect(confinePath(windows, ["C:\\a"], path)).rejects.toMatchObject({
        wire: { data: { reason: "outside_roots" } },
      });
    }
    expect(asked.filter((path) => !path.startsWith("C:\\"))).toEqual([]);
    const roots = [String.raw`\\server\share`];
    expect((await confinePath(windows, roots, "//SERVER/share/a.txt")).realPath).toBe(String.raw`\\SERVER\share\a.txt`);
  });
});
