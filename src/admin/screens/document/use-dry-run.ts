// What the service would say of the document on the screen, before one saves it.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CollectionInfo } from '../../config/manifest.ts';
import { createDryRun, type DryRun } from '../../document/dry-run.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { rightsOf } from '../../document/rights.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toProblems } from './problems.ts';

export function useDryRun(document: OpenDocument, collection: CollectionInfo) {
  const { request, session } = useAdmin();
  const running = useSignal<DryRun | undefined>(undefined);
  const { mayEdit } = rightsOf(session.may, document.latest.value?.document);
  useEffect(() => {
    if (!mayEdit) return undefined;
    const dryRun = createDryRun({ request, collection, document });
    running.value = dryRun;
    return () => {
      dryRun.stop();
      running.value = undefined;
    };
  }, [document, mayEdit]);
  return {
    problems: useComputed(() => toProblems(running.value?.problems.value ?? [], collection)),
    slug: useComputed(() => running.value?.slug.value),
  };
}
