// The texts that a model proposes for a new translation: put into the form like typed ones, and stored as the model's.
// What the person wrote meanwhile is theirs, and stays.
import type { Signal } from '@preact/signals';
import { isEqual } from './is-equal.ts';
import { dataKey, type EditKey } from './stored-document.ts';

export interface Proposal {
  /** The slug of the document that was translated. */
  source: string;
  locale: string;
  /** Undefined if the service does not say. */
  model: string | undefined;
  /** What the source has, with the texts of the model. */
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
  data(): Record<string, unknown>;
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

/** Whether a field has the model's words, as they were proposed. */
export function isUnchanged(proposal: Proposal | undefined, name: string, value: unknown): boolean {
  return proposal?.fields.includes(name) === true && isEqual(value, proposal.data[name]);
}
