import { describe, expect, test } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { confinePath } from "./confine-path.ts";

const table = fileTable({
  directories: ["/", "/work", "/work/app", "/work/app/src", "/etc", "/work/other"],
  files: { "/work/app/a.txt": "", "/etc/passwd": "" },
  links: {
    "/work/app/out": "/etc",
    "/work/app/in": "/work/app/src",
    "/work/app/nowhere": "/etc/cron.d/new",
    "/link": "/work/app",
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
    files: table.files,
    ...changes,
  };
}

const posix = on({});

describe("confinePath()", () => {
  test.each([
    ["/work/app/a.txt", "/work/app/a.txt"],
    ["/work/app", "/work/app"],
    ["/work/app/../app/./a.txt", "/work/app/a.txt"],
    ["/work/app/in/b.txt", "/work/app/src/b.txt"],
    ["/work/app/new/deep/file", "/work/app/new/deep/file"],
    ["/link/a.txt", "/work/app/a.txt"],
  ])("FS-08: lets %s pass", async (path, realPath) => {
    expect((await confinePath(posix, ["/work/app"], path)).realPath).toBe(realPath);
  });

  test("FS-08: follows links of the roots", async () => {
    expect((await confinePath(posix, ["/link"], "/work/app/a.txt")).realPath).toBe("/work/app/a.txt");
  });

  test.each([
    "/etc/passwd",
    "/work",
    "/work/apple",
    "/work/app/../other/x",
    "/work/app/out/passwd",
    "/work/app/out/new/file",
    "/work/app/nowhere",
    "/work/app/nowhere/deeper",
  ])("FS-08: refuses %s", async (path) => {
    await expect(confinePath(posix, ["/work/app"], path)).rejects.toMatchObject({
      wire: { code: -32602, data: { path, reason: "outside_roots" } },
    });
  });

  test("FS-08: refuses everything when there are no roots", async () => {
    await expect(confinePath(posix, [], "/work/app/a.txt")).rejects.toMatchObject({
      wire: { data: { reason: "outside_roots" } },
    });
  });

  test.each(["a.txt", "", "/work/app/a\0.txt"])("FS-07: refuses %j", async (path) => {
    await expect(confinePath(posix, ["/work/app"], path)).rejects.toMatchObject({
      wire: { code: -32602, data: { reason: "invalid_path" } },
    });
  });

  test("takes no notice of case where the platform does not", async () => {
    const mac = on({ caseInsensitivePaths: true });
    expect((await confinePath(mac, ["/WORK/app"], "/work/App/new")).realPath).toBe("/work/App/new");
    await expect(confinePath(posix, ["/WORK/app"], "/work/app/new")).rejects.toThrow("Outside");
  });

  test("refuses names that are no files on Windows", async () => {
    const windows = on({ platform: "windows", caseInsensitivePaths: true, files: fileTable({}).files });
    await expect(confinePath(windows, ["C:\\a"], "C:\\a\\x.txt:y")).rejects.toMatchObject({
      wire: { data: { reason: "invalid_path" } },
    });
    expect((await confinePath(windows, ["C:\\a"], "c:/A/x.txt")).realPath).toBe("c:\\A\\x.txt");
  });
});
