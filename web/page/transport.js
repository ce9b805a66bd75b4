// The way to the server, HTTP. A page without a server has another file in the place of this one, see web/site.

// The token that a server beyond this machine asks for is in the address: /?token=….
const token = new URLSearchParams(location.search).get('token');

// A browser has six connections to a server for all its pages. So at most five pages have a stream, those that were used
// last; a page gives its stream up when five others have been used since, and has one again when it is looked at.
export const mostStreams = 5;

// send sends a request and returns the answer, and whether it is ok. Without a body, which is text or bytes, it is a GET.
// It throws an error if the server cannot be reached, or its answer breaks off.
/** @param {string} path @param {BodyInit | null} [body] @param {RequestInit} [options] */
export async function send(path, body, options) {
  const headers = /** @type {Record<string, string>} */ ({});
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers['Content-Type'] = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
  const response = await fetch(path, { method: body ? 'POST' : 'GET', headers, body, ...options });
  const answer = await response.json().catch(e => {
    if (response.ok) throw e;
    return { error: `${path}: ${response.status} ${response.statusText}` };
  });
  return { ok: response.ok, answer };
}

// openStream opens the stream of events that a query asks for.
/** @param {URLSearchParams} query @returns {EventSource} */
export function openStream(query) {
  if (token) query.set('token', token);
  return new EventSource(`/api/events?${query}`);
}
