// Words of the calendar of what is planned.
import { addTexts } from './loaded.ts';

export const enCalendar = {
  'calendar.list': 'Scheduled',
  'calendar.ofDay': 'Planned on this day',
  'calendar.none': 'Nothing is planned. Give a document a time with “Schedule”, and it goes live by itself.',
  'calendar.truncated': 'There is more than fits here. Later months show the rest.',
  'calendar.previous': 'Previous month',
  'calendar.next': 'Next month',
  'calendar.today': 'Today',
  'calendar.jobs': 'Show backups and other jobs',
  'calendar.hint': 'Drag a document to another day, or press Move beside it. Its time stays.',
  'calendar.count': { one: '{count} planned', other: '{count} planned' },
  'calendar.more': { one: '{count} more', other: '{count} more' },
  'calendar.job.backup': 'Backup',
  'calendar.job.link-check': 'Link check',
  'calendar.job.deploy': 'Deploy',
  'calendar.agent': 'Agent {name}',
  'calendar.move': 'Move',
  'calendar.moveOne': 'Move {title}',
  'calendar.day': 'Day',
  'calendar.timeStays': 'The time stays {time} ({zone}).',
  'calendar.dayEarlier': 'A day earlier',
  'calendar.dayLater': 'A day later',
  'calendar.weekLater': 'A week later',
  'calendar.moved': '“{title}” is planned for {when} now.',
  'calendar.past': '{time} of that day has passed. Choose a later day.',
  'calendar.gap': 'On that day the clocks leave out {time}. Choose another day.',
  'calendar.changedTo': 'It was moved meanwhile, to {when}. Press Move again to plan it for the day above.',
  'calendar.changed': 'Its schedule was changed meanwhile. The calendar shows it as it is now.',
  'calendar.subscribe': 'In your own calendar',
  'calendar.link': 'Calendar link',
  'calendar.copy': 'Copy link',
  'calendar.linkHelp':
    'Subscribe to this address in a calendar program. Anyone who has it can read what is planned, as you can.',
  'calendar.renew': 'Make a new link',
  'calendar.renewText':
    'All links to the calendar of this site end, yours and those of other people. Programs that use them show nothing new until they get the new link.',
  'calendar.renewed': 'There is a new link. The old ones have ended.',
} as const;

addTexts(enCalendar);
