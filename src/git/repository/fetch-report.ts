// Runs a site check in a running service, for the command line: passes on its progress and returns its report.
import { z } from 'zod';
import { type ApiOptions, createApi } from '../../lib/api-call.ts';
import { ServiceError } from '../../lib/errors.ts';
import { NamedReport } from '../verify/site-report.ts';

const Progress = z.object({ text: z.string() });
const Failed = z.object({ error: z.string() });

/** @throws ServiceError `upstream_failed` if the service refuses, or the connection breaks before the report. */
export async function fetchReport(options: ApiOptions, onProgress: (text: string) => void): Promise<NamedReport> {
  const { base, call } = createApi(options);
  const { body } = await call('POST', '/api/admin/repository/verify', { accept: 'text/event-stream' });
  for await (const { event, data } of readEvents(body!, base)) {
    if (event === 'progress') onProgress(Progress.parse(data).text);
    if (event === 'report') return NamedReport.parse(data);
    if (event === 'failed') throw new ServiceError('upstream_failed', `${base}: ${Failed.parse(data).error}`);
  }
  throw new ServiceError('upstream_failed', `${base} ended the check before its report`);
}

/** Events in the format of src/http/event-stream.ts: one line of JSON each. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  base: string,
): AsyncGenerator<{ event: string; data: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (event && data) yield { event, data: JSON.parse(data) };
      }
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ServiceError('upstream_failed', `${base} ended the check before its report`, { cause });
  }
}
