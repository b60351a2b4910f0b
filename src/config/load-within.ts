// Runs the author's code while a configuration is loaded: it may wait forever, or end the process instead of throwing.
// Neither may leave a command or a service without a message.

/** Code that asks a network or a database has an answer, or an error, by then. */
export const LOAD_LIMIT_MS = 30_000;

const OWN_FOLDER = new URL('..', import.meta.url).href;

/** Several sites may be loaded at once. */
let loading = 0;
let realExit: typeof process.exit | undefined;

/** @throws what the work throws, and an Error with a sentence if the work takes longer or ends the process. */
export async function loadWithin<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  holdExit();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `it still waits for something after ${limitMs / 1000} s: find the "await" that never ends, and give it a time limit`;
    timer = setTimeout(() => reject(new Error(text)), limitMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
    releaseExit();
  }
}

/** Makes `process.exit` throw if the author's code calls it; the service's own exit, on a signal, still works. */
function holdExit(): void {
  loading++;
  if (realExit) return;
  const exit = process.exit;
  realExit = exit;
  process.exit = (code) => {
    const error = new Error(`it called process.exit(${code ?? ''}); throw an Error that says what is wrong`);
    const caller = error.stack
      ?.split('\n')
      .find((line) => line.startsWith('    at ') && !line.includes(import.meta.url));
    if (caller?.includes(OWN_FOLDER)) return exit.call(process, code);
    throw error;
  };
}

function releaseExit(): void {
  if (--loading > 0 || !realExit) return;
  process.exit = realExit;
  realExit = undefined;
}
