// The texts of a model that a person takes into the form: a whole new translation, or fields one by one. They are put in
// like typed ones, and stored as the model's. What the person writes instead is theirs, and stays.
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ApiAnswer, Client } from '../api/client.ts';
import { type Edits, fromBody } from './edits.ts';
import { isEqual } from './is-equal.ts';
import { dataKey, type EditKey, type StoredDocument } from './stored-document.ts';

export interface Proposal {
  /** The slug of the document that a new one translates; undefined for fields of a document that exists. */
  source?: string;
  /** What a new translation is in. */
  locale?: string;
  /** Undefined if the service does not say. */
  model: string | undefined;
  /** The texts of the model; for a new translation with the rest of what the source has. */
  data: Readonly<Record<string, unknown>>;
  /** The names of the fields that the model wrote. */
  fields: readonly string[];
}

export type Proposed = Pick<Proposal, 'source' | 'locale' | 'model'> & { data: Readonly<Record<string, unknown>> };

/** Fields of `current` that are not the source's are left alone. */
export function toProposal(
  { data: proposed, ...rest }: Proposed,
  source: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): Proposal {
  const fields = Object.keys(proposed).filter(
    (name) => !isEqual(proposed[name], source[name]) && isEqual(current[name], source[name]),
  );
  const texts = Object.fromEntries(fields.map((name) => [name, proposed[name]]));
  return { ...rest, data: { ...source, ...texts }, fields };
}

/** As much of an `OpenDocument` as a proposal goes into. */
export interface ProposalForm {
  readonly proposal: Signal<Proposal | undefined>;
  data(): Readonly<Record<string, unknown>>;
  set(key: EditKey, value: unknown): void;
}

/** Returns the way back, which leaves alone what was typed since. */
export function fillIn(document: ProposalForm, proposal: Proposal): () => void {
  const before = document.data();
  const earlier = document.proposal.peek();
  for (const name of proposal.fields) document.set(dataKey(name), proposal.data[name]);
  document.proposal.value = proposal;
  return () => {
    if (document.proposal.peek() !== proposal) return;
    for (const name of proposal.fields) {
      if (isUnchanged(proposal, name, document.data()[name])) document.set(dataKey(name), before[name]);
    }
    document.proposal.value = earlier;
  };
}

export interface ProposedField {
  name: string;
  value: unknown;
  model: string | undefined;
}

/** Takes one field of a document that exists. Returns the way back, which leaves alone what was typed since. */
export function acceptField(document: ProposalForm, { name, value, model }: ProposedField): () => void {
  const before = document.data()[name];
  document.set(dataKey(name), value);
  const earlier = document.proposal.peek();
  const fields = [...new Set([...(earlier?.fields ?? []), name])];
  document.proposal.value = { ...earlier, model, data: { ...earlier?.data, [name]: value }, fields };
  return () => {
    const now = document.proposal.peek();
    if (!isEqual(document.data()[name], value)) return;
    document.set(dataKey(name), before);
    document.proposal.value = isUnchanged(earlier, name, before) ? earlier : withoutField(now, name);
  };
}

function withoutField(proposal: Proposal | undefined, name: string): Proposal | undefined {
  const fields = proposal?.fields.filter((one) => one !== name) ?? [];
  return proposal && fields.length > 0 ? { ...proposal, fields } : undefined;
}

/** Whether a field has the model's words, as they were proposed. */
export function isUnchanged(proposal: Proposal | undefined, name: string, value: unknown): boolean {
  return proposal?.fields.includes(name) === true && isEqual(value, proposal.data[name]);
}

interface ProposedParts {
  readonly latest: ReadonlySignal<{ document: StoredDocument; etag: string } | undefined>;
  readonly edits: ReadonlySignal<Edits>;
  readonly proposal: Signal<Proposal | undefined>;
}

/**
 * Before a document that exists is saved: each field that still has the model's words is stored as the model's. What the
 * person changed in them is left to the save that follows.
 */
export async function storeProposed(
  document: ProposedParts,
  { request, collection }: { request: Client; collection: string },
  onStored: (sent: Edits, answer: ApiAnswer<StoredDocument>) => void,
): Promise<void> {
  const proposal = document.proposal.peek();
  for (const name of proposal?.fields ?? []) {
    const latest = document.latest.peek();
    const value = document.edits.peek().get(dataKey(name))?.value;
    if (!latest || value === undefined || !isUnchanged(proposal, name, value)) continue;
    const data = { [name]: value };
    const body = { collection, slug: latest.document.slug, field: name, instruction: ACCEPTED, apply: true, data };
    const headers = { 'If-Match': latest.etag };
    onStored(fromBody({ data }), await request<StoredDocument>('POST', '/api/cms/ai/rewrite', { body, headers }));
  }
  if (document.proposal.peek() === proposal) document.proposal.value = undefined;
}

/** No model is asked: the service only wants it to be there. */
const ACCEPTED = 'as accepted';
