/** A real server on this machine that answers by a script, and notes what it is asked. */

import { createServer } from "node:http";

/**
 * Serves the answers of a script, one for each request, the last for all that follow: `{status, headers, body}`, `"reset"` for a
 * connection that is cut, `"hang"` for no answer at all.
 */
export async function serve(...script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const body = [];
    for await (const chunk of request) body.push(chunk);
    requests.push({ method: request.method, headers: request.headers, body: Buffer.concat(body) });
    const answer = script[Math.min(requests.length, script.length) - 1];
    if (answer === "reset") return request.socket.resetAndDestroy();
    if (answer === "hang") return undefined;
    const { status = 200, headers = {}, body: content = {} } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    return response.end(JSON.stringify(content));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, close, [Symbol.asyncDispose]: close };
}

/** Runs a test beside a server. */
export async function served(script, use) {
  const server = await serve(...script);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
