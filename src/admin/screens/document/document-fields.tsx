// The fields of a document, in their tabs, each with its lock and where its text comes from.
import type { Signal } from '@preact/signals';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CollectionInfo, FieldInfo } from '../../config/manifest.ts';
import { isEqual } from '../../document/is-equal.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { isUnchanged, type Proposal } from '../../document/proposal.ts';
import { dataKey } from '../../document/stored-document.ts';
import { Field } from '../../fields/field.tsx';
import { isShown, tabOf, tabsOf } from '../../fields/shown.ts';
import { t } from '../../text/translate.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { isRewritable } from './ai/may-ask.ts';
import { RewriteMenu } from './ai/rewrite-menu.tsx';
import { type FieldLocks, useLocks } from './locks.tsx';

export interface DocumentFieldsProps {
  collection: CollectionInfo;
  document: OpenDocument;
  wanted: Signal<string | undefined>;
  isReadOnly: boolean;
  /** Whether a model is offered for its texts. */
  hasModel: boolean;
}

export function DocumentFields({ collection, document, wanted, isReadOnly, hasModel }: DocumentFieldsProps) {
  const locks = useLocks(collection, document);
  const first = t('field.firstTab');
  const tabs = useTabs(collection, document, first);
  const [tab, setTab] = useState(tabs[0]);
  const wantedName = wanted.value?.split('.')[1];
  useEffect(() => {
    const field = collection.fields.find(({ name }) => name === wantedName);
    if (field && tabs.length > 0) setTab(tabOf(field, first));
  }, [wanted.value]);
  const fields = (shown: readonly FieldInfo[]) => (
    <div class="fields">
      {shown.map((field) => (
        <OneField key={field.name}>
          <Boundary>
            <DocumentField {...{ field, collection, document, isReadOnly, hasModel, locks }} />
          </Boundary>
        </OneField>
      ))}
      <OtherKeys {...{ collection, document }} />
    </div>
  );
  if (tabs.length === 0) return fields(collection.fields);
  return (
    <Tabs
      label={t('field.tabs')}
      tabs={tabs.map((name) => ({ id: name, label: name }))}
      chosen={tab ?? first}
      onChoose={setTab}
    >
      {(name) => fields(collection.fields.filter((field) => tabOf(field, first) === name))}
    </Tabs>
  );
}

/** The same list as long as its names are the same, so that a key draws only its own field again. */
function useTabs({ fields }: CollectionInfo, document: OpenDocument, first: string): readonly string[] {
  const last = useRef<readonly string[]>([]);
  return useComputed(() => {
    const tabs = tabsOf(fields, first, document.data());
    if (!isEqual(tabs, last.current)) last.current = tabs;
    return last.current;
  }).value;
}

interface DocumentFieldProps extends Omit<DocumentFieldsProps, 'wanted'> {
  field: FieldInfo;
  locks: FieldLocks;
}

/** Only a field whose value changes is drawn again. */
function DocumentField({ field, collection, document, isReadOnly, hasModel, locks }: DocumentFieldProps) {
  const key = dataKey(field.name);
  const value = document.value(key).value;
  const isThere = useComputed(() => isShown(field, document.data()));
  const isChanged = useComputed(() => document.changedByOthers.value.has(field.name) && !document.edits.value.has(key));
  // Once it is stored, the service says who wrote it.
  const isProposed = useComputed(() => !document.latest.value || document.edits.value.has(key));
  if (!isThere.value) return null;
  const { beside, note, isLocked } = locks.partsOf(field);
  const origin = (isProposed.value ? originOf(document.proposal.value, field.name, value) : undefined) ?? note;
  const hasMenu = hasModel && !isLocked && isRewritable(field, value);
  return (
    <Field
      field={field}
      path={key}
      value={value}
      isReadOnly={isReadOnly}
      onChange={(next) => document.set(key, next)}
      beside={
        (hasMenu || beside) && (
          <>
            {hasMenu && <RewriteMenu {...{ field, document, collection }} />}
            {beside}
          </>
        )
      }
      note={
        origin || isChanged.value ? (
          <>
            {origin} {isChanged.value && t('field.changedBy')}
          </>
        ) : undefined
      }
    />
  );
}

/**
 * A form of its own for each field: browsers read all of a form with each key, to offer what they could fill in, and
 * two hundred fields took longer than drawing the text did.
 */
function OneField({ children }: { children: ComponentChildren }) {
  return (
    <form class="one-field" onSubmit={(event) => event.preventDefault()} noValidate>
      {children}
    </form>
  );
}

/** Undefined for a field that no model proposed. */
function originOf(proposal: Proposal | undefined, name: string, value: unknown): string | undefined {
  if (!proposal?.fields.includes(name)) return undefined;
  const model = proposal.model ?? t('lock.ai');
  return t(isUnchanged(proposal, name, value) ? 'proposal.by' : 'proposal.changed', { model });
}

/** Keys that the configuration does not know: shown, and never touched. */
function OtherKeys({ collection, document }: Pick<DocumentFieldsProps, 'collection' | 'document'>) {
  const known = new Set(collection.fields.map(({ name }) => name));
  const others = Object.entries(document.latest.value?.document.data ?? {}).filter(([name]) => !known.has(name));
  return (
    <>
      {others.map(([name, value]) => (
        <Field
          key={name}
          field={{ name, type: 'unknown' }}
          path={dataKey(name)}
          value={value}
          isReadOnly
          onChange={() => undefined}
        />
      ))}
    </>
  );
}
