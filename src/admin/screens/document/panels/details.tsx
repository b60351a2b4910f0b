// The address, the language and the dates of a document.

import { useId, useState } from 'preact/hooks';
import { toDocumentPath } from '../../../config/document-path.ts';
import { useForm } from '../../../fields/control.ts';
import { useResource } from '../../../shell/admin.ts';
import { toLanguage } from '../../../text/languages.ts';
import { toExact } from '../../../text/times.ts';
import { t } from '../../../text/translate.ts';
import type { PanelProps } from './panels.tsx';

export function Details({ manifest, collection, document, rights, newSlug }: PanelProps) {
  const stored = document.latest.value?.document;
  const id = useId();
  const problems = useForm().problems.value;
  const slug = document.value('slug').value;
  const locale = document.value('locale').value;
  const chosenLocale = String(locale ?? manifest.defaultLocale ?? '');
  const locales = collection.locales ?? manifest.locales;
  const parent =
    collection.parentField === undefined ? undefined : document.value(`data.${collection.parentField}`).value;
  const slugProblem = problems.get('slug');
  // What one types oneself needs no suggestion.
  const suggested = slug ? undefined : newSlug.value;
  // An empty box while one types: what is stored comes back when one leaves it.
  const [typedSlug, setTypedSlug] = useState<string>();
  return (
    <>
      <div class="field">
        <label for={`${id}-slug`}>{t('details.slug')}</label>
        <input
          id={`${id}-slug`}
          type="text"
          value={typedSlug ?? (typeof slug === 'string' ? slug : '')}
          placeholder={suggested}
          readOnly={!rights.mayEdit}
          spellcheck={false}
          autocapitalize="none"
          aria-describedby={`${id}-slug-note`}
          aria-invalid={slugProblem ? 'true' : undefined}
          // An empty slug is no slug: a new document gets one from its title.
          onInput={({ currentTarget: { value } }) => {
            setTypedSlug(value);
            document.set('slug', value || (stored?.slug ?? ''));
          }}
          onBlur={() => setTypedSlug(undefined)}
        />
        <p class={slugProblem ? 'error' : 'help'} id={`${id}-slug-note`}>
          {slugProblem ?? (stored ? '' : suggested ? t('details.slugWill', { slug: suggested }) : t('details.slugNew'))}
        </p>
      </div>
      {locales.length > 0 && (
        <div class="field">
          <label for={`${id}-locale`}>{t('details.locale')}</label>
          {rights.mayEdit ? (
            <select
              id={`${id}-locale`}
              value={chosenLocale}
              onChange={({ currentTarget }) => document.set('locale', currentTarget.value)}
            >
              {locales.map((tag) => (
                <option key={tag} value={tag}>
                  {toLocaleName(tag)}
                </option>
              ))}
            </select>
          ) : (
            <input id={`${id}-locale`} type="text" readOnly value={toLocaleName(chosenLocale)} />
          )}
        </div>
      )}
      <dl class="facts">
        {collection.parentField !== undefined && (
          <Fact term={t('details.below')}>
            {typeof parent === 'string' && parent !== '' ? (
              <a href={toDocumentPath(collection.name, parent)}>{parent}</a>
            ) : (
              t('details.top')
            )}
          </Fact>
        )}
        {stored && <Who collection={collection.name} document={stored} />}
        {stored && (
          <Fact term={t('details.id')}>
            <code>{stored.id}</code>
          </Fact>
        )}
      </dl>
    </>
  );
}

function toLocaleName(tag: string): string {
  return tag && `${toLanguage(tag)} (${tag})`;
}

interface LastVersion {
  event: string;
  date: string;
  author: { name: string };
}

/** A lock is no change of what is written. */
const LOCK_EVENTS = new Set(['field.locked', 'field.unlocked']);

interface WhoProps {
  collection: string;
  document: { id: string; createdAt: string; updatedAt: string };
}

/** The file's own date is not that of a change from git, whose author left it as it was. */
function Who({ collection, document }: WhoProps) {
  const url = `/api/cms/${collection}/${document.id}/history?limit=10`;
  const { state } = useResource<{ entries: readonly LastVersion[] }>(url);
  const last = state.kind === 'ready' ? state.data.entries.find(({ event }) => !LOCK_EVENTS.has(event)) : undefined;
  return (
    <>
      <Fact term={t('details.updated')}>
        {last ? t('details.by', { when: toExact(last.date), who: last.author.name }) : toExact(document.updatedAt)}
      </Fact>
      <Fact term={t('details.created')}>{toExact(document.createdAt)}</Fact>
    </>
  );
}

function Fact({ term, children }: { term: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
