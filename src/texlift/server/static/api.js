// Talking to the service.

export class ServiceError extends Error {
  constructor(details) {
    super(details.message);
    this.details = details;
  }
}

/** POST an object, get an object; errors of the service become ServiceError. */
export async function post(path, body, signal) {
  const raw = body instanceof Blob ? body : JSON.stringify(body);
  return answer(await fetch(path, { method: "POST", body: raw, signal, headers: { "content-type": body instanceof Blob ? "application/octet-stream" : "application/json" } }));
}

export async function get(path, signal) {
  return answer(await fetch(path, { signal }));
}

async function answer(response) {
  let record;
  try {
    record = await response.json();
  } catch {
    throw new ServiceError({ code: "http", message: `the service answered ${response.status}` });
  }
  if (!response.ok) throw new ServiceError(record.error ?? { code: "http", message: `the service answered ${response.status}` });
  return record;
}

/** Runs one request at a time; of those that come meanwhile only the last is kept. */
export function latest(work) {
  let running = false;
  let next = null;
  return async function run(...args) {
    if (running) {
      next = args;
      return;
    }
    running = true;
    try {
      await work(...args);
    } finally {
      running = false;
      if (next) {
        const waiting = next;
        next = null;
        run(...waiting);
      }
    }
  };
}
