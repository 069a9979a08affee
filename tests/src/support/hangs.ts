/** What has not come after so many milliseconds never will, however busy the machine is. Only failing tests wait as long. */
export const hangs = 240_000;
