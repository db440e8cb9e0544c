// Transpiles the component to a JavaScript module in `engine/`.

import { transpile, writeFiles } from "@bytecodealliance/jco-transpile";

const { files } = await transpile(process.argv[2], { outDir: "engine" });
await writeFiles(files);
