// Proposed texts of fields as differences, each of which one accepts or rejects.
import { useEffect, useId, useRef } from 'preact/hooks';
import { type CollectionInfo, labelOf } from '../../../config/manifest.ts';
import type { OpenDocument } from '../../../document/open-document.ts';
import { acceptField, type ProposedField } from '../../../document/proposal.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { Difference, toText } from '../../../ui/difference.tsx';
import { Failure, Running, WarningList } from './asking-parts.tsx';
import type { FieldProposals } from './use-field-proposals.ts';

export interface FieldProposalListProps {
  document: OpenDocument;
  collection: CollectionInfo;
  proposals: FieldProposals;
  /** The name of the button that asks. */
  start: string;
  help: string;
  running: string;
  onAsk(): void;
}

export function FieldProposalList(props: FieldProposalListProps) {
  const { document, collection, proposals, start, help, running, onAsk } = props;
  const root = useRef<HTMLDivElement>(null);
  const { state, open } = proposals;
  // The button that asks goes while the model writes, and the one that takes it back goes with the answer.
  const before = useRef(state.kind);
  useEffect(() => {
    if (before.current === state.kind) return;
    before.current = state.kind;
    if (globalThis.document.activeElement === globalThis.document.body) {
      root.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
    }
  }, [state.kind]);
  if (state.kind === 'running') {
    return (
      <div ref={root}>
        <Running text={running} onStop={proposals.stop} />
      </div>
    );
  }
  // The button that was pressed is gone with its field.
  const settle = (name: string): void => {
    proposals.settle(name);
    setTimeout(() => root.current?.querySelector<HTMLElement>('button')?.focus());
  };
  return (
    <div class="propose" ref={root}>
      {open.map((one) => (
        <ProposedChange key={one.name} {...{ document, collection, one }} onSettled={() => settle(one.name)} />
      ))}
      {state.kind === 'done' && open.length === 0 && <p role="status">{t('proposal.settled')}</p>}
      <button type="button" onClick={onAsk}>
        {state.kind === 'done' ? t('proposal.again') : start}
      </button>
      {state.kind === 'idle' && <p class="help">{help}</p>}
      {state.kind === 'failed' && <Failure error={state.error} />}
      <WarningList notes={proposals.notes} />
    </div>
  );
}

interface ProposedChangeProps {
  document: OpenDocument;
  collection: CollectionInfo;
  one: ProposedField;
  onSettled(): void;
}

function ProposedChange({ document, collection, one, onSettled }: ProposedChangeProps) {
  const { messages } = useAdmin();
  const id = useId();
  const field = collection.fields.find(({ name }) => name === one.name);
  const label = field ? labelOf(field) : one.name;
  return (
    <section class="proposed" aria-labelledby={id}>
      <h2 id={id}>{label}</h2>
      <Difference from={toText(document.value(`data.${one.name}`).value)} to={toText(one.value)} />
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            messages.notify(t('proposal.accepted', { label }), acceptField(document, one));
            onSettled();
          }}
        >
          {t('proposal.accept')} <span class="hidden">{label}</span>
        </button>
        <button type="button" onClick={onSettled}>
          {t('proposal.reject')} <span class="hidden">{label}</span>
        </button>
      </div>
    </section>
  );
}
