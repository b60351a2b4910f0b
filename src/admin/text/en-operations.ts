// Words of backups, activity, the repository and the health of the site.
import { addTexts } from './loaded.ts';

export const enOperations = {
  'working.seconds': { one: '{count} second', other: '{count} seconds' },

  'backups.text': 'A backup is the whole site at one moment. Going back to one takes a minute, and loses no history.',
  'backups.noSchedule': 'No schedule is set: backups are made only by hand.',
  'backups.schedule': 'They are made by themselves:',
  'backups.next': 'Next: {when}.',
  'backups.kept': { one: 'The newest one is kept.', other: 'The newest {count} are kept.' },
  'backups.copied': 'Copies go to “{bucket}”.',
  'backups.settings': 'Change it in the settings',
  'backups.make': 'Back up now',
  'backups.making': 'A backup is being made…',
  'backups.made': {
    one: 'Backed up, with {count} document.',
    other: 'Backed up, with {count} documents.',
  },
  'backups.empty': 'No backups yet. The first one is made in a moment, and is safe to make at any time.',
  'backups.when': 'When',
  'backups.content': 'What is in it',
  'backups.by': 'By',
  'backups.commit': 'Commit',
  'backups.actions': 'Actions',
  'backups.bySchedule': 'Nobody',
  'backups.kind.manual': 'By hand',
  'backups.kind.scheduled': 'By the schedule',
  'backups.kind.restore': 'Before a restore',
  'backups.creating': 'Being made…',
  'backups.failed': 'Failed',
  'backups.documents': { one: '{count} document', other: '{count} documents' },
  'backups.media': { one: '{count} file', other: '{count} files' },
  'backups.data': '{size} of other data',
  'backups.copy.pending': 'Copy on its way',
  'backups.copy.complete': 'Copied',
  'backups.copy.failed': 'Not copied: {reason}',
  'backups.download': 'Download',
  'backups.delete': 'Delete',
  'backups.deleteText':
    'The backup of {when} and its copies are removed for good. The history of the documents stays as it is.',
  'backups.deleted': 'The backup of {when} is deleted.',
  'backups.restore': 'Restore …',
  'backups.restoreVerb': 'Restore',
  'backups.restoreText': 'The site becomes as it was on {when}. Compared with now:',
  'backups.documents.added': { one: '{count} document appears again', other: '{count} documents appear again' },
  'backups.documents.changed': {
    one: '{count} document changes to what it was',
    other: '{count} documents change to what they were',
  },
  'backups.documents.removed': { one: '{count} newer document goes', other: '{count} newer documents go' },
  'backups.media.added': { one: '{count} file appears again', other: '{count} files appear again' },
  'backups.media.changed': { one: '{count} file changes', other: '{count} files change' },
  'backups.media.removed': { one: '{count} newer file goes', other: '{count} newer files go' },
  'backups.otherFiles': {
    one: '{count} other file of the repository changes',
    other: '{count} other files of the repository change',
  },
  'backups.noChanges': 'Nothing: documents and files are as they were then.',
  'backups.includeData': 'Restore other data too',
  'backups.includeDataHelp':
    'Settings, submissions of forms, brand voice and agents as they were then. What came in since stays.',
  'backups.wayBack':
    'Nothing is lost: now is backed up first, and the restore is a new commit. Restore that newer backup to come back.',
  'backups.restoring': 'A backup is being restored…',
  'backups.restoringText':
    'You can go on reading. What you save meanwhile is put on top of the restored state, or is refused for a moment.',
  'backups.restored': 'The site is as it was on {when}.',
  'backups.same': 'The site was already as it was on {when}.',
  'backups.undone': 'The site is as it was before the restore.',
  'backups.notShown': {
    one: '{count} file of this backup is not shown:',
    other: '{count} files of this backup are not shown:',
  },
} as const;

addTexts(enOperations);
