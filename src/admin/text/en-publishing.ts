// Words of deploys, as the frame and the dashboard show them.
import { addTexts } from './loaded.ts';

export const enPublishing = {
  'deploy.button': 'Deploy',
  'deploy.state': 'Deploy state',
  'deploy.all': 'All deploys',
  'deploy.asked': 'The deploy is queued.',
  'deploy.askedPreview': 'The preview is queued.',
  'deploy.joined': 'A deploy is queued already; it will have your changes too.',
  'deploy.unset': 'No target yet',
  'deploy.missing': 'Not ready: settings are missing',
  'deploy.never': 'Nothing has been deployed yet',
  'deploy.live': 'Live, deployed {when}',
  'deploy.queued': 'Queued',
  'deploy.queuedUntil': 'Queued: the host accepts the next one {when}',
  'deploy.building': 'Building',
  'deploy.uploading': 'Uploading',
  'deploy.uploadingFiles': 'Uploading: {sent} of {total} files',
  'deploy.failed': 'Failed {when}',
  'deploy.cancelled': 'Cancelled {when}',
  'deploy.failedShort': 'Deploy failed',
  'deploy.visit': 'Visit the site',
  'deploy.done': 'The site is live.',
  'deploy.donePreview': 'The preview is ready.',
  'deploy.ci.success': '{app}: its CI reports that it is live.',
  'deploy.ci.failure': '{app}: its CI reports a failed deploy.',
  'deploy.doneFailed': 'The deploy failed: {reason}',
} as const;

addTexts(enPublishing);
