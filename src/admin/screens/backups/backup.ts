// What the service says of backups, in words. Pure.
import type { Answer } from '../../api/answer.ts';
import '../../text/en-operations.ts';
import { t } from '../../text/translate.ts';

export const BACKUPS_URL = '/api/admin/backups';

export type BackupList = Answer<'/api/admin/backups'>;
export type Backup = BackupList['snapshots'][number];
export type RestoreChanges = Answer<'/api/admin/backups/{id}/changes'>;
export type Restored = Answer<'/api/admin/backups/{id}/restore', 'post'>;

export function urlOf({ id }: Pick<Backup, 'id'>, part = ''): string {
  return `${BACKUPS_URL}/${encodeURIComponent(id)}${part}`;
}

export function kindOf({ trigger }: Backup): string {
  return t(`backups.kind.${trigger}`);
}

/** Whether asking again soon shows more. */
export function isUnderWay({ snapshots, restoring }: BackupList): boolean {
  return (
    restoring !== null || snapshots.some(({ status, remote }) => status === 'creating' || remote?.status === 'pending')
  );
}

type Counts = RestoreChanges['documents'];

const PARTS = ['added', 'changed', 'removed'] as const;

/** A sentence for each thing that a restore would change; empty if it would change nothing. */
export function toChangeTexts({ documents, media, otherFiles }: Omit<RestoreChanges, 'commit'>): string[] {
  const textsOf = (what: 'documents' | 'media', counts: Counts): string[] =>
    PARTS.flatMap((part) => (counts[part] > 0 ? [t(`backups.${what}.${part}`, { count: counts[part] })] : []));
  return [
    ...textsOf('documents', documents),
    ...textsOf('media', media),
    ...(otherFiles > 0 ? [t('backups.otherFiles', { count: otherFiles })] : []),
  ];
}
