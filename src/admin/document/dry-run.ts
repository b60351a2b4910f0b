// Asks the service what it would store, while one types: the slug of a new document, and what is wrong with the fields
// that were touched. It stores nothing and hinders nothing; a question that fails is not asked again until the next key.
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, type Client, OfflineError, type Problem } from '../api/client.ts';
import type { CollectionInfo, FieldInfo } from '../config/manifest.ts';
import { type Edits, toBody } from './edits.ts';
import type { OpenDocument } from './open-document.ts';
import { dataKey, type StoredDocument } from './stored-document.ts';

export interface DryRun {
  /** The slug that a new document would get; undefined if nobody knows. */
  readonly slug: ReadonlySignal<string | undefined>;
  readonly problems: ReadonlySignal<readonly Problem[]>;
  stop(): void;
}

export interface DryRunParts {
  request: Client;
  collection: CollectionInfo;
  document: Pick<OpenDocument, 'edits' | 'latest' | 'saveState' | 'isGone'>;
  /** How long one rests before it is asked. */
  restMs?: number;
}

const REST_MS = 500;

export function createDryRun({ request, collection, document, restMs = REST_MS }: DryRunParts): DryRun {
  const slug = signal<string | undefined>(undefined);
  const problems = signal<readonly Problem[]>([]);
  const checked = new Set(collection.fields.filter(isTold).map(({ name }) => dataKey(name)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  /** What is not touched any more has no problem that one has just made. */
  function keepTouched(found: readonly Problem[], edits: Edits): readonly Problem[] {
    const kept = found.filter(({ path }) => edits.has(dataKey(nameIn(path))) || (path === 'slug' && edits.has('slug')));
    return kept.length === found.length ? found : kept;
  }

  /** The document as it would be stored. */
  async function look(edits: Edits, aborted: AbortSignal): Promise<StoredDocument> {
    const stored = document.latest.peek();
    const base = `/api/cms/${collection.name}`;
    const [method, url] = stored ? (['PATCH', `${base}/${stored.document.id}`] as const) : (['POST', base] as const);
    const options = { body: { data: {}, ...toBody(edits) }, signal: aborted };
    return (await request<StoredDocument>(method, `${url}?dryRun=true`, options)).data;
  }

  async function ask(edits: Edits): Promise<void> {
    asking = new AbortController();
    const { signal: aborted } = asking;
    let found: readonly Problem[] = [];
    try {
      let seen: StoredDocument | undefined;
      try {
        seen = await look(edits, aborted);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        found = error.details;
        // A new document has a slug all the same.
        const refused = new Set<string>(found.map(({ path }) => dataKey(nameIn(path))));
        const rest = new Map([...edits].filter(([key]) => !refused.has(key)));
        if (!document.latest.peek() && rest.size > 0 && rest.size < edits.size) seen = await look(rest, aborted);
      }
      if (aborted.aborted) return;
      // A draft is saved with what keeps it from being published.
      found = [...found, ...(seen?.warnings ?? [])];
      if (seen && !document.latest.peek()) slug.value = seen.slug;
    } catch (error) {
      // It is a courtesy: saving says what is wrong with the service.
      if (!(error instanceof ApiError || error instanceof OfflineError) && !aborted.aborted) throw error;
    }
    if (!aborted.aborted) problems.value = keepTouched(found, edits);
  }

  const stopFollowing = effect(() => {
    const edits = document.edits.value;
    const latest = document.latest.value;
    const isBusy = document.saveState.value.kind === 'saving' || document.isGone.value;
    clearTimeout(timer);
    asking?.abort();
    problems.value = keepTouched(problems.peek(), edits);
    if (latest) slug.value = undefined;
    const isAsked = latest ? [...edits.keys()].some((key) => key === 'slug' || checked.has(key)) : edits.size > 0;
    if (isAsked && !isBusy) timer = setTimeout(() => void ask(edits), restMs);
  });

  return {
    ...{ slug, problems },
    stop() {
      stopFollowing();
      clearTimeout(timer);
      asking?.abort();
    },
  };
}

export function nameIn(path: string): string {
  return path.split(/[.[]/)[1] ?? '';
}

/** Whether only the service knows if a value is accepted. */
function isTold({ unique, pattern, fields = [] }: FieldInfo): boolean {
  return unique === true || pattern !== undefined || fields.some(isTold);
}
