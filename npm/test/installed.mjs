/** The folder of the installed package, and the internal module that the package has loaded. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
export const inner = () => import(pathToFileURL(join(folder, "dist/inner.js")).href);
