// What stands beside the form: details, history, translations, search engines, preview, references.
import type { ReadonlySignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { CollectionInfo, Manifest } from '../../../config/manifest.ts';
import type { OpenDocument } from '../../../document/open-document.ts';
import type { Rights } from '../../../document/rights.ts';
import { t } from '../../../text/translate.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { Actions } from '../actions.ts';
import { type FieldProposals, useFieldProposals } from '../ai/use-field-proposals.ts';
import { Details } from './details.tsx';
import { History } from './history.tsx';
import { Preview } from './preview.tsx';
import { References } from './references.tsx';
import { Seo } from './seo.tsx';
import { Translations } from './translations.tsx';
import { type Proposing, useProposing } from './use-proposing.ts';

export interface PanelProps {
  manifest: Manifest;
  collection: CollectionInfo;
  document: OpenDocument;
  rights: Rights;
  actions: Actions;
  proposing: Proposing;
  /** Other words for a translation whose source has changed. */
  retranslating: FieldProposals;
  /** Titles and descriptions for search engines. */
  seoProposals: FieldProposals;
  /** What a new document would be called. */
  newSlug: ReadonlySignal<string | undefined>;
}

const PANELS = {
  details: Details,
  history: History,
  translations: Translations,
  seo: Seo,
  preview: Preview,
  references: References,
} as const;

type PanelName = keyof typeof PANELS;

/** To the chosen one; a sheet that is closed opens first. */
export function focusPanels(): void {
  const panels = globalThis.document.querySelector('.panels');
  const tab = panels?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  if (tab && !tab.checkVisibility()) panels?.querySelector<HTMLElement>('.panels-button')?.click();
  // What was opened is drawn by then.
  setTimeout(() => tab?.focus());
}

export function Panels(props: Omit<PanelProps, 'proposing' | 'retranslating' | 'seoProposals'>) {
  // A new translation begins with the text that it translates.
  const isNewTranslation = !props.document.latest.value && props.document.value('translationOf').value !== undefined;
  const [chosen, setChosen] = useState<PanelName>(isNewTranslation ? 'translations' : 'details');
  // They go on behind another panel.
  const asked = {
    proposing: useProposing(props),
    retranslating: useFieldProposals(props.document, props.collection),
    seoProposals: useFieldProposals(props.document, props.collection),
  };
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const Panel = PANELS[chosen];
  return (
    <aside
      class={`panels ${isOpen ? 'open' : ''}`}
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button type="button" class="panels-button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('document.showPanels')}
      </button>
      <div class="panels-body">
        <Tabs
          label={t('document.panels')}
          tabs={Object.keys(PANELS)
            // A preview is a link that is made, which is more than to read.
            .filter((id) => id !== 'preview' || props.rights.mayCreate)
            .map((id) => ({ id, label: t(`panel.${id}` as 'panel.details') }))}
          chosen={chosen}
          onChoose={(id) => setChosen(id as PanelName)}
        >
          {() => (
            <Boundary key={chosen}>
              <Panel {...props} {...asked} />
            </Boundary>
          )}
        </Tabs>
      </div>
    </aside>
  );
}
