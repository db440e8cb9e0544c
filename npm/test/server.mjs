/** A real server on this machine with scripted responses, which records requests. */

import { createServer } from "node:http";

/**
 * Serves the responses of a script, one for each request; the last one is repeated. A response is `{status, headers, body}`,
 * `"reset"` to reset the connection, or `"hang"` to never respond.
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

/** Runs a test with a server. */
export async function served(script, use) {
  const server = await serve(...script);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
