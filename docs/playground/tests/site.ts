/** Serves the built page with gzip, and counts what it sends. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};
const HOST = "127.0.0.1";

export class Site {
  /** The paths that were requested, and the number of bytes of each answer. */
  readonly sent: { readonly path: string; readonly bytes: number }[] = [];
  /** The address of the page. */
  url = "";
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(folder: string): Promise<Site> {
    const server = createServer((request, response) => {
      const path = normalize(new URL(request.url ?? "/", "http://site").pathname);
      void readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path)).then(
        (content) => {
          const body = gzipSync(content, { level: 9 });
          site.sent.push({ path, bytes: body.length });
          const type = TYPES[extname(path)] ?? "text/html; charset=utf-8";
          response.writeHead(200, { "content-type": type, "content-encoding": "gzip", "content-length": body.length }).end(body);
        },
        () => response.writeHead(404).end(),
      );
    });
    const site = new Site(server);
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    site.url = `http://${HOST}:${(server.address() as AddressInfo).port}/`;
    return site;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
