// A festival or a conference: a programme by days and rooms, speakers, news, and registration.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'Quiet Machines', baseUrl: 'https://quietmachines.example', rss: { title: 'Quiet Machines: news', collections: ['news'] } },
  collections: [
    {
      name: 'sessions',
      label: 'Programme',
      description: 'Three days, two rooms, one yard.',
      kind: 'page',
      urlPrefix: '/programme',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Begins', required: true },
        { name: 'minutes', type: 'number', label: 'Minutes', min: 5, max: 480 },
        { name: 'room', type: 'select', label: 'Room', options: ['Turbine hall', 'Boiler room', 'Yard'], required: true },
        { name: 'kind', type: 'select', label: 'Kind', options: ['Talk', 'Workshop', 'Concert', 'Walk'] },
        { name: 'speakers', type: 'relation', label: 'With', collection: 'speakers', multiple: true },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Subjects' },
      ],
    },
    {
      name: 'speakers',
      label: 'People',
      description: 'They speak, build, play or walk in front.',
      kind: 'page',
      urlPrefix: '/people',
      fields: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'role', type: 'text', label: 'What they do' },
        { name: 'portrait', type: 'image', label: 'Portrait' },
        { name: 'body', type: 'richtext', label: 'About' },
      ],
    },
    {
      name: 'news',
      label: 'News',
      kind: 'page',
      urlPrefix: '/news',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'festival',
      label: 'Festival',
      kind: 'global',
      fields: [
        { name: 'title', type: 'text', label: 'Name', required: true },
        { name: 'claim', type: 'text', label: 'Claim' },
        { name: 'when', type: 'text', label: 'When' },
        { name: 'where', type: 'text', label: 'Where' },
        { name: 'poster', type: 'image', label: 'Poster' },
        { name: 'about', type: 'richtext', label: 'About' },
        { name: 'prices', type: 'array', label: 'Tickets', fields: [{ name: 'name', type: 'text', required: true }, { name: 'price', type: 'text', required: true }] },
      ],
    },
  ],
  forms: [
    {
      name: 'register',
      label: 'Register',
      fields: [
        { name: 'name', label: 'Name on the badge', type: 'text', required: true },
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'ticket', label: 'Ticket', type: 'select', required: true, options: [{ label: 'Three days', value: 'all' }, { label: 'One day', value: 'day' }, { label: 'Under 18', value: 'young' }] },
        { name: 'needs', label: 'What should we know?', type: 'textarea', placeholder: 'Access, food, a seat near the door' },
      ],
      successMessage: 'You are on the list. The badge waits at the gate.',
    },
  ],
});
