// What the service would say of the document on the screen, before one saves it.
import { untracked, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CollectionInfo, Manifest } from '../../config/manifest.ts';
import { createDryRun, type DryRun } from '../../document/dry-run.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { rightsOf } from '../../document/rights.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toProblems } from './problems.ts';

export interface ShownDryRunParts {
  document: OpenDocument;
  collection: CollectionInfo;
  manifest: Pick<Manifest, 'blocks'>;
}

export function useDryRun({ document, collection, manifest: { blocks } }: ShownDryRunParts) {
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
    problems: useComputed(() => {
      const found = running.value?.problems.value ?? [];
      return untracked(() => toProblems(found, { collection, blocks, data: document.data() }));
    }),
    slug: useComputed(() => running.value?.slug.value),
  };
}
