// A line of the process log (pino's JSON) as people read it on a terminal: time, what happened, and its details. A line
// of the log is one line here too, but for the stack of an error that the service did not expect.
const LEVELS: readonly (readonly [from: number, prefix: string])[] = [
  [60, 'fatal: '],
  [50, 'error: '],
  [40, 'warning: '],
  [30, ''],
  [0, 'debug: '],
];
const ERROR = 50;

/** Those of the process, which are the same in each line, and those that stand in the text already. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const OF_REQUEST = new Set(['method', 'path', 'status', 'ms', 'route', 'principal', 'ip', 'requestId']);

/** A terminal would carry out what strangers wrote into a path or a name. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `line` is one line of JSON; any other text is returned as it is. */
export function toReadableLine(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { level, time, msg, err, status } = entry;
  const severity = typeof level === 'number' ? level : 30;
  const [, prefix = ''] = LEVELS.find(([from]) => severity >= from) ?? [];
  const isRequest = msg === 'request' && typeof entry.method === 'string';
  const { message, stack } = toError(err);
  const text = isRequest
    ? `${entry.method} ${entry.path} ${status}, ${entry.ms} ms`
    : `${msg ?? ''}${message === undefined ? '' : `: ${message}`}`;
  const isLeftOut = (key: string): boolean =>
    LEFT_OUT.has(key) || (isRequest && OF_REQUEST.has(key) && !(key === 'requestId' && severity >= ERROR));
  const details = Object.entries(entry)
    .filter(([key]) => !isLeftOut(key))
    .map(([key, value]) => ` ${key}=${toDetail(value)}`);
  const head = `${toClock(time)} ${prefix}${escapeControls(`${text}${details.join('')}`)}`;
  if (severity < ERROR || stack === undefined) return `${head}\n`;
  const frames = stack.split('\n').filter((frame) => /^\s+at /.test(frame));
  return `${[head, ...frames.map((frame) => `    ${escapeControls(frame.trim())}`)].join('\n')}\n`;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function toError(err: unknown): { message?: string | undefined; stack?: string | undefined } {
  if (typeof err !== 'object' || err === null) return {};
  const { message, stack } = err as { message?: unknown; stack?: unknown };
  return {
    message: typeof message === 'string' ? message : undefined,
    stack: typeof stack === 'string' ? stack : undefined,
  };
}

function toDetail(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? '');
}

/** In the time zone of the machine, as its clock shows it. */
function toClock(time: unknown): string {
  const at = new Date(typeof time === 'number' ? time : Number.NaN);
  if (Number.isNaN(at.getTime())) return '--:--:--';
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function escapeControls(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
